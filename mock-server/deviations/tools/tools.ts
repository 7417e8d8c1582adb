/** Deviations of chapter tools, gathered from the files of its parts. */
import type { DeviationTable } from '../deviation-row.ts'
import { askingMessages } from './asking-messages.ts'
import { toolMatching } from './matching.ts'
import { toolRuns } from './runs.ts'

export const toolDeviations = {
  ...toolMatching,
  ...toolRuns,
  ...askingMessages,
} as const satisfies DeviationTable<'tools'>

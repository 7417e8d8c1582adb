/** Deviations of chapter tools, gathered from the files of its parts. */
import type { DeviationTable } from './deviation-row.ts'
import { toolMatching } from './tool-matching.ts'
import { toolRuns } from './tool-runs.ts'

export const tools = {
  ...toolMatching,
  ...toolRuns,
} as const satisfies DeviationTable<'tools'>

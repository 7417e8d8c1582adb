/** Deviations of chapter threads, gathered from the files of its parts. */
import type { DeviationTable } from './deviation-row.ts'
import { threadLists } from './thread-lists.ts'
import { threadMessages } from './thread-messages.ts'
import { threadRaces } from './thread-races.ts'
import { threadRuns } from './thread-runs.ts'

export const threads = {
  ...threadMessages,
  ...threadLists,
  ...threadRaces,
  ...threadRuns,
} as const satisfies DeviationTable<'threads'>

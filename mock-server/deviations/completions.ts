/** Deviations of chapter completions, gathered from the files of its parts. */
import { completionRequests } from './completion-requests.ts'
import { completionThreads } from './completion-threads.ts'
import type { DeviationTable } from './deviation-row.ts'

export const completions = {
  ...completionRequests,
  ...completionThreads,
} as const satisfies DeviationTable<'completions'>

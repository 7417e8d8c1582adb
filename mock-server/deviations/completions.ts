/** Deviations of chapter completions, gathered from the files of its parts. */

import { completionAssistants } from './completion-assistants.ts'
import { completionFaults } from './completion-faults.ts'
import { completionMessages } from './completion-messages.ts'
import { completionThreads } from './completion-threads.ts'
import type { DeviationTable } from './deviation-row.ts'

export const completions = {
  ...completionAssistants,
  ...completionFaults,
  ...completionMessages,
  ...completionThreads,
} as const satisfies DeviationTable<'completions'>

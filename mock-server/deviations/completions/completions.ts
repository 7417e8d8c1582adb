/** Deviations of chapter completions, gathered from the files of its parts. */

import type { DeviationTable } from '../deviation-row.ts'
import { completionAssistants } from './assistants.ts'
import { completionFaults } from './invalid-requests.ts'
import { completionMessages } from './messages.ts'
import { completionThreads } from './threads.ts'

export const completionDeviations = {
  ...completionAssistants,
  ...completionFaults,
  ...completionMessages,
  ...completionThreads,
} as const satisfies DeviationTable<'completions'>

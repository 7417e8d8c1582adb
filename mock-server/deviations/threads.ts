/** Deviations of chapter threads, gathered from the files of its parts. */
import type { DeviationTable } from './deviation-row.ts'
import { threadChanges } from './thread-changes.ts'
import { threadDelays } from './thread-delays.ts'
import { threadEchoes } from './thread-echoes.ts'
import { threadForms } from './thread-forms.ts'
import { threadLists } from './thread-lists.ts'
import { threadRaces } from './thread-races.ts'
import { threadRejections } from './thread-rejections.ts'
import { threadRuns } from './thread-runs.ts'

export const threads = {
  ...threadChanges,
  ...threadDelays,
  ...threadEchoes,
  ...threadForms,
  ...threadLists,
  ...threadRaces,
  ...threadRejections,
  ...threadRuns,
} as const satisfies DeviationTable<'threads'>

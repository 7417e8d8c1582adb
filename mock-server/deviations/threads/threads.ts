/** Deviations of chapter threads, gathered from the files of its parts. */
import type { DeviationTable } from '../deviation-row.ts'
import { threadChanges } from './changes.ts'
import { threadDelays } from './delays.ts'
import { threadEchoes } from './echoes.ts'
import { threadForms } from './forms.ts'
import { threadLists } from './lists.ts'
import { threadRaces } from './races.ts'
import { threadRejections } from './rejections.ts'
import { runAssistants } from './run-assistants.ts'
import { threadRuns } from './runs.ts'

export const threadDeviations = {
  ...threadChanges,
  ...threadDelays,
  ...threadEchoes,
  ...threadForms,
  ...threadLists,
  ...threadRaces,
  ...threadRejections,
  ...runAssistants,
  ...threadRuns,
} as const satisfies DeviationTable<'threads'>

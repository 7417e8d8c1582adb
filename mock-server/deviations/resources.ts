/** Deviations of chapter resources, gathered from the files of its parts. */
import { answerShapes } from './answer-shapes.ts'
import type { DeviationTable } from './deviation-row.ts'
import { idForms } from './id-forms.ts'
import { messageShapes } from './message-shapes.ts'
import { timestampForms } from './timestamp-forms.ts'

export const resources = {
  ...idForms,
  ...timestampForms,
  ...messageShapes,
  ...answerShapes,
} as const satisfies DeviationTable<'resources'>

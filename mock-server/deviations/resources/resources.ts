/** Deviations of chapter resources, gathered from the files of its parts. */

import type { DeviationTable } from '../deviation-row.ts'
import { answerShapes } from './answer-shapes.ts'
import { chunkShapes } from './chunk-shapes.ts'
import { idForms } from './id-forms.ts'
import { messageFields } from './message-fields.ts'
import { messageValues } from './message-values.ts'
import { mixedAnswers } from './mixed-answers.ts'
import { sourceShapes } from './source-shapes.ts'
import { timestampForms } from './timestamp-forms.ts'

export const resourceDeviations = {
  ...answerShapes,
  ...chunkShapes,
  ...idForms,
  ...messageFields,
  ...messageValues,
  ...mixedAnswers,
  ...sourceShapes,
  ...timestampForms,
} as const satisfies DeviationTable<'resources'>

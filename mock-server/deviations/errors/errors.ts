/** Deviations of chapter errors, gathered from the files of its parts. */
import type { DeviationTable } from '../deviation-row.ts'
import { errorBodies } from './bodies.ts'
import { errorCodes } from './codes.ts'
import { errorFaults } from './field-errors.ts'
import { errorLimits } from './limits.ts'
import { errorTexts } from './texts.ts'

export const errorDeviations = {
  ...errorBodies,
  ...errorCodes,
  ...errorFaults,
  ...errorLimits,
  ...errorTexts,
} as const satisfies DeviationTable<'errors'>

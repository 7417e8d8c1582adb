/** Deviations of chapter errors, gathered from the files of its parts. */
import type { DeviationTable } from '../deviation-row.ts'
import { errorBodies } from './bodies.ts'
import { errorCodes } from './codes.ts'
import { errorFaults } from './field-errors.ts'

export const errorDeviations = {
  ...errorBodies,
  ...errorCodes,
  ...errorFaults,
} as const satisfies DeviationTable<'errors'>

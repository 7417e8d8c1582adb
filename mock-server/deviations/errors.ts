/** Deviations of chapter errors, gathered from the files of its parts. */
import type { DeviationTable } from './deviation-row.ts'
import { errorBodies } from './error-bodies.ts'
import { errorCodes } from './error-codes.ts'
import { errorFaults } from './error-faults.ts'

export const errors = {
  ...errorBodies,
  ...errorCodes,
  ...errorFaults,
} as const satisfies DeviationTable<'errors'>

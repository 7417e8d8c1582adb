/** Deviations of chapter tenancy, gathered from the files of its parts. */
import type { DeviationTable } from '../deviation-row.ts'
import { isolation } from './isolation.ts'
import { leakingAnswers } from './leaking-answers.ts'
import { tenantRecords } from './records.ts'

export const tenancyDeviations = {
  ...tenantRecords,
  ...isolation,
  ...leakingAnswers,
} as const satisfies DeviationTable<'tenancy'>

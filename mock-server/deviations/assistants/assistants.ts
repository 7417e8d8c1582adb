/** Deviations of chapter assistants, gathered from the files of its parts. */

import type { DeviationTable } from '../deviation-row.ts'
import { assistantReads } from './reads.ts'
import { assistantRecords } from './records.ts'

export const assistantDeviations = {
  ...assistantReads,
  ...assistantRecords,
} as const satisfies DeviationTable<'assistants'>

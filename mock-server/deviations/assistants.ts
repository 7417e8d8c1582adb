/** Deviations of chapter assistants, gathered from the files of its parts. */

import { assistantReads } from './assistant-reads.ts'
import { assistantRecords } from './assistant-records.ts'
import type { DeviationTable } from './deviation-row.ts'

export const assistants = {
  ...assistantReads,
  ...assistantRecords,
} as const satisfies DeviationTable<'assistants'>

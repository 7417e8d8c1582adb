/** Deviations of chapter tenancy, gathered from the files of its parts. */
import type { DeviationTable } from './deviation-row.ts'
import { tenantRecords } from './tenant-records.ts'
import { tenantWalls } from './tenant-walls.ts'

export const tenancy = {
  ...tenantRecords,
  ...tenantWalls,
} as const satisfies DeviationTable<'tenancy'>

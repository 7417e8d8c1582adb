/** Deviations of chapter pagination, gathered from the files of its parts. */
import type { DeviationTable } from '../deviation-row.ts'
import { pageLimits } from './limits.ts'
import { pageOrder } from './order.ts'
import { pageReads } from './reads.ts'
import { pageShapes } from './shapes.ts'
import { pageWalks } from './walks.ts'

export const paginationDeviations = {
  ...pageLimits,
  ...pageOrder,
  ...pageReads,
  ...pageShapes,
  ...pageWalks,
} as const satisfies DeviationTable<'pagination'>

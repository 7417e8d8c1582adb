/** Deviations of chapter pagination, gathered from the files of its parts. */
import type { DeviationTable } from './deviation-row.ts'
import { pageLimits } from './page-limits.ts'
import { pageOrder } from './page-order.ts'
import { pageReads } from './page-reads.ts'
import { pageShapes } from './page-shapes.ts'
import { pageWalks } from './page-walks.ts'

export const pagination = {
  ...pageLimits,
  ...pageOrder,
  ...pageReads,
  ...pageShapes,
  ...pageWalks,
} as const satisfies DeviationTable<'pagination'>

/** Deviations of chapter pagination, gathered from the files of its parts. */
import type { DeviationTable } from './deviation-row.ts'
import { pageOrder } from './page-order.ts'
import { pageWalks } from './page-walks.ts'

export const pagination = { ...pageOrder, ...pageWalks } as const satisfies DeviationTable<'pagination'>

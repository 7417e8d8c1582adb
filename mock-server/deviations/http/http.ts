/** Deviations of chapter http, gathered from the files of its parts. */
import type { DeviationTable } from '../deviation-row.ts'
import { httpBodies } from './bodies.ts'
import { httpService } from './service.ts'

export const httpDeviations = {
  ...httpBodies,
  ...httpService,
} as const satisfies DeviationTable<'http'>

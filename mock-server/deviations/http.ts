/** Deviations of chapter http, gathered from the files of its parts. */
import type { DeviationTable } from './deviation-row.ts'
import { httpBodies } from './http-bodies.ts'
import { httpService } from './http-service.ts'

export const http = {
  ...httpBodies,
  ...httpService,
} as const satisfies DeviationTable<'http'>

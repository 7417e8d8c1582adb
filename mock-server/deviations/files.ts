/** Deviations of chapter files, gathered from the files of its parts. */
import type { DeviationTable } from './deviation-row.ts'
import { fileGrants } from './file-grants.ts'
import { fileRequests } from './file-requests.ts'
import { fileUploads } from './file-uploads.ts'

export const files = {
  ...fileGrants,
  ...fileRequests,
  ...fileUploads,
} as const satisfies DeviationTable<'files'>

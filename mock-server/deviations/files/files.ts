/** Deviations of chapter files, gathered from the files of its parts. */
import type { DeviationTable } from '../deviation-row.ts'
import { fileAttachments } from './attachments.ts'
import { fileGrants } from './grants.ts'
import { fileRequests } from './requests.ts'
import { fileUploads } from './uploads.ts'

export const fileDeviations = {
  ...fileGrants,
  ...fileRequests,
  ...fileUploads,
  ...fileAttachments,
} as const satisfies DeviationTable<'files'>

/** The figures of uploads (contract: Limits; the lifetime of a grant by the reference profile). */
import type { StoredFile } from './state.ts'

/** The limits of an upload. */
export const fileLimits = {
  allowedTypes: [
    'text/csv',
    'text/plain',
    'application/pdf',
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  ],
  maxSizeBytes: 10_485_760,
} as const

/** How long an upload URL lives; read as seconds, since the contract gives no unit. */
export const grantLifetimeSeconds = 900

/** How long a file with `persist=false` stays after its upload. */
export const retentionSeconds = 24 * 60 * 60

/** Whether the file was not meant to stay, and its time is over. */
export function isRemoved({ persist, upload }: StoredFile, tickUs: number): boolean {
  return !persist && upload !== null && tickUs >= upload.atUs + retentionSeconds * 1_000_000
}

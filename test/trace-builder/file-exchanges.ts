/** Builds exchanges about files, for a profile that maps their status and how messages carry them. */

import type { TenantName } from '../../conformance/profile/target-profile.ts'
import { errorBody } from './sample-data.ts'
import type { Change, TraceBuilder, TraceBuilderOptions } from './trace-builder.ts'

/** What the profile says of files. */
export const files = {
  status: { path: '/v1/storage/{file_id}', pointer: '/processing/state', complete: ['DONE'], failed: ['BROKEN'] },
  attachment: { attachments: [{ file_id: '{{file_id}}' }] },
}
/** A profile that maps both the status and the attachment. */
export const mapped: TraceBuilderOptions = { profile: { files } }
/** A profile that maps one of them. */
export const only = (part: keyof typeof files): TraceBuilderOptions => ({ profile: { files: { [part]: files[part] } } })

const allowedTypes = [
  'text/csv',
  'text/plain',
  'application/pdf',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
]

/** Uploads a small file of a tenant and gives its id; `early` is sent between the grant and the upload. */
export const uploaded = (
  s: TraceBuilder,
  query = '?filename=a.txt',
  change: Change = {},
  early: (id: string) => void = () => undefined,
  as: TenantName = 'primary',
): string => {
  const file_id = s.id()
  const file_url = `https://store.test/${file_id}?signature=s`
  const file_limits = { allowed_types: allowedTypes, max_size: 10_485_760 }
  const grant = { file_id, file_url, expires_in: 900, file_limits }
  s.send('createUploadGrant', {}, grant, { query, headers: [['user-id', 'ann']], as })
  early(file_id)
  const plain = { leaveOut: ['content-type'], headers: [['content-type', 'text/plain']], sends: 'a', text: '' } as const
  s.send('uploadFile', {}, '', { as: null, path: file_url, ...plain, ...change })
  return file_id
}

/** Asks for the status of a file. */
export const poll = (s: TraceBuilder, id: string, state: unknown = 'DONE', change: Change = {}): void => {
  s.send('getFileStatus', {}, { id, processing: { state } }, { path: `/v1/storage/${id}`, ...change })
}

/** A file that is complete at once. */
export const complete = (s: TraceBuilder, query?: string): string => {
  const id = uploaded(s, query)
  poll(s, id)
  return id
}

/** No such file. */
export const missing = { status: 404, body: errorBody('resource_not_found') }

/** Grants uploads, takes files at signed URLs and tells how far their processing is. */
import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { headerOf } from './access.ts'
import { FieldErrors, isUuid, queryText } from './checks.ts'
import { pause } from './clock.ts'
import { change, type Row, row } from './database.ts'
import { ApiError } from './errors.ts'
import { kept, type Service, type Tenant } from './service.ts'

const allowedTypes = [
  'text/csv',
  'text/plain',
  'application/pdf',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
]
const maxSize = 10_485_760
const lifetimeSeconds = 900
const processingMs = 20

function checkUserId({ fault }: Service, request: FastifyRequest, errors: FieldErrors): void {
  const userId = headerOf(request, 'user-id')
  const loc = ['header', 'user-id']
  if (userId === undefined) {
    if (fault !== 'file_user_id_optional') errors.missing(...loc)
    return
  }
  const characters =
    fault === 'file_user_id_unanchored'
      ? /[A-Za-z0-9._\-@:]+/
      : fault === 'file_user_id_at_refused'
        ? /^[A-Za-z0-9._\-:]+$/
        : fault === 'file_user_id_range_too_wide'
          ? /^[A-z0-9.-_@:]+$/
          : /^[A-Za-z0-9._\-@:]+$/
  if (!characters.test(userId))
    errors.wrong(loc, 'string_pattern_mismatch', 'Input has characters that are not allowed')
  const longest = fault === 'file_user_id_255_refused' ? 254 : fault === 'file_user_id_256_accepted' ? 256 : 255
  const unlimited = fault === 'file_user_id_any_length'
  if (userId.length > longest && !unlimited)
    errors.wrong(loc, 'string_too_long', 'Input should have at most 255 characters')
}

function checkFilename({ fault, legal }: Service, query: unknown, errors: FieldErrors): string {
  const filename = queryText(query, 'filename')
  const loc = ['query', 'filename']
  if (filename === undefined || filename === '') {
    if (fault === 'file_filename_optional') return 'file.txt'
    errors.missing(...loc)
    return ''
  }
  if (!/\.[^.]+$/.test(filename) && !legal.has('filename_without_extension')) {
    errors.wrong(loc, 'filename', 'Input should have an extension')
  }
  const plain =
    fault === 'file_name_ascii_only' ? /^[\x20-\x7e]+$/ : fault === 'file_name_one_dot' ? /^[^.]+\.[^.]+$/ : /^/
  if (!plain.test(filename)) errors.wrong(loc, 'filename', 'Input has characters that are not allowed')
  if (legal.has('filename_type_checked') && !/\.(csv|txt|pdf|docx|xlsx)$/i.test(filename)) {
    errors.wrong(loc, 'filename', 'Input has an extension that is not accepted')
  }
  return filename
}

function checkPersist({ fault }: Service, query: unknown, errors: FieldErrors): boolean {
  const persist = queryText(query, 'persist') ?? 'true'
  const known = fault === 'file_persist_false_refused' ? ['true'] : ['true', 'false', 'True', 'False', '1', '0']
  if (!known.includes(persist)) errors.wrong(['query', 'persist'], 'bool_parsing', 'Input should be true or false')
  return ['true', 'True', '1'].includes(persist)
}

const signatureOf = ({ signingKey }: Service, fileId: string, expires: string): string =>
  createHmac('sha256', signingKey).update(`${fileId} ${expires}`).digest('base64url')

function urlOf(service: Service, { protocol, host }: FastifyRequest, fileId: string): string {
  const { fault, legal } = service
  const expires = String(Date.now() + lifetimeSeconds * 1000)
  const signature = signatureOf(service, fault === 'file_signature_never_fits' ? `${fileId}.` : fileId, expires)
  const path = legal.has('upload_signature_in_path')
    ? `/uploads/${fileId}/${expires}/${signature}`
    : `/uploads/${fileId}?expires=${expires}&signature=${signature}`
  return fault === 'file_url_relative' ? path : `${protocol}://${host}${path}`
}

async function grant(service: Service, request: FastifyRequest): Promise<Record<string, unknown>> {
  const { database, fault, legal, now } = service
  const { tenant, query } = request
  const errors = new FieldErrors()
  const filename = checkFilename(service, query, errors)
  const persist = checkPersist(service, query, errors)
  checkUserId(service, request, errors)
  errors.throwIfAny()
  const shared = fault === 'file_same_name_same_id' || (fault === 'file_unpersisted_share_id' && !persist)
  const fileId = shared ? kept(service, `file ${filename}`, randomUUID) : await newFileId(service, filename)
  const columns =
    'INSERT OR IGNORE INTO files (id, tenant_id, user_id, filename, persist, expires) VALUES (?, ?, ?, ?, ?, ?)'
  const expires = now() + lifetimeSeconds * 1_000_000
  change(database, columns, fileId, tenant.id, headerOf(request, 'user-id') ?? '', filename, +persist, expires)
  const seconds = legal.has('expires_in_milliseconds') ? lifetimeSeconds * 1000 : lifetimeSeconds
  const types = fault === 'file_types_without_csv' ? allowedTypes.slice(1) : allowedTypes
  const limits = { allowed_types: types, max_size: fault === 'file_max_size_in_megabytes' ? 10 : maxSize }
  const shown: Record<string, unknown> = {
    file_id: fault === 'file_id_is_name' ? filename : fileId,
    file_url: urlOf(service, request, fileId),
    expires_in: fault === 'file_expires_text' ? `${seconds}s` : seconds,
    file_limits: limits,
  }
  if (fault === 'file_expires_fraction') shown.expires_in = seconds - 0.5
  if (fault === 'file_limits_missing_unpersisted' && !persist) delete shown.file_limits
  if (fault === 'file_types_are_extensions') limits.allowed_types = ['.csv', '.txt', '.pdf', '.docx', '.xlsx']
  return shown
}

async function newFileId(service: Service, filename: string): Promise<string> {
  const { fault, memory } = service
  if (fault !== 'file_overlap_shares_id') return randomUUID()
  const name = `granting ${filename}`
  const fileId = kept(service, name, randomUUID)
  await pause(5)
  memory.cache.delete(name)
  return fileId
}

function checkUpload(service: Service, fileId: string, expires: string, signature: string): Row {
  const right = Buffer.from(signatureOf(service, fileId, expires))
  const given = Buffer.from(signature)
  const signed = right.length === given.length && timingSafeEqual(right, given) && Date.now() < Number(expires)
  const file = signed ? row(service.database, 'SELECT * FROM files WHERE id = ?', fileId) : undefined
  if (file === undefined) throw new ApiError('unauthorized')
  return file
}

interface Upload {
  readonly Params: { readonly fileId: string; readonly expires?: string; readonly signature?: string }
}

function upload(service: Service, request: FastifyRequest<Upload>): void {
  const { database, fault, now } = service
  const { params, query, body } = request
  const { fileId, expires = queryText(query, 'expires'), signature = queryText(query, 'signature') } = params
  const file = checkUpload(service, fileId, expires ?? '', signature ?? '')
  const mediaType = (headerOf(request, 'content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
  const taken = fault === 'file_csv_upload_refused' ? allowedTypes.slice(1) : allowedTypes
  if (mediaType !== '' && mediaType !== 'application/octet-stream' && !taken.includes(mediaType)) {
    throw new ApiError('file_refused')
  }
  const size = Buffer.isBuffer(body) ? body.length : 0
  const most = fault === 'file_full_size_refused' ? maxSize - 1 : fault === 'file_mebibyte_limit' ? 1_048_576 : maxSize
  if (size > most) throw new ApiError('file_too_large')
  if (fault === 'file_unpersisted_upload_refused' && file.persist === 0) throw new ApiError('unauthorized')
  change(
    database,
    'UPDATE files SET media_type = ?, size = ?, uploaded = ? WHERE id = ?',
    mediaType,
    size,
    now(),
    fileId,
  )
}

function statusOf({ database, now }: Service, tenant: Tenant, fileId: string): Record<string, unknown> {
  const file = row(database, 'SELECT * FROM files WHERE id = ? AND tenant_id = ?', fileId, tenant.id)
  if (file === undefined) throw new ApiError('resource_not_found')
  const uploaded = file.uploaded
  const done = typeof uploaded === 'number' && now() - uploaded > processingMs * 1000
  return { file_id: fileId, status: uploaded === null ? 'waiting' : done ? 'complete' : 'processing' }
}

/** Why the files of a message cannot be attached to it; undefined when they can. */
export function fileProblem({ database }: Service, tenant: Tenant, ids: unknown): string | undefined {
  if (ids === undefined || ids === null) return undefined
  if (!Array.isArray(ids) || !ids.every(isUuid)) return 'Input should be a list of file ids'
  const own = (id: string): Row | undefined =>
    row(database, 'SELECT id FROM files WHERE id = ? AND tenant_id = ? AND uploaded IS NOT NULL', id, tenant.id)
  return ids.every((id) => own(id)) ? undefined : 'Not every file is uploaded'
}

/** The routes of files that need a key. */
export function fileRoutes(app: FastifyInstance, service: Service): void {
  app.get('/v1/files/signed-url', async (request) => grant(service, request))
  for (const path of ['/v1/files/:fileId/status', '/files/:fileId/status']) {
    app.get<Upload>(path, async ({ tenant, params }) => statusOf(service, tenant, params.fileId))
  }
}

/** The routes that take files; the signature of their URL stands in for a key. */
export function uploadRoutes(app: FastifyInstance, service: Service): void {
  const { legal } = service
  for (const path of ['/uploads/:fileId', '/uploads/:fileId/:expires/:signature']) {
    app.put<Upload>(path, { bodyLimit: maxSize + 1024 }, async (request, reply) => {
      upload(service, request)
      return legal.has('upload_is_204')
        ? reply.code(204).send()
        : reply.code(legal.has('upload_is_201') ? 201 : 200).send({})
    })
  }
}

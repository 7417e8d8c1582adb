/**
 * Files: the upload grant, the upload itself behind a token in the URL, and the status to poll.
 * A status read once after the upload says `processing`, from then on `completed`.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import type { Call, Reply, Request } from './call.ts'
import { IssueList, pathUuid, readBoolean } from './reading.ts'
import { frameworkRefusal, rejectWith } from './rejection.ts'

const lifetimeSeconds = 3600
const retentionMs = 24 * 60 * 60 * 1000
const limits = {
  allowed_types: [
    'text/csv',
    'text/plain',
    'application/pdf',
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  ],
  max_size: 10_485_760,
}

function readPersist(call: Call, issues: IssueList): boolean {
  const text = call.query.get('persist')
  if (text === null) return true
  const persist = readBoolean(text)
  if (persist === null) {
    issues.add(['query', 'persist'], 'bool_parsing', 'Input should be a valid boolean, unable to interpret input')
  }
  return persist ?? true
}

function checkUserId(call: Call, issues: IssueList): void {
  const userId = call.headers['user-id']
  const loc = ['header', 'user-id']
  if (typeof userId !== 'string') issues.missing(...loc)
  else if (userId.length > 255) issues.add(loc, 'string_too_long', 'String should have at most 255 characters')
  else if (!/^[A-Za-z0-9._\-@:]+$/.test(userId)) {
    issues.add(loc, 'string_pattern_mismatch', 'String should match the pattern of user ids')
  }
}

/** Grants an upload. */
export function grantUpload(call: Call): Reply {
  const issues = new IssueList()
  const filename = call.query.get('filename')
  if (filename === null) issues.missing('query', 'filename')
  else if (filename === '') issues.add(['query', 'filename'], 'string_too_short', 'String should not be empty')
  const persist = readPersist(call, issues)
  checkUserId(call, issues)
  issues.raise()
  const id = randomUUID()
  const token = randomBytes(16).toString('hex')
  call.state.files.set(id, {
    id,
    tenantId: call.tenant.id,
    token,
    expiresAt: Date.now() + lifetimeSeconds * 1000,
    removedAt: persist ? null : Date.now() + retentionMs,
    status: 'awaiting_upload',
  })
  const file_url = `${call.state.origin}/uploads/${id}?token=${token}`
  return { json: { file_id: id, file_url, expires_in: lifetimeSeconds, file_limits: limits } }
}

/** Takes the bytes of a granted upload; the URL is the only authorization. */
export async function receiveUpload(request: Request): Promise<Reply> {
  const file = request.state.files.get(request.params.file_id ?? '')
  if (file === undefined || file.token !== request.query.get('token')) throw frameworkRefusal(403, 'Invalid token')
  if (file.expiresAt <= Date.now()) throw frameworkRefusal(403, 'Token expired')
  const type = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase()
  const bytes = await request.bytes()
  if (type !== undefined && type !== 'application/octet-stream' && !limits.allowed_types.includes(type)) {
    throw frameworkRefusal(415, 'Media type not allowed')
  }
  if (bytes.length > limits.max_size) throw frameworkRefusal(413, 'File too large')
  file.status = 'processing'
  return { json: {} }
}

/** Tells how far the processing of a file is. */
export function fileStatus(call: Call): Reply {
  const file = call.state.fileOf(call.tenant.id, pathUuid('file_id', call.params.file_id))
  if (file === null) throw rejectWith('resource_not_found')
  const { status } = file
  if (status === 'processing') file.status = 'completed'
  return { json: { file_id: file.id, status } }
}

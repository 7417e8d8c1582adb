/**
 * The readable resources: assistants, the tenant with its keys, upload grants and the status of files.
 * A filename needs an extension of an allowed kind, and `persist` is spelled true or false and nothing else.
 */
import { type Answer, type Exchange, engineOf } from './exchange.ts'
import { fileLimits, grantLifetimeMs } from './file-vault.ts'
import { parseId } from './identity.ts'
import { failure, type Outcome, otherFailure, success } from './outcome.ts'

/** The tenant's assistants. */
export function listAssistants({ tenant }: Exchange): Outcome<Answer> {
  return success({ status: 200, document: tenant.engines.map((engine) => engine.assistant) })
}

/** One assistant of the tenant. */
export function readAssistant({ tenant, segments }: Exchange): Outcome<Answer> {
  const engine = engineOf(tenant, parseId(segments[0]))
  return engine.ok ? success({ status: 200, document: engine.value.assistant }) : engine
}

/** The tenant and its keys; a request that brings a body is a bad one. */
export function readTenant({ tenant, body }: Exchange): Outcome<Answer> {
  if (body !== '') return failure('bad_request')
  return success({ status: 200, document: { id: tenant.id, name: tenant.name, api_keys: tenant.keys } })
}

function rejectGrant(query: URLSearchParams, userId: unknown): string | null {
  if (typeof userId !== 'string') return 'The header user-id is needed'
  if (userId.length > 255 || !/^[A-Za-z0-9._\-@:]+$/.test(userId)) return 'The header user-id is not a user id'
  if (!/^.+\.(csv|txt|pdf|docx|xlsx)$/i.test(query.get('filename') ?? '')) {
    return 'filename is needed, with the extension of an allowed type'
  }
  return /^(true|false)$/.test(query.get('persist') ?? 'true') ? null : 'persist is true or false'
}

/** Grants an upload; the lifetime counts in milliseconds. */
export function grantUpload({ platform, tenant, query, headers }: Exchange): Outcome<Answer> {
  const reason = rejectGrant(query, headers['user-id'])
  if (reason !== null) return otherFailure('invalid_argument', reason)
  const { fileId, url } = platform.files.grant(tenant.id, query.get('persist') !== 'false')
  const document = { file_id: fileId, file_url: url, expires_in: grantLifetimeMs, file_limits: fileLimits }
  return success({ status: 201, document })
}

/** How far a file is. */
export function readFileState({ platform, tenant, segments }: Exchange): Outcome<Answer> {
  const state = platform.files.state(tenant.id, parseId(segments[0]))
  if (state === null) return failure('resource_not_found')
  return success({ status: 200, document: { id: segments[0], processing: { state } } })
}

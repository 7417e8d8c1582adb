/** Decides who may call: finds the tenant of the api-key and holds it to its rate limit. */
import type { FastifyRequest } from 'fastify'
import { pause } from './clock.ts'
import { type Row, row } from './database.ts'
import { ApiError } from './errors.ts'
import { throttledTenant } from './seed.ts'
import type { Quota, Service, Tenant } from './service.ts'

declare module 'fastify' {
  interface FastifyRequest {
    tenant: Tenant
  }
}

const generous: Quota = { requests: 1_000_000, windowMs: 10_000 }

/** Finds the tenant of a request and counts the request; refuses it otherwise. */
export async function admit(service: Service, request: FastifyRequest): Promise<void> {
  request.tenant = tenantOf(service, request)
  await countCall(service, request)
}

/** The value of a header that is sent once. */
export function headerOf({ headers }: FastifyRequest, name: string): string | undefined {
  const value = headers[name]
  return typeof value === 'string' ? value : undefined
}

function tenantOf(service: Service, request: FastifyRequest): Tenant {
  const key = headerOf(request, 'api-key')
  const found = key === undefined || key === '' ? keyless(service, request) : tenantOfKey(service, key)
  if (found === undefined) throw new ApiError('unauthorized')
  if (found.name === null) throw new ApiError('tenant_not_found')
  return { id: String(found.id), name: String(found.name), key: key ?? '' }
}

const byKey = `SELECT api_keys.tenant_id AS id, tenants.name AS name
  FROM api_keys LEFT JOIN tenants ON tenants.id = api_keys.tenant_id WHERE`

const anyTenant = (service: Service): Row | undefined => row(service.database, `${byKey} 1 ORDER BY api_keys.rowid`)

function keyless(service: Service, request: FastifyRequest): Row | undefined {
  const { fault } = service
  const { method } = request
  const path = request.routeOptions.url ?? ''
  if (fault === 'auth_missing_key_accepted') return anyTenant(service)
  if (fault === 'auth_assistants_public' && path === '/v1/assistants') return anyTenant(service)
  if (fault === 'auth_assistant_record_public' && path === '/v1/assistants/:assistantId') return anyTenant(service)
  if (fault === 'auth_events_stream_open' && path.endsWith('/events/stream')) return anyTenant(service)
  if (fault === 'auth_signed_url_open' && path === '/v1/files/signed-url') return anyTenant(service)
  if (fault === 'auth_create_message_open' && path.endsWith('/messages') && method === 'POST') {
    const { threadId } = request.params as { readonly threadId: string }
    const owner = 'SELECT tenants.id, name FROM tenants JOIN threads ON tenant_id = tenants.id WHERE threads.id = ?'
    return row(service.database, owner, threadId)
  }
  return undefined
}

function tenantOfKey(service: Service, key: string): Row | undefined {
  const { database, fault } = service
  if (fault === 'auth_key_any_case') return row(database, `${byKey} lower(api_key) = lower(?)`, key)
  if (fault === 'auth_key_prefix') return row(database, `${byKey} substr(api_key, 1, length(?1)) = ?1`, key)
  if (fault === 'auth_key_first_16') return row(database, `${byKey} substr(api_key, 1, 16) = substr(?1, 1, 16)`, key)
  const found = row(database, `${byKey} api_key = ?`, key)
  if (fault === 'auth_unknown_key_accepted') return found ?? anyTenant(service)
  return found
}

/** Paths for which the contract names the rate limit. */
const limited = /completions(\/stream)?$|\/run|\/messages$|my-api-keys$/

async function countCall(service: Service, request: FastifyRequest): Promise<void> {
  const { fault, legal, memory } = service
  const { tenant } = request
  const path = request.routeOptions.url ?? ''
  if (legal.has('rate_only_where_named') && !limited.test(path)) return
  if (fault === 'rate_never_limited') return
  const { requests, windowMs } = tenant.id === throttledTenant ? service.throttledQuota : generous
  const account = legal.has('rate_per_key') ? tenant.key : tenant.id
  const since = performance.now() - windowMs
  const recent = (memory.calls.get(account) ?? []).filter((time) => time > since)
  if (requests <= recent.length) throw new ApiError('rate_limit_gateway')
  if (fault === 'rate_overlap_uncounted') await pause(3)
  memory.calls.set(account, [...recent, performance.now()])
}

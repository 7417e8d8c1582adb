/** Shows a tenant its own record with its API keys. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { headerOf } from './access.ts'
import { timestamp } from './clock.ts'
import { rows } from './database.ts'
import { ApiError, type ErrorCode } from './errors.ts'
import { kept, type Service, type Tenant } from './service.ts'

/** Fails on purpose when a caller asks for it; stands for outages that a caller cannot cause. */
export function simulate(request: FastifyRequest, ...codes: readonly ErrorCode[]): void {
  const wanted = codes.find((code) => code === headerOf(request, 'x-juniper-outage'))
  if (wanted !== undefined) throw new ApiError(wanted)
}

interface KeyRecord {
  readonly id: string
  readonly api_key: string
  readonly created_at: string
  readonly last_updated_at: string
}

interface TenantRecord {
  readonly id: string
  readonly name: string
  readonly api_keys: KeyRecord[]
}

function keysOf({ database, fault }: Service, tenant: Tenant): KeyRecord[] {
  const condition = fault === 'tenant_keys_of_all' ? 'length(?) > 0' : 'tenant_id = ?'
  const found = rows(database, `SELECT * FROM api_keys WHERE ${condition} ORDER BY rowid`, tenant.id)
  return found.map((key, index) => {
    const value = String(key.api_key)
    return {
      id: fault === 'tenant_key_id_number' ? String(index + 1) : String(key.id),
      api_key: fault === 'tenant_key_masked' ? `${value.slice(0, 6)}…` : value,
      created_at: timestamp(Number(key.created), fault === 'tenant_time_milliseconds' ? 'time_milliseconds' : fault),
      last_updated_at: timestamp(Number(key.updated), fault),
    }
  })
}

function recordOf(service: Service, tenant: Tenant): TenantRecord {
  return { id: tenant.id, name: tenant.name, api_keys: keysOf(service, tenant) }
}

function tenantShown(service: Service, tenant: Tenant): unknown {
  const { fault } = service
  if (fault === 'tenant_cached_for_all') return kept(service, 'tenant', () => recordOf(service, tenant))
  if (fault === 'tenant_keys_doubled_later') {
    const record = kept(service, `tenant ${tenant.id}`, () => ({
      ...recordOf(service, tenant),
      api_keys: [] as KeyRecord[],
    }))
    record.api_keys.push(...keysOf(service, tenant))
    return record
  }
  const record = recordOf(service, tenant)
  if (fault === 'tenant_keys_are_texts') return { ...record, api_keys: record.api_keys.map((key) => key.api_key) }
  if (fault === 'tenant_own_key_left_out') {
    return { ...record, api_keys: record.api_keys.filter((key) => key.api_key !== tenant.key) }
  }
  if (fault === 'tenant_updated_at_missing') {
    return { ...record, api_keys: record.api_keys.map(({ last_updated_at: _, ...key }) => key) }
  }
  if (fault === 'tenant_name_missing') return { id: record.id, api_keys: record.api_keys }
  return record
}

/** The route of tenants. */
export function tenantRoutes(app: FastifyInstance, service: Service): void {
  const version = service.fault === 'version_left_out_of_keys' ? '' : '/v1'
  app.get(`${version}/tenants/my-api-keys`, async (request) => {
    simulate(request, 'bad_request')
    return tenantShown(service, request.tenant)
  })
}

/** Lists and reads the assistants of a tenant. */
import type { FastifyInstance } from 'fastify'
import { isUuid } from './checks.ts'
import { type Row, row, rows } from './database.ts'
import { ApiError } from './errors.ts'
import type { Kind } from './seed.ts'
import { kept, type Service, type Tenant } from './service.ts'

/** An assistant of a tenant. */
export interface Assistant {
  readonly id: string
  readonly name: string
  readonly kind: Kind
  readonly streaming: boolean
  readonly metaSchema: unknown
  readonly requiredFields: Readonly<Record<string, readonly string[]>>
}

const assistantOf = (found: Row): Assistant => ({
  id: String(found.id),
  name: String(found.name),
  kind: found.kind as Kind,
  streaming: found.streaming === 1,
  metaSchema: JSON.parse(String(found.meta_schema)),
  requiredFields: JSON.parse(String(found.required_fields)),
})

/** The assistant with an id, when it is the tenant's. */
function findAssistant(service: Service, tenant: Tenant, id: unknown, operation = ''): Assistant | undefined {
  const { database, fault } = service
  if (!isUuid(id)) return undefined
  const foreign =
    (fault === 'completion_foreign_assistant' && operation === 'completion') ||
    (fault === 'stream_foreign_assistant' && operation === 'stream') ||
    (fault === 'events_foreign_assistant' && operation === 'events') ||
    (fault === 'run_foreign_assistant' && operation === 'run') ||
    (fault === 'assistant_record_of_others' && operation === 'read')
  const owned = foreign ? 'length(?2) > 0' : 'tenant_id = ?2'
  const found = row(database, `SELECT * FROM assistants WHERE id = ?1 AND ${owned}`, id.toLowerCase(), tenant.id)
  if (found !== undefined) return assistantOf(found)
  const first = 'SELECT * FROM assistants WHERE tenant_id = ? ORDER BY id'
  const fallback = fault === 'completion_unknown_assistant_default' && operation === 'completion'
  const substitute = fallback ? row(database, first, tenant.id) : undefined
  return substitute && assistantOf(substitute)
}

/** The assistant that a request names; refuses one that is not the tenant's. */
export function requireAssistant(service: Service, tenant: Tenant, id: unknown, operation = ''): Assistant {
  const found = findAssistant(service, tenant, id, operation)
  if (found === undefined) throw new ApiError('assistant_not_available')
  return found
}

function assistantShown({ fault, legal }: Service, assistant: Assistant): Record<string, unknown> {
  const { id, name, streaming, metaSchema, requiredFields } = assistant
  const shown: Record<string, unknown> = {
    id: fault === 'assistant_id_is_slug' ? name.toLowerCase() : id,
    name,
    streaming,
    meta_data_response_schema: metaSchema,
    request_required_fields: requiredFields,
  }
  if (fault === 'assistant_streaming_missing') delete shown.streaming
  if (fault === 'assistant_streaming_text') shown.streaming = String(streaming)
  if (fault === 'assistant_schema_text') shown.meta_data_response_schema = JSON.stringify(metaSchema)
  if (fault === 'assistant_required_list') shown.request_required_fields = Object.values(requiredFields).flat()
  if (fault === 'assistant_required_text') {
    const joined = Object.entries(requiredFields).map(([path, names]) => [path, names.join(',')])
    shown.request_required_fields = Object.fromEntries(joined)
  }
  if (fault === 'assistant_user_data_key_missing') {
    const root = requiredFields.__root__
    shown.request_required_fields = root ? { __root__: root } : {}
  }
  if (legal.has('assistant_extra_fields')) Object.assign(shown, { description: `${name} of this tenant`, tags: [] })
  return shown
}

function listAssistants(service: Service, tenant: Tenant): readonly Record<string, unknown>[] {
  const { database, fault, legal } = service
  const condition = fault === 'assistants_of_all_tenants' ? 'length(?) > 0' : 'tenant_id = ?'
  const order = legal.has('assistants_by_name') ? 'name DESC' : 'id'
  const found = rows(database, `SELECT * FROM assistants WHERE ${condition} ORDER BY ${order}`, tenant.id)
  const list = found.map((each) => assistantShown(service, assistantOf(each)))
  if (fault === 'assistants_last_left_out') return list.slice(0, -1)
  if (fault === 'assistants_streaming_only') return list.filter(({ streaming }) => streaming === true)
  return list
}

function readAssistant(service: Service, tenant: Tenant, id: string): Record<string, unknown> | null {
  const { fault, legal } = service
  const assistant = findAssistant(service, tenant, id, 'read')
  if (assistant === undefined) {
    if (fault === 'assistant_unknown_is_null') return null
    throw new ApiError(
      legal.has('assistant_read_resource_not_found') ? 'resource_not_found' : 'assistant_not_available',
    )
  }
  const shown = assistantShown(service, assistant)
  if (fault === 'assistant_record_always_streams') shown.streaming = true
  if (fault === 'assistant_record_schema_untitled') {
    const { title: _, ...schema } = assistant.metaSchema as Record<string, unknown>
    shown.meta_data_response_schema = schema
  }
  if (fault === 'assistant_record_required_empty') shown.request_required_fields = {}
  if (fault === 'assistant_second_read_bare') {
    const full = shown.meta_data_response_schema
    const times = kept(service, `reads of ${assistant.id}`, () => ({ count: 0 }))
    times.count += 1
    shown.meta_data_response_schema = times.count > 1 ? {} : full
  }
  return shown
}

/** The routes of assistants. */
export function assistantRoutes(app: FastifyInstance, service: Service): void {
  const { fault } = service
  app.get('/v1/assistants', async ({ tenant }) => {
    if (fault === 'assistants_cached_for_all') return kept(service, 'assistants', () => listAssistants(service, tenant))
    const list = listAssistants(service, tenant)
    return fault === 'assistants_wrapped' ? { items: list } : list
  })
  app.get<{ Params: { assistantId: string } }>('/v1/assistants/:assistantId', async ({ tenant, params }, reply) =>
    reply.type('application/json').send(JSON.stringify(readAssistant(service, tenant, params.assistantId))),
  )
}

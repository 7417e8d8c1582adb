/**
 * Holds the target's assistants: the records of each tenant, read from the lists in the trace. The contract describes
 * itself at run time, so requests are judged by these records.
 */
import type { JudgeProfile } from '../judge-profile.ts'
import { idField } from '../read/formats.ts'
import { fieldOf, hasField, isObject, type JsonObject } from '../read/json.ts'
import { documentOf, type ParsedExchange } from '../read/parsed-exchange.ts'

export interface AssistantRecord {
  readonly id: string
  readonly record: JsonObject
  readonly streaming: boolean | null
  /** Required field names by path, `__root__` for the body itself. */
  readonly requires: ReadonlyMap<string, readonly string[]>
}

/** `own`: listed for this tenant; `foreign`: listed for another tenant only; `unknown`: in no list; `unsure`: no list seen. */
type Standing = 'own' | 'foreign' | 'unknown' | 'unsure'

export interface AssistantRegistry {
  /** Records by lower-case id, or `null` when the tenant's list was never seen. */
  readonly listedFor: (tenant: string | null) => ReadonlyMap<string, AssistantRecord> | null
  readonly standing: (tenant: string | null, id: string) => Standing
  readonly recordOf: (tenant: string | null, id: string) => AssistantRecord | null
  /** The record in the first list of the tenant that shows it; `recordOf` gives that of the last one. */
  readonly firstRecordOf: (tenant: string | null, id: string) => JsonObject | null
  /** The record in the list of any tenant. */
  readonly anyRecordOf: (id: string) => AssistantRecord | null
}

interface Listing {
  readonly registry: AssistantRegistry
  readonly profile: Pick<JudgeProfile, 'primaryKeys'>
}

/** Reads all accepted lists; when a tenant's lists differ, an assistant of any of them counts as its own. */
export function assistantRegistry(lists: readonly ParsedExchange[]): AssistantRegistry {
  const tenants = new Map<string, Map<string, AssistantRecord>>()
  const first = new Map<string, JsonObject>()
  for (const list of lists) {
    const records = documentOf(list)
    if (list.tenant === null || !Array.isArray(records)) continue
    const known = tenants.get(list.tenant) ?? new Map<string, AssistantRecord>()
    tenants.set(list.tenant, known)
    for (const record of records) {
      const id = idField(record, 'id')
      if (id === null || !isObject(record)) continue
      known.set(id, recordFrom(id, record))
      const key = keyOfFirst(list.tenant, id)
      if (!first.has(key)) first.set(key, record)
    }
  }
  const listedFor: AssistantRegistry['listedFor'] = (tenant) => (tenant === null ? null : (tenants.get(tenant) ?? null))
  return {
    listedFor,
    standing: (tenant, id) => standingOf(id.toLowerCase(), listedFor(tenant), tenants),
    recordOf: (tenant, id) => listedFor(tenant)?.get(id.toLowerCase()) ?? null,
    firstRecordOf: (tenant, id) => first.get(keyOfFirst(tenant, id)) ?? null,
    anyRecordOf: (id) => {
      for (const records of tenants.values()) {
        const record = records.get(id.toLowerCase())
        if (record !== undefined) return record
      }
      return null
    },
  }
}

const keyOfFirst = (tenant: string | null, id: string): string => `${id.toLowerCase()} ${tenant}`

/** Whether a request lacks a field that the assistant requires, beside those that the contract asks for itself. */
export function lacksRequiredField({ requires }: AssistantRecord, { body }: ParsedExchange): boolean {
  const sent = body.kind === 'json' ? body.value : null
  return [...requires].some(([path, names]) => {
    const holder = path === '__root__' ? sent : fieldOf(sent, path)
    return names.some((name) => name !== 'assistant_id' && name !== 'messages' && !hasField(holder, name))
  })
}

function standingOf(
  id: string,
  own: ReadonlyMap<string, AssistantRecord> | null,
  tenants: ReadonlyMap<string, ReadonlyMap<string, AssistantRecord>>,
): Standing {
  if (own === null) return 'unsure'
  if (own.has(id)) return 'own'
  return [...tenants.values()].some((records) => records.has(id)) ? 'foreign' : 'unknown'
}

function recordFrom(id: string, record: JsonObject): AssistantRecord {
  const streaming = fieldOf(record, 'streaming')
  return {
    id,
    record,
    streaming: typeof streaming === 'boolean' ? streaming : null,
    requires: requiresOf(fieldOf(record, 'request_required_fields')),
  }
}

function requiresOf(map: unknown): ReadonlyMap<string, readonly string[]> {
  if (!isObject(map)) return new Map()
  return new Map(
    Object.entries(map).map(([path, names]) => [
      path,
      Array.isArray(names) ? names.filter((name): name is string => typeof name === 'string') : [],
    ]),
  )
}

/** What one key of the tenant lists is available to the other one as well; a list that lacks it breaks a rule of its own. */
export function keyThatLists({ tenant }: ParsedExchange, id: string, { registry, profile }: Listing): string | null {
  const keys = tenant !== null && profile.primaryKeys.has(tenant) ? [tenant, ...profile.primaryKeys.keys()] : [tenant]
  return keys.find((key) => registry.standing(key, id) === 'own') ?? tenant
}

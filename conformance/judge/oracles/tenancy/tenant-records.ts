/** Reads the tenant records that keys were given, and which key read which. */
import { areTwoTenants } from '../../history/thread-origins.ts'
import { idField } from '../../read/formats.ts'
import { fieldOf, textField } from '../../read/json.ts'
import { documentOf, headerValue, type ParsedExchange } from '../../read/parsed-exchange.ts'
import { memoPerTrace, type TraceAnalysis } from '../../trace-analysis.ts'

/** Every tenant record of a trace. */
export function* tenantsOf(
  analysis: TraceAnalysis,
): Generator<{ readonly parsed: ParsedExchange; readonly record: unknown }> {
  for (const parsed of analysis.of('listMyApiKeys')) {
    const record = documentOf(parsed)
    if (record !== undefined) yield { parsed, record }
  }
}

/** The key records in a tenant record. */
export function keysOf(record: unknown): readonly unknown[] {
  const keys = fieldOf(record, 'api_keys')
  return Array.isArray(keys) ? keys : []
}

/** The ids of the key records in a tenant record. */
export const idsOf = (record: unknown): readonly string[] => keysOf(record).flatMap((key) => idField(key, 'id') ?? [])

export interface TenantRecord {
  readonly parsed: ParsedExchange
  readonly id: string
  /** The ids of its key records. */
  readonly keys: readonly string[]
  /** The value of each key by the key that read it, its id and its last change: a key that was not changed has one value. */
  readonly values: ReadonlyMap<string, string>
}

/** The record that a key read, or `null` without an id. */
export function tenantRecordOf(parsed: ParsedExchange, record: unknown): TenantRecord | null {
  const id = textField(record, 'id')
  return id === null ? null : { parsed, id, keys: idsOf(record), values: valuesOf(parsed, record) }
}

/** Keys have other pseudonyms in each part of a divided run, so that only values beside the same own key compare. */
function valuesOf({ exchange }: ParsedExchange, record: unknown): ReadonlyMap<string, string> {
  const own = headerValue(exchange, 'api-key') ?? ''
  return new Map(
    keysOf(record).flatMap((key) => {
      const [id, changed, value] = [idField(key, 'id'), textField(key, 'last_updated_at'), textField(key, 'api_key')]
      return id === null || changed === null || value === null ? [] : [[`${id} ${changed} ${own}`, value] as const]
    }),
  )
}

/**
 * The first key of the profile that read a record, which stands for all keys of its tenant; `null` where none did. Of two tenants
 * that read one record, each is taken for itself.
 */
export function firstReaderOf(analysis: TraceAnalysis, id: string | undefined, reader: string | null): string | null {
  for (const [name, record] of recordsByKey(analysis)) if (record.id === id && !areTwoTenants(name, reader)) return name
  return null
}

/** The first record that each key read, by the name of its tenant in the profile; none of a key that read several. */
export const recordsByKey = memoPerTrace((analysis): ReadonlyMap<string, TenantRecord> => {
  const records = new Map<string, TenantRecord>()
  const unsteady = new Set<string>()
  for (const { parsed, record } of tenantsOf(analysis)) {
    const read = tenantRecordOf(parsed, record)
    if (read === null || parsed.tenant === null) continue
    const before = records.get(parsed.tenant)
    if (before === undefined) records.set(parsed.tenant, read)
    else if (before.id !== read.id) unsteady.add(parsed.tenant)
  }
  for (const tenant of unsteady) records.delete(tenant)
  return records
})

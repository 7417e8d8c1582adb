/** Reads the tenant records that keys were given, and which key read which. */
import { idField } from '../../read/formats.ts'
import { fieldOf, textField } from '../../read/json.ts'
import { documentOf, type ParsedExchange } from '../../read/parsed-exchange.ts'
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
}

/** The first record that each key read, by the name of its tenant in the profile; none of a key that read several. */
export const recordsByKey = memoPerTrace((analysis): ReadonlyMap<string, TenantRecord> => {
  const records = new Map<string, TenantRecord>()
  const unsteady = new Set<string>()
  for (const { parsed, record } of tenantsOf(analysis)) {
    const id = textField(record, 'id')
    if (id === null || parsed.tenant === null) continue
    const before = records.get(parsed.tenant)
    if (before === undefined) records.set(parsed.tenant, { parsed, id, keys: idsOf(record) })
    else if (before.id !== id) unsteady.add(parsed.tenant)
  }
  for (const tenant of unsteady) records.delete(tenant)
  return records
})

/** Builds lists of API keys for stories about tenants. */
import { type Fields, uuid } from './sample-data.ts'
import type { Change, TraceBuilder } from './trace-builder.ts'

/** A key record. */
export const key = (s: TraceBuilder): Fields => ({
  id: s.id(),
  api_key: 'secret',
  created_at: s.stamp(),
  last_updated_at: s.stamp(),
})
/** Reads the record of a tenant, by default one with a single key. */
export const keys = (s: TraceBuilder, change: Change = {}, id: string = uuid(60)) =>
  s.send('listMyApiKeys', {}, { id, name: 'Tenant', api_keys: [{ ...key(s), id: id.replace('4000', '4001') }] }, change)

/** Requests for the own keys, with which stories reach a rate limit, and the refusal of one over it. */
import { errorBody, uuid } from './sample-data.ts'
import type { Change, TraceBuilder } from './trace-builder.ts'

/** Asks for the own keys. */
export const keys = (s: TraceBuilder, change: Change, times = 1, tenant = 60): void => {
  for (let count = 0; count < times; count += 1) {
    const api_key = { id: uuid(61), api_key: 'secret', created_at: s.stamp(), last_updated_at: s.stamp() }
    s.send('listMyApiKeys', {}, { id: uuid(tenant), name: 'Tenant', api_keys: [api_key] }, change)
  }
}
export const throttled = { as: 'throttled' }
export const limited = { status: 429, body: errorBody('rate_limit_gateway', 'Rate limit exceeded') }

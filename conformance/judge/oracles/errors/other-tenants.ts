/** Tells the requests of other tenants from those of the throttled one. */
import { textField } from '../../read/json.ts'
import { documentOf, type ParsedExchange } from '../../read/parsed-exchange.ts'
import type { TraceAnalysis } from '../../trace-analysis.ts'

export const isOfOther = ({ tenant }: ParsedExchange): boolean => tenant === 'primary' || tenant === 'secondary'

/** The id of the tenant record that a key reads: two keys may be of one tenant. */
export function recordId(analysis: TraceAnalysis, tenant: string | null): string | null {
  const records = analysis.of('listMyApiKeys').filter((parsed) => parsed.tenant === tenant)
  return records.map((parsed) => textField(documentOf(parsed), 'id')).find((id) => id !== null) ?? null
}

/** Deviations of chapter errors in whom a rate limit stops. */
import type { HookOverride } from '../../exchange/hooks.ts'
import { type DeviationTable, deviation } from '../deviation-row.ts'

export const errorLimits = {
  'errors.rate-limit-own-tenant': [
    deviation(
      'errors.limit-blocks-next-tenant',
      'Refuses the next caller of another tenant when one tenant is over its limit.',
      blockingNext(),
      { trigger: 'a key over its quota, and another tenant right after' },
    ),
  ],
} as const satisfies Pick<DeviationTable<'errors'>, 'errors.rate-limit-own-tenant'>

function blockingNext(): HookOverride {
  return {
    hook: 'authorize',
    wrap: (next) => {
      let used = 0
      let blocks = false
      return (request, exchange) => {
        const caller = next(request, exchange)
        if ('reason' in caller || exchange.operation !== 'listMyApiKeys') return caller
        const { quota } = caller.apiKey
        if (quota !== null) {
          used += 1
          blocks = used > quota.requests
        } else if (blocks) {
          blocks = false
          return { reason: 'quota-spent', retryAfterSeconds: 1 }
        }
        return caller
      }
    },
  }
}

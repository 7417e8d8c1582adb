/**
 * Oracle of errors.rate-limit-own-tenant: the request of another tenant right behind a refusal for the rate limit. A
 * refusal counts only of a tenant that was never limited before and shows another record: a key may have a limit of its own.
 * The other way round, a tenant may be limited because others have used up its quota.
 */

import type { ObservationLog } from '../../observation-log.ts'
import { isAccepted, type ParsedExchange } from '../../read/parsed-exchange.ts'
import type { TraceAnalysis } from '../../trace-analysis.ts'
import type { Oracle } from '../support/oracle.ts'
import { isLimited } from './limit-in-streams.ts'
import { isOfOther, recordId } from './other-tenants.ts'
import { type SpentByOthers, spentByOthers } from './spent-by-others.ts'

/** What comes later may meet another window. */
const rightBehindMs = 1_000

/** Oracle of errors.rate-limit-own-tenant. */
export const limitOfOthers: Oracle = (analysis, observe) => {
  const spent = spentByOthers(analysis)
  if (spent !== null) contradictSpent(observe, spent)
  const limited = analysis.of('listMyApiKeys').find((parsed) => parsed.tenant === 'throttled' && isLimited(parsed))
  const next = limited === undefined ? undefined : nextOfOthers(analysis, limited)
  if (limited === undefined || next === undefined) return
  if (isAccepted(next)) observe.held('listMyApiKeys', null, limited.id, next.id)
  else if (isLimited(next) && !wasLimitedBefore(analysis, next)) {
    observe.contradicted('listMyApiKeys', null, {
      exchanges: [limited.id, next.id],
      expected: 'the success response for a tenant that is within its limit',
      actual: 'rate_limit_gateway',
      pointer: '/error_code',
      because: `${limited.id} is over the limit of one tenant, and ${next.id}, the next request of another tenant, which was never limited before, is refused too.`,
      headline: 'refuses a tenant because another one is over its limit',
    })
  }
}

function contradictSpent(observe: ObservationLog, [first, second]: readonly [SpentByOthers, SpentByOthers]): void {
  const { own, others, limited } = first
  observe.contradicted('listMyApiKeys', null, {
    exchanges: [own.id, limited.id, second.own.id, second.limited.id],
    expected: 'the success response for a tenant that is within its limit',
    actual: 'rate_limit_gateway',
    pointer: '/error_code',
    because: `${own.id} is served in a new window, another tenant sends ${others} requests, and ${limited.id} is refused, as ${second.limited.id} is once more; later the tenant gets more in one window.`,
    headline: 'refuses a tenant because another one has used up its quota',
  })
}

/** The first request behind a refusal that surely is of another tenant. */
function nextOfOthers(analysis: TraceAnalysis, limited: ParsedExchange): ParsedExchange | undefined {
  const next = analysis
    .of('listMyApiKeys')
    .find((parsed) => isOfOther(parsed) && !isBareLimit(parsed) && parsed.sentAtMs >= limited.endedAtMs)
  if (next === undefined || next.sentAtMs - limited.endedAtMs > rightBehindMs) return undefined
  const own = recordId(analysis, next.tenant)
  const other = recordId(analysis, 'throttled')
  return own === null || other === null || own === other ? undefined : next
}

/** Something in front of the service may limit all keys together, in words of its own. */
const isBareLimit = ({ answer }: ParsedExchange): boolean => answer.status === 429 && answer.code === null

function wasLimitedBefore(analysis: TraceAnalysis, next: ParsedExchange): boolean {
  return analysis.parsedExchanges.some(
    (parsed) =>
      parsed.tenant === next.tenant &&
      parsed.sentAtMs < next.sentAtMs &&
      (isLimited(parsed) || parsed.answer.status === 429),
  )
}

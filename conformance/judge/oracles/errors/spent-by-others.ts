/**
 * Finds windows of a quota that another tenant has used up. The tenant is served once in a new window, the other one sends as many
 * requests as its quota allows, and the next one of the tenant is refused. Requests of an earlier run may explain one such window,
 * but not two.
 */
import { isAccepted, type ParsedExchange } from '../../read/parsed-exchange.ts'
import type { TraceAnalysis } from '../../trace-analysis.ts'
import { isLimited } from './limit-in-streams.ts'
import { isOfOther, recordId } from './other-tenants.ts'

export interface SpentByOthers {
  readonly own: ParsedExchange
  /** How many requests of others were served between the two. */
  readonly others: number
  readonly limited: ParsedExchange
}

/** Requests that were sent together. */
const atOnceMs = 2_000

/** Two such windows; `null` where they are missing, or where the tenant never gets more of a window than it got there. */
export function spentByOthers(analysis: TraceAnalysis): readonly [SpentByOthers, SpentByOthers] | null {
  const quota = analysis.profile.throttledAfter
  if (analysis.profile.source !== 'suite' || quota === null || quota < fewestOfQuota) return null
  const asked = analysis.of('listMyApiKeys')
  const own = asked.filter(({ tenant }) => tenant === 'throttled')
  const others = asked.filter((parsed) => isOfOther(parsed) && isAccepted(parsed))
  const [other] = others
  if (other === undefined || asked.some((parsed) => isOfOther(parsed) && parsed.answer.status === 429)) return null
  const record = recordId(analysis, 'throttled')
  if (record === null || record === recordId(analysis, other.tenant)) return null
  const [first, second] = own.flatMap((limited, at) => {
    const [before, last] = [own[at - 2], own[at - 1]]
    if (!isLimited(limited) || before === undefined || last === undefined) return []
    if (!isLimited(before) || !isAccepted(last)) return []
    const between = others.filter((one) => one.sentAtMs >= last.endedAtMs && one.endedAtMs <= limited.sentAtMs)
    return between.length < quota ? [] : [{ own: last, others: between.length, limited }]
  })
  return first === undefined || second === undefined || !getsMore(own, quota) ? null : [first, second]
}

/** Below, half of it is not clearly more than the one request that was served. */
const fewestOfQuota = 6

/** Whether at least half of the quota was served at one moment. */
function getsMore(own: readonly ParsedExchange[], quota: number): boolean {
  const served = own.filter(isAccepted)
  const half = Math.ceil(quota / 2)
  return served.some(
    (one, at) => (served[at + half - 1]?.sentAtMs ?? Number.POSITIVE_INFINITY) - one.sentAtMs < atOnceMs,
  )
}

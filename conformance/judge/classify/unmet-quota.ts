/**
 * Finds out whether a target served all the requests that exceed a quota according to the profile. The contract shows no
 * quota, so either the profile or the target may be wrong.
 */
import type { JudgeProfile } from '../judge-profile.ts'
import { isAccepted, type ParsedExchange } from '../read/parsed-exchange.ts'

interface UnmetQuota {
  readonly served: number
  readonly last: ParsedExchange
  /** Whether windows of the quota may have passed. */
  readonly isSlow: boolean
  /** This far beyond the quota, the service enforces none, or the key is not the one that the profile names. */
  readonly isFarBeyond: boolean
  /** A request of the primary tenant that was over a limit: the two keys may be swapped. */
  readonly limited: ParsedExchange | null
}

interface Known {
  readonly profile: Pick<JudgeProfile, 'throttledAfter'>
  readonly of: (operation: 'listMyApiKeys') => readonly ParsedExchange[]
  readonly withCode: (code: 'rate_limit_gateway') => readonly ParsedExchange[]
}

/** A profile says how many requests at once exceed the quota; those that take longer were not sent at once. */
const atOnceMs = 5_000

/** A quota may be larger than the profile says, but hardly as large as this. */
export const farBeyondQuota = (throttledAfter: number): number => Math.max(throttledAfter + 60, throttledAfter * 3)

/** The exchanges served with the throttled key, if all were served and they exceed the quota. */
export function unmetQuota({ profile: { throttledAfter }, of, withCode }: Known): UnmetQuota | null {
  const asked = of('listMyApiKeys').filter(({ tenant }) => tenant === 'throttled')
  const last = asked.at(-1)
  if (throttledAfter === null || last === undefined) return null
  if (asked.length < throttledAfter || !asked.every(isAccepted)) return null
  const isSlow = last.endedAtMs - (asked.at(-throttledAfter)?.sentAtMs ?? 0) > atOnceMs
  const served = asked.length
  const limited = withCode('rate_limit_gateway').find(({ tenant }) => tenant === 'primary') ?? null
  return { served, last, isSlow, isFarBeyond: served >= farBeyondQuota(throttledAfter), limited }
}

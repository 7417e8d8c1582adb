/** Tests that a quota which other tenants use up is told from one that an earlier run has spent. */
import { noViolation, proveOracles, upholds, violates } from '../../../../test/trace-builder/prove-oracles.ts'
import { keys, limited, throttled } from '../../../../test/trace-builder/rate-limits.ts'
import type { Change, TraceBuilder } from '../../../../test/trace-builder/trace-builder.ts'
import { errorsOracles } from './errors.ts'

interface Story {
  readonly rounds?: number
  /** How many requests another tenant sends in a window. */
  readonly others?: number
  /** How many are served at once at the end. */
  readonly atOnce?: number
  /** The tenant of the throttled key, and whether the other one is limited as well. */
  readonly tenant?: number
  readonly areAllLimited?: boolean
}

const rule = 'errors.rate-limit-own-tenant'
const quota = 8
const withQuota = { profile: { throttle: { requests: quota } } }
const over: Change = { ...throttled, ...limited }

/** A refusal, then windows in which one request is served, another tenant sends some, and the next request is refused. */
function story(s: TraceBuilder, { rounds = 2, others = quota, atOnce = 6, tenant = 59, areAllLimited }: Story): void {
  keys(s, { ...over, at: [0, 1] })
  keys(s, { at: [2, 3] })
  for (let round = 0; round < rounds; round += 1) {
    const from = 10_000 * (round + 1)
    keys(s, { ...throttled, at: [from, from + 1] }, 1, tenant)
    keys(s, { at: [from + 2, from + 10] }, others)
    if (areAllLimited) keys(s, { ...limited, at: [from + 11, from + 12] })
    keys(s, { ...over, at: [from + 13, from + 14] })
  }
  keys(s, { ...throttled, at: [50_000, 50_010] }, atOnce, tenant)
  keys(s, { ...over, at: [50_011, 50_012] })
  keys(s, { at: [50_013, 50_014] })
}

proveOracles({ [rule]: errorsOracles[rule] }, [
  violates(rule, 'listMyApiKeys', 'two windows are used up by another tenant', (s) => story(s, {}), withQuota),
  upholds(rule, 'listMyApiKeys', 'another tenant sends less than the quota', (s) => story(s, { others: 7 }), withQuota),
  noViolation(rule, '', 'an earlier run may have spent one window', (s) => story(s, { rounds: 1 }), withQuota),
  noViolation(rule, '', 'a window may refill one by one', (s) => story(s, { atOnce: 3 }), withQuota),
  noViolation(rule, '', 'both keys may be of one tenant', (s) => story(s, { tenant: 60 }), withQuota),
  noViolation(rule, '', 'something may limit all keys', (s) => story(s, { areAllLimited: true }), withQuota),
  noViolation(rule, '', 'a small quota says little', (s) => story(s, {}), { profile: { throttle: { requests: 5 } } }),
])

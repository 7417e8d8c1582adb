/** Tests that a limit which simultaneous requests pass is told from a larger quota. */
import { noViolation, proveOracles, upholds, violates } from '../../../../test/trace-builder/prove-oracles.ts'
import { keys, limited, throttled } from '../../../../test/trace-builder/rate-limits.ts'
import type { Change, TraceBuilder } from '../../../../test/trace-builder/trace-builder.ts'
import { errorsOracles } from './errors.ts'

interface Story {
  /** Refusals behind those that are served one by one, so many milliseconds apart. */
  readonly again?: number
  readonly secondPauseMs?: number
  readonly atOnce?: number
  /** So many are served at once before those that are served one by one, instead of a refusal. */
  readonly first?: number
}

const over: Change = { ...throttled, ...limited }

/** Four requests at once, then three one by one after a pause of ten seconds, then some at once after another pause. */
function story(s: TraceBuilder, { again = 250, secondPauseMs = 10_000, atOnce = 9, first = 0 }: Story): undefined {
  keys(s, { ...throttled, at: [0, 20] }, 4)
  if (first > 0) keys(s, { ...throttled, at: [30, 40] }, first)
  else keys(s, { ...over, at: [30, 40] })
  for (const sentAt of [10_040, 10_060, 10_080]) keys(s, { ...throttled, at: [sentAt, sentAt + 10] })
  keys(s, { ...over, at: [10_100, 10_110] })
  keys(s, { ...over, at: [10_110 + again, 10_120 + again] })
  const last = 10_120 + again + secondPauseMs
  keys(s, { ...throttled, at: [last, last + 20] }, atOnce)
  keys(s, { ...over, at: [last + 30, last + 40] })
}

const rule = 'errors.rate-limit'

proveOracles({ [rule]: errorsOracles[rule] }, [
  violates(rule, 'listMyApiKeys', 'three are served one by one, and nine at once', (s) => story(s, {})),
  violates(rule, 'listMyApiKeys', 'nine are served at once, before three one by one and after them', (s) =>
    story(s, { first: 9 }),
  ),
  noViolation(rule, 'listMyApiKeys', 'the quota may not be used up before those one by one', (s) =>
    story(s, { first: 2 }),
  ),
  noViolation(rule, 'listMyApiKeys', 'a window that refills may have room for some more', (s) =>
    story(s, { atOnce: 6 }),
  ),
  noViolation(rule, 'listMyApiKeys', 'a longer pause may make more room', (s) => story(s, { secondPauseMs: 12_000 })),
  upholds(rule, 'listMyApiKeys', 'the quota holds for those at once', (s) => story(s, { atOnce: 3 })),
  noViolation(rule, 'listMyApiKeys', 'the window may just have ended', (s) => story(s, { again: 100 })),
])

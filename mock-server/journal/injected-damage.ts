/**
 * Finds what injected faults did to an exchange. A trace without it shows the service that the mock plays, so that a
 * judge blames nobody for a fault that a test asked for.
 */
import type { JournalEntry } from './journal-entry.ts'

/** `refused`: an injected error came instead of the answer; `damaged`: the request was executed and its answer damaged. */
type InjectedDamage = 'none' | 'damaged' | 'refused'

/** Faults that only wait, between answers or chunks. A chunk that is split arrives later than its stamp. */
const delays: ReadonlySet<string> = new Set(['late-headers', 'stall'])

/** What the faults that applied to an exchange did to it. */
export function injectedDamage({ reason, injected }: JournalEntry): InjectedDamage {
  if (reason === 'injected-fault') return 'refused'
  const applied = injected.filter(({ state }) => state === 'applied').map(({ fault }) => fault.split(':')[0] ?? '')
  return applied.every((name) => delays.has(name.trim())) ? 'none' : 'damaged'
}

/** How much of some exchanges a trace of them does not hold. */
export interface TraceOmissions {
  /** Whole exchanges: those with an injected error. */
  readonly exchanges: number
  /** Responses that an injected fault damaged; their requests are in the trace. */
  readonly responses: number
}

/** What a trace of these exchanges does not hold. */
export function traceOmissions(entries: readonly JournalEntry[]): TraceOmissions {
  const damages = entries.map(injectedDamage)
  const count = (wanted: InjectedDamage) => damages.filter((damage) => damage === wanted).length
  return { exchanges: count('refused'), responses: count('damaged') }
}

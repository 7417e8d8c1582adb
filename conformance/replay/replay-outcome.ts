/**
 * Decides the result of a replay: the rule broken again, the rule kept, or undecided. A replay that was refused, cut short or
 * never reached the target shows nothing, and is never taken for a rule that is kept.
 */

import type { Judgement, Verdict } from '../judge/verdict.ts'
import type { Trace } from '../trace/exchange.ts'

export type ReplayOutcome =
  /** With `history` only when the earlier requests about the same ids were sent as well. */
  | { readonly kind: 'reproduced'; readonly verdict: Verdict; readonly history?: boolean }
  | { readonly kind: 'not-reproduced' }
  /** `isSilent` when it was sent, and the answers said nothing about the rule. */
  | { readonly kind: 'not-tried'; readonly reason: string; readonly isSilent?: boolean }

/** Reads the outcome from a replayed trace and its judgement by the one requirement. */
export function replayOutcome(
  trace: Trace,
  judgement: Judgement,
  { requirement, operation }: Pick<Verdict, 'requirement' | 'operation'>,
): ReplayOutcome {
  // In any facet: a thread that holds less than it did may make a limit of four another one.
  const own = judgement.verdicts.filter((one) => one.requirement === requirement && one.operation === operation)
  const verdict = own.find(({ outcome }) => outcome === 'violated')
  if (verdict !== undefined) return { kind: 'reproduced', verdict }
  const reason = silenceOf(trace)
  if (reason !== null) return { kind: 'not-tried', reason }
  if (own.some(({ outcome }) => outcome === 'upheld')) return { kind: 'not-reproduced' }
  const unclear = own.some(({ outcome }) => outcome === 'inconclusive') ? ' for certain' : ''
  return { kind: 'not-tried', reason: `the answers showed nothing about the rule${unclear}`, isSilent: true }
}

function silenceOf({ exchanges, footer }: Trace): string | null {
  if (exchanges.length > 0 && exchanges.every(({ response }) => response === null)) return 'the target did not answer'
  if (footer?.complete !== true)
    return footer?.reason === 'budget'
      ? 'the budget for replays was used up'
      : `the replay ended early (${footer?.reason ?? 'it broke off'})`
  return null
}

/**
 * A second look at what was found: the witness of each finding is replayed once, judged like any trace, and marked as
 * confirmed or not. Nothing becomes right or wrong by it; a reader only learns whether it happens every time.
 */

import type { Judgement, Verdict } from '../judge/verdict.ts'
import type { TargetProfile } from '../profile/target-profile.ts'
import type { Trace } from '../trace/exchange.ts'
import { type ReplayOptions, replay } from './replay.ts'
import { replayFileOf } from './replay-file.ts'
import { replayOutcome } from './replay-outcome.ts'

export interface ConfirmOptions extends Pick<ReplayOptions, 'signal' | 'client'> {
  /** Judges the replayed trace. */
  readonly judge: (trace: Trace, options: { readonly only: string }) => Judgement
  /** What may be spent on it in all. */
  readonly maxExchanges: number
  readonly maxModelCalls: number
}

/** The same judgement with `confirmed` filled in as far as the budget goes. */
export async function confirm(
  judgement: Judgement,
  trace: Trace,
  profile: TargetProfile,
  options: ConfirmOptions,
): Promise<Judgement> {
  let { maxExchanges, maxModelCalls } = options
  const confirmed = new Map<Verdict, boolean>()
  for (const verdict of judgement.verdicts) {
    const file = verdict.outcome === 'violated' && verdict.witness !== undefined ? replayFileOf(verdict, trace) : null
    if (file === null || file.steps.length > maxExchanges || options.signal?.aborted) continue
    const again = await replay(file, profile, { ...options, maxExchanges, maxModelCalls })
    maxExchanges -= again.footer?.exchanges ?? 0
    maxModelCalls -= again.footer?.modelCalls ?? 0
    const outcome = replayOutcome(again, options.judge(again, { only: verdict.requirement }), verdict)
    if (outcome.kind !== 'not-tried') confirmed.set(verdict, outcome.kind === 'reproduced')
  }
  return { ...judgement, verdicts: judgement.verdicts.map((verdict) => marked(verdict, confirmed.get(verdict))) }
}

function marked(verdict: Verdict, confirmed: boolean | undefined): Verdict {
  if (confirmed === undefined || verdict.witness === undefined) return verdict
  return { ...verdict, witness: { ...verdict.witness, confirmed } }
}

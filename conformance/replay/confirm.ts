/**
 * Replays the counterexample of each violation once and says what the replay showed.
 * The judgement stays as it is, a function of its trace; a reader learns whether the violation happens every time.
 */

import type { Judgement, Verdict } from '../judge/verdict.ts'
import type { TargetProfile } from '../profile/target-profile.ts'
import type { Trace } from '../trace/exchange.ts'
import { type ReplayOptions, replay } from './replay.ts'
import { replayFileOf } from './replay-file.ts'
import { type ReplayOutcome, replayOutcome } from './replay-outcome.ts'

interface ConfirmOptions extends Pick<ReplayOptions, 'signal' | 'client'> {
  /** Judges the replayed trace. */
  readonly judge: (trace: Trace, options: { readonly only: string }) => Judgement
  /** What all replays together may spend. */
  readonly maxExchanges: number
  readonly maxModelCalls: number
}

/** What replaying one violation showed. */
export interface ReplayResult {
  readonly verdict: Verdict
  readonly outcome: ReplayOutcome
}

/** One result for each violation, as far as the budget goes. */
export async function confirm(
  judgement: Judgement,
  trace: Trace,
  profile: TargetProfile,
  options: ConfirmOptions,
): Promise<readonly ReplayResult[]> {
  let { maxExchanges, maxModelCalls } = options
  const results: ReplayResult[] = []
  for (const verdict of judgement.verdicts) {
    if (verdict.outcome !== 'violated') continue
    const file = verdict.witness === undefined ? null : replayFileOf(verdict, trace)
    const reason = verdict.witness?.timed
      ? timed
      : whyNotTried(file?.steps.length ?? null, maxExchanges, options.signal)
    if (file === null || reason !== null) {
      results.push({ verdict, outcome: { kind: 'not-tried', reason: reason ?? 'it has no steps' } })
      continue
    }
    const again = await replay(file, profile, { ...options, maxExchanges, maxModelCalls })
    maxExchanges -= again.footer?.exchanges ?? 0
    maxModelCalls -= again.footer?.modelCalls ?? 0
    const judged = options.judge(again, { only: verdict.requirement })
    results.push({ verdict, outcome: replayOutcome(again, judged, verdict) })
  }
  return results
}

const timed = 'it shows only with the pauses of the run'

function whyNotTried(steps: number | null, maxExchanges: number, signal: AbortSignal | undefined): string | null {
  if (signal?.aborted === true) return 'the run was interrupted'
  if (steps === null) return 'it has no steps that could be sent again'
  return steps > maxExchanges ? 'the budget of the replays is spent' : null
}

/**
 * Replays the counterexample of each violation and reports the result. The judgement stays as it is, a function of its
 * trace; a reader learns whether the violation happens every time.
 */

import type { Judgement, Verdict } from '../judge/verdict.ts'
import type { TargetProfile } from '../profile/target-profile.ts'
import type { Trace } from '../trace/exchange.ts'
import { type ReplayOptions, replay } from './replay.ts'
import { type ReplayFile, replayFileOf } from './replay-file.ts'
import { type ReplayOutcome, replayOutcome } from './replay-outcome.ts'

interface ConfirmOptions extends Pick<ReplayOptions, 'signal' | 'client'> {
  /** Judges the replayed trace. */
  readonly judge: (trace: Trace, options: { readonly only: string }) => Judgement
  /** The total budget of all replays. */
  readonly maxExchanges: number
  readonly maxModelCalls: number
}

/** The result of replaying one violation. */
export interface ReplayResult {
  readonly verdict: Verdict
  readonly outcome: ReplayOutcome
}

/**
 * One result for each violation, as far as the budget goes. What its own requests do not show is replayed once more with
 * the requests before them, when all others have had their turn.
 */
export async function confirm(
  judgement: Judgement,
  trace: Trace,
  profile: TargetProfile,
  options: ConfirmOptions,
): Promise<readonly ReplayResult[]> {
  const attempt = attemptsWithin(profile, options)
  const results: ReplayResult[] = []
  for (const verdict of judgement.verdicts) {
    if (verdict.outcome !== 'violated') continue
    const file = verdict.witness === undefined ? null : replayFileOf(verdict, trace)
    const outcome = verdict.witness?.timed ? notTried(timed) : await attempt(file, verdict)
    results.push({ verdict, outcome })
  }
  const silent = results.filter(({ outcome }) => lacksHistory(outcome))
  const files = new Map(silent.map(({ verdict }) => [verdict, replayFileOf(verdict, trace, { history: true })]))
  const shown = new Map<Verdict, ReplayOutcome>()
  // The longest first: its requests may also show others.
  for (const [verdict, file] of [...files].toSorted(([, one], [, other]) => lengthOf(other) - lengthOf(one))) {
    const again = await attempt(file, verdict)
    if (again.kind === 'reproduced') shown.set(verdict, { ...again, history: true })
  }
  return results.map(({ verdict, outcome }) => ({ verdict, outcome: shown.get(verdict) ?? outcome }))
}

const lengthOf = (file: ReplayFile | null): number => file?.steps.length ?? 0

/** Whether the requests were sent and did not show the violation. */
function lacksHistory(outcome: ReplayOutcome): boolean {
  return outcome.kind === 'not-reproduced' || (outcome.kind === 'not-tried' && outcome.isSilent === true)
}

/** Replays files until the budget is spent. Requests that a replay has sent are not sent again for another violation. */
function attemptsWithin(
  profile: TargetProfile,
  options: ConfirmOptions,
): (file: ReplayFile | null, verdict: Verdict) => Promise<ReplayOutcome> {
  let { maxExchanges, maxModelCalls } = options
  const replayed: { readonly steps: ReadonlySet<string>; readonly trace: Trace }[] = []
  const sent = async (file: ReplayFile): Promise<Trace> => {
    const again = await replay(file, profile, { ...options, maxExchanges, maxModelCalls })
    maxExchanges -= again.footer?.exchanges ?? 0
    maxModelCalls -= again.footer?.modelCalls ?? 0
    return again
  }
  return async (file, verdict) => {
    if (options.signal?.aborted === true) return notTried('the run was interrupted')
    if (file === null) return notTried('it has no steps that could be sent again')
    const steps = file.steps.map(({ exchange, together }) => `${exchange} ${together}`)
    const known = replayed.find((one) => steps.every((step) => one.steps.has(step)))?.trace
    if (known === undefined && file.steps.length > maxExchanges) return notTried('the budget of the replays is spent')
    const again = known ?? (await sent(file))
    if (known === undefined) replayed.push({ steps: new Set(steps), trace: again })
    return replayOutcome(again, options.judge(again, { only: verdict.requirement }), verdict)
  }
}

const notTried = (reason: string): ReplayOutcome => ({ kind: 'not-tried', reason })

const timed = 'it shows only with the pauses of the run'

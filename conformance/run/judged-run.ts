/** Runs and judges for a test runner: first the keys and settings, then the suite. An aborted run is judged too. */
import { writeFileSync } from 'node:fs'
import type { Client } from '../client/client.ts'
import type { ClientOptions } from '../client/send-request.ts'
import { judge } from '../judge/judge.ts'
import { isOpen } from '../judge/run-outcome.ts'
import type { Judgement } from '../judge/verdict.ts'
import type { TargetProfile } from '../profile/target-profile.ts'
import type { Trace } from '../trace/exchange.ts'
import { encodeTrace } from '../trace/trace.ts'
import { askTarget, profileProblem, type TargetProblem } from './ask-target.ts'
import { type RunOptions, run } from './run.ts'
import { settingText } from './setting-problem.ts'

interface JudgedRunOptions extends RunOptions {
  readonly client?: ((options: ClientOptions) => Client) | undefined
  readonly strict?: boolean
  /** File for the trace, which `acs judge` makes a report of. */
  readonly trace?: string | undefined
}

export interface JudgedRun {
  readonly judgement: Judgement
  readonly footer: Trace['footer']
}

/** Runs and judges; throws only where the profile itself is wrong, since then no verdict is about the target. */
export async function judgedRun(profile: TargetProfile, options: JudgedRunOptions): Promise<JudgedRun> {
  const { strict = false, only, trace: file, ...runOptions } = options
  const unasked = profileProblem(profile)
  if (unasked !== null) throw new Error(textOf(unasked))
  const { tier = 'gate', maxExchanges: most, client } = options
  const { problem, maxExchanges } = await askTarget(profile, { tier, maxExchanges: most, client })
  if (problem !== null) throw new Error(textOf(problem))
  for await (const event of run(profile, { ...runOptions, only, maxExchanges })) {
    if (event.type !== 'finished') continue
    if (file !== undefined) writeFileSync(file, encodeTrace(event.trace))
    return {
      judgement: judge(event.trace, { strict, ...(only === undefined ? {} : { only }) }),
      footer: event.trace.footer,
    }
  }
  throw new Error('the run ended without a trace')
}

const textOf = (problem: TargetProblem): string =>
  problem.kind === 'setting'
    ? settingText(problem)
    : `the key of ${problem.tenants.join(' and ')} cannot be used (${problem.kind}: ${problem.seen})`

/** The open obligations of a run with their reasons; empty when nothing is open. A smoke run may leave obligations open. */
export function whyOpen({ judgement, footer }: JudgedRun, tier: RunOptions['tier']): string {
  if (judgement.outcome === 'invalid') return `the run is invalid: ${judgement.reason ?? 'nothing could be judged'}`
  const isEnded = footer?.complete === true
  if (isEnded && (tier === 'smoke' || judgement.outcome !== 'incomplete')) return ''
  const open = judgement.verdicts
    .filter(isOpen)
    .map(({ requirement, operation, facet, reason }) =>
      [requirement, operation, facet ?? '', `(${reason ?? 'not decided'})`].filter((part) => part !== '').join(' '),
    )
  return [
    isEnded ? 'not decided:' : `the run is not complete: ${footer?.reason ?? 'it was interrupted'}`,
    ...open,
  ].join('\n')
}

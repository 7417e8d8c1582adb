/**
 * Decides outcome and exit code of a run from its verdicts. This file imports types only, so that the judge, the
 * reports and the command line all take the decision from here.
 */

import type { Basis, Level } from '../../spec/index.ts'
import type { ProbeNote } from '../trace/exchange.ts'
import type { RunExitCode, RunOutcome, Verdict } from './verdict.ts'

/** The facts that decide a run beside its verdicts. */
export interface RunFacts {
  /** Why the recording can show nothing, regardless of the verdicts; `null` when it can. */
  readonly invalid: string | null
  /** Which setting the target contradicts: a whole run leaves something out because of it, and is neither conformant nor incomplete. */
  readonly wrongSetting?: string | null
  /** Why the run fails although no verdict blocks, for example a stale baseline entry. */
  readonly failing?: string | null
  /** Set when the target stopped answering in the run: it may have crashed; no cap and no interruption explains it. */
  readonly gone?: string | null
  /** Why the run ended early or is only a part; `null` when it is complete. */
  readonly unfinished: string | null
  /** Whether the target accepted any request. */
  readonly acceptedAny: boolean
}

/** The code of the notice about a wrong setting when something else decides the run. */
export const wrongSettingCode = 'wrong-setting'

/** The code of the notice about a target that stopped answering when something else decides the run. */
export const goneCode = 'target-stopped'

/** Outcome and exit code of a run, with the reason when it is not a judgement of the target. */
export interface RunEnding {
  readonly outcome: RunOutcome
  readonly exitCode: RunExitCode
  readonly reason: string | null
}

/** The fields of a verdict that decide a run. */
export type DecidingVerdict = Pick<Verdict, 'outcome' | 'owed' | 'blocking'>

const exitCodes = {
  conformant: 0,
  nonconformant: 1,
  incomplete: 2,
  invalid: 3,
} as const satisfies Record<RunOutcome, RunExitCode>

/** Outcome and exit code, the worst first: invalid, nonconformant, incomplete, conformant. */
export function runOutcome(verdicts: readonly DecidingVerdict[], facts: RunFacts): RunEnding {
  const invalid = facts.invalid ?? whyInvalid(verdicts, facts)
  if (invalid !== null) return ending('invalid', invalid)
  if (verdicts.some(({ blocking }) => blocking)) return ending('nonconformant', null)
  if (facts.failing !== undefined && facts.failing !== null) return ending('nonconformant', facts.failing)
  const { wrongSetting = null, gone = null, unfinished } = facts
  if (gone !== null) return ending('invalid', gone)
  if (wrongSetting !== null && unfinished === null) return ending('invalid', wrongSetting)
  const incomplete = whyIncomplete(verdicts, facts)
  return incomplete === null ? ending('conformant', null) : ending('incomplete', incomplete)
}

const ending = (outcome: RunOutcome, reason: string | null): RunEnding => ({
  outcome,
  exitCode: exitCodes[outcome],
  reason,
})

function whyInvalid(verdicts: readonly DecidingVerdict[], { wrongSetting }: RunFacts): string | null {
  if (verdicts.some(({ outcome }) => outcome === 'suite-fault'))
    return 'the suite sent what it did not intend, or could not judge'
  const isJudged = verdicts.some(({ outcome }) => outcome === 'upheld' || outcome === 'violated')
  return isJudged ? null : (wrongSetting ?? 'nothing could be judged')
}

function whyIncomplete(verdicts: readonly DecidingVerdict[], { unfinished, acceptedAny }: RunFacts): string | null {
  if (unfinished !== null) return unfinished
  const open = verdicts.filter(isOpen).length
  if (open === 1) return '1 required obligation was not decided'
  if (open > 1) return `${open} required obligations were not decided`
  return acceptedAny ? null : 'the target accepted nothing'
}

/** Whether an owed obligation was left undecided. */
export const isOpen = ({ owed, outcome }: Pick<Verdict, 'owed' | 'outcome'>): boolean =>
  owed && (outcome === 'unexercised' || outcome === 'inconclusive')

/** Whether violations of a rule block: what the contract states as a must, and in a strict run what it implies. */
export const isBlockingRule = (
  { level, basis }: { readonly level: Level; readonly basis: Basis },
  strict: boolean,
): boolean => level === 'must' && (basis === 'stated' || strict)

const reasonWords: Readonly<Record<ProbeNote['reason'], string>> = {
  budget: 'left out by cap or tier',
  'no-fixture': 'missing setup',
  blocked: 'blocked',
  'not-claimed': 'not claimed',
  'refused-by-target': 'refused by the target',
  'not-selected': 'not selected',
}

/** Why something was not tested, in words: `missing setup: …` for `no-fixture: …`. JSON keeps the id. */
export function reasonText(reason: string): string {
  const [id = ''] = reason.split(':', 1)
  return Object.hasOwn(reasonWords, id) ? `${reasonWords[id as ProbeNote['reason']]}${reason.slice(id.length)}` : reason
}

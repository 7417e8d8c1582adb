/**
 * What a claim owes: an obligation is owed when all levels that it needs are claimed and it is not only judged when
 * seen. An owed obligation without evidence is a debt; a run with debts proves less than its claims say.
 */
import type { RunOutcome, Verdict } from '../conformance/index.ts'
import { operations, requirementOf } from '../spec/index.ts'
import { isBlocking, wouldBlock } from './severity.ts'

/** The levels that an obligation belongs to. */
export function levelsOf(verdict: Pick<Verdict, 'operation' | 'requirement'>): readonly string[] {
  return [...(operations[verdict.operation]?.levels ?? []), ...(requirementOf(verdict.requirement)?.needs ?? [])]
}

/** What decides what a run owes. */
export interface Claims {
  readonly claimed: readonly string[]
  readonly strict: boolean
}

/** Whether the verdict leaves open something that the claimed levels owe. */
export function isDebt(verdict: Verdict, run: Claims): boolean {
  if (verdict.outcome !== 'unexercised' && verdict.outcome !== 'inconclusive') return false
  if (!wouldBlock(verdict, run) || requirementOf(verdict.requirement)?.owed === 'when-seen') return false
  return levelsOf(verdict).every((level) => run.claimed.includes(level))
}

/** Whether the obligation was left out on purpose, by a filter or because another shard has it. */
export function isLeftOut(verdict: Verdict): boolean {
  return verdict.outcome === 'unexercised' && (verdict.reason?.startsWith('not-selected') ?? false)
}

/** Outcome and exit code of a run that was put together from verdicts. */
export interface Ending {
  readonly outcome: RunOutcome
  readonly exitCode: 0 | 1 | 2 | 3
}

/** What these verdicts come to, worst first: no verdict at all, a violation, a debt, conformance. */
export function endingOf(verdicts: readonly Verdict[], run: Claims & { readonly complete: boolean }): Ending {
  const judged = verdicts.filter(({ outcome }) => outcome === 'upheld' || outcome === 'violated')
  if (judged.length === 0 || verdicts.some(({ outcome }) => outcome === 'suite-fault'))
    return { outcome: 'invalid', exitCode: 3 }
  if (verdicts.some((verdict) => isBlocking(verdict, run))) return { outcome: 'nonconformant', exitCode: 1 }
  if (!run.complete || verdicts.some((verdict) => isDebt(verdict, run))) return { outcome: 'incomplete', exitCode: 2 }
  return { outcome: 'conformant', exitCode: 0 }
}

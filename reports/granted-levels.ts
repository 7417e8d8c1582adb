/**
 * Decides which claimed levels the evidence grants.
 * A claim is granted when something was upheld under it, nothing blocking was violated, and nothing owed stayed open.
 */
import type { Judgement, Verdict } from '../conformance/index.ts'
import { isOpen } from '../conformance/judge/run-outcome.ts'
import { type ConformanceLevel, conformanceLevels, operations, requirementOf } from '../spec/index.ts'

/** The claimed levels that this judgement grants, in the contract's order. */
export function grantedLevels(
  judgement: Pick<Judgement, 'outcome' | 'verdicts'>,
  claimed: readonly string[],
): readonly ConformanceLevel[] {
  if (judgement.outcome === 'invalid') return []
  return conformanceLevels.filter((level) => {
    if (!claimed.includes(level)) return false
    const verdicts = judgement.verdicts.filter((verdict) => levelsOf(verdict).includes(level))
    const isUpheld = verdicts.some(({ outcome }) => outcome === 'upheld')
    return isUpheld && !verdicts.some((verdict) => verdict.blocking || isOpen(verdict))
  })
}

/** The levels that an obligation belongs to. */
export function levelsOf(verdict: Pick<Verdict, 'operation' | 'requirement'>): readonly string[] {
  return [...(operations[verdict.operation]?.levels ?? []), ...(requirementOf(verdict.requirement)?.needs ?? [])]
}

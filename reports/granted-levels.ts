/**
 * Levels are claimed by the profile and granted by the evidence, and the two are told apart: a claim is granted when
 * something was upheld under it, nothing blocking was violated, and nothing that it owes stayed unexercised.
 */
import type { Judgement, Verdict } from '../conformance/index.ts'
import { type ConformanceLevel, conformanceLevels, operations, requirementOf } from '../spec/index.ts'
import { isBlocking } from './standing.ts'

/** The claimed levels that this judgement grants, in the contract's order. */
export function grantedLevels(
  judgement: Pick<Judgement, 'outcome' | 'verdicts'>,
  claimed: readonly string[],
  run: { readonly strict: boolean },
): readonly ConformanceLevel[] {
  if (judgement.outcome === 'invalid') return []
  return conformanceLevels.filter((level) => {
    if (!claimed.includes(level)) return false
    const verdicts = judgement.verdicts.filter((verdict) => levelsOf(verdict).includes(level))
    const upheld = verdicts.some((verdict) => verdict.outcome === 'upheld')
    const broken = verdicts.some((verdict) => isBlocking(verdict, run))
    // A conformant run owes nothing any more: what is unexercised there was not owed.
    const debt = judgement.outcome === 'incomplete' && verdicts.some((verdict) => isDebt(verdict, claimed))
    return upheld && !broken && !debt
  })
}

function levelsOf(verdict: Verdict): readonly string[] {
  return [...(operations[verdict.operation]?.levels ?? []), ...(requirementOf(verdict.requirement)?.needs ?? [])]
}

/** Reasons that say the obligation was never owed by this profile. */
const excusedReasons = ['not-claimed', 'not-selected']

function isDebt(verdict: Verdict, claimed: readonly string[]): boolean {
  if (verdict.outcome !== 'unexercised' || verdict.level !== 'must') return false
  if (requirementOf(verdict.requirement)?.owed === 'when-seen') return false
  if (excusedReasons.some((reason) => verdict.reason?.startsWith(reason))) return false
  return levelsOf(verdict).every((level) => claimed.includes(level))
}

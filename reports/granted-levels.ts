/**
 * Levels are claimed by the profile and granted by the evidence, and the two are told apart: a claim is granted when
 * something was upheld under it, nothing blocking was violated, and nothing that it owes stayed unexercised.
 */
import type { Judgement } from '../conformance/index.ts'
import { type ConformanceLevel, conformanceLevels } from '../spec/index.ts'
import { isDebt, isLeftOut, levelsOf } from './owed.ts'
import { isBlocking } from './severity.ts'

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
    // What a conformant run leaves unexercised was excused by the judge, unless nobody asked for it.
    const excused = judgement.outcome === 'conformant'
    const debt = verdicts.some(
      (verdict) => isDebt(verdict, { claimed, strict: run.strict }) && (!excused || isLeftOut(verdict)),
    )
    return upheld && !broken && !debt
  })
}

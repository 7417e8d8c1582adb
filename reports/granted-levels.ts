/**
 * Decides which claimed levels the evidence grants.
 * A claim is granted when something was upheld under it, nothing blocking was violated, and nothing owed stayed open.
 */
import type { Judgement, Verdict } from '../conformance/index.ts'
import { isOpen } from '../conformance/judge/run-outcome.ts'
import { type ConformanceLevel, conformanceLevels, operations, requirementOf } from '../spec/index.ts'
import type { Report } from './report.ts'
import { visibleLine } from './sanitize-text.ts'

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

/**
 * The granted levels, and the others with the reason. A level is a set of operations, and a chapter of the same
 * name may pass while an operation of the level breaks a rule of another chapter.
 */
export function levelsText(report: Report): string {
  const { claimed, granted, only, source } = report.run
  const missing = claimed.filter((level) => !granted.includes(level))
  if (claimed.length === 0) return 'levels granted: none, since none is claimed'
  if (missing.length === 0)
    return `levels granted: ${claimed.length === 1 ? claimed.join() : `all ${claimed.length} claimed`}`
  const why = (level: string): string => {
    if (source !== undefined) return 'recorded traffic grants nothing'
    if (only !== undefined) return `only ${visibleLine(only, 60)} was judged`
    const own = report.verdicts.filter((verdict) => levelsOf(verdict).includes(level))
    if (own.some(({ blocking }) => blocking)) return 'failed'
    return report.run.complete ? 'not decided' : 'the run ended early'
  }
  const reasons = [...new Set(missing.map(why))].map((reason) => {
    const levels = missing.filter((level) => why(level) === reason)
    const names =
      levels.length === claimed.length && levels.length > 1 ? `all ${levels.length} claimed` : levels.join(', ')
    return `${names} (${reason})`
  })
  return `levels not granted: ${reasons.join('; ')}`
}

/** The levels that an obligation belongs to. */
export function levelsOf(verdict: Pick<Verdict, 'operation' | 'requirement'>): readonly string[] {
  return [...(operations[verdict.operation]?.levels ?? []), ...(requirementOf(verdict.requirement)?.needs ?? [])]
}

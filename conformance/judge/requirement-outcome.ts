/** Sums up one requirement of a judgement for a test runner: passed, failed with evidence, or skipped with a reason. */
import type { Judgement, Verdict } from './verdict.ts'

interface RequirementOutcome {
  readonly status: 'passed' | 'failed' | 'skipped'
  /** Empty when passed. */
  readonly text: string
}

/** The result of one requirement; a violation that does not block skips it. */
export function requirementOutcome(judgement: Judgement, requirement: string): RequirementOutcome {
  const verdicts = judgement.verdicts.filter((verdict) => verdict.requirement === requirement)
  const against = verdicts.filter(({ outcome }) => outcome === 'violated' || outcome === 'suite-fault')
  const failing = against.filter(({ outcome, blocking }) => blocking || outcome === 'suite-fault')
  if (failing.length > 0) return { status: 'failed', text: failing.map(describeVerdict).join('\n\n') }
  if (against.length > 0)
    return { status: 'skipped', text: `non-blocking: ${against.map(describeVerdict).join('\n\n')}` }
  if (verdicts.some(({ outcome }) => outcome === 'upheld')) return { status: 'passed', text: '' }
  const reasons = new Set(
    verdicts.map(({ outcome, reason }) => (reason === undefined ? outcome : `${outcome}: ${reason}`)),
  )
  return { status: 'skipped', text: reasons.size === 0 ? 'not judged' : [...reasons].join('; ') }
}

/** The verdict as text: place, expected, actual, and the exchanges that show it. */
function describeVerdict({ operation, facet, expected, actual, pointer, witness, exchanges }: Verdict): string {
  return [
    facet === null ? operation : `${operation} ${facet}`,
    ...(witness === undefined ? [] : [witness.contradiction]),
    ...(expected === undefined ? [] : [`expected ${expected}`]),
    ...(actual === undefined ? [] : [`actual ${actual}${pointer === undefined ? '' : ` at ${pointer}`}`]),
    `seen in ${exchanges.join(', ')}`,
  ].join('\n  ')
}

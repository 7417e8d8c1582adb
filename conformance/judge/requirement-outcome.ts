/** One requirement out of a judgement, as a test runner wants it: passed, failed with the contradiction, or skipped with the reason. */
import type { Judgement, Verdict } from './verdict.ts'

export interface RequirementOutcome {
  readonly status: 'passed' | 'failed' | 'skipped'
  /** Empty when passed. */
  readonly text: string
}

/** What became of a requirement; rules that are not stated fail only when `strict`. */
export function requirementOutcome(judgement: Judgement, requirement: string, strict: boolean): RequirementOutcome {
  const verdicts = judgement.verdicts.filter((verdict) => verdict.requirement === requirement)
  const against = verdicts.filter(({ outcome }) => outcome === 'violated' || outcome === 'suite-fault')
  const binding = against.filter((verdict) => isBinding(verdict, strict))
  if (binding.length > 0) return { status: 'failed', text: binding.map(describeVerdict).join('\n\n') }
  if (against.length > 0)
    return { status: 'skipped', text: `not binding: ${against.map(describeVerdict).join('\n\n')}` }
  if (verdicts.some(({ outcome }) => outcome === 'upheld')) return { status: 'passed', text: '' }
  const reasons = new Set(
    verdicts.map(({ outcome, reason }) => (reason === undefined ? outcome : `${outcome}: ${reason}`)),
  )
  return { status: 'skipped', text: reasons.size === 0 ? 'not judged' : [...reasons].join('; ') }
}

function isBinding({ outcome, level, basis }: Verdict, strict: boolean): boolean {
  return outcome === 'suite-fault' || (level === 'must' && (basis === 'stated' || strict))
}

/** The verdict as a person reads it: where, what was expected, what came, which exchanges show it. */
function describeVerdict({ operation, facet, expected, actual, pointer, witness, exchanges }: Verdict): string {
  return [
    facet === null ? operation : `${operation} ${facet}`,
    ...(witness === undefined ? [] : [witness.contradiction]),
    ...(expected === undefined ? [] : [`expected ${expected}`]),
    ...(actual === undefined ? [] : [`actual ${actual}${pointer === undefined ? '' : ` at ${pointer}`}`]),
    `seen in ${exchanges.join(', ')}`,
  ].join('\n  ')
}

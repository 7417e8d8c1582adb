/** Words for the likely causes of a report: what to fix first, what it explains, where, and how. */
import type { Report } from '../report.ts'
import { type Cause, diagnose } from './diagnose.ts'

/** One cause, ready to be laid out by a rendering. */
export interface CauseText {
  readonly requirement: string
  /** `explains 4 of 5 failures`. */
  readonly explains: string
  /** The operations at which the requirement itself is broken, separated by commas. */
  readonly where: string
  readonly fix: string
  /** A known fault that looks like this, or that there is none. */
  readonly pattern: string
  /** Requirements that are broken because of it. */
  readonly follows: readonly string[]
}

/** Causes beyond this are only counted. */
const mostCauses = 3

/** The causes to fix first, at most three. */
export function causesToFixFirst(report: Report): readonly CauseText[] {
  const failures = report.verdicts.filter(({ outcome }) => outcome === 'violated').length
  return diagnose(report)
    .slice(0, mostCauses)
    .map((cause) => causeText(cause, failures, report))
}

function causeText({ requirement, example, explains }: Cause, failures: number, { rules }: Report): CauseText {
  const own = explains.filter((verdict) => verdict.requirement === requirement)
  const others = explains.map((verdict) => verdict.requirement).filter((id) => id !== requirement)
  return {
    requirement,
    explains: `explains ${explains.length} of ${failures} ${failures === 1 ? 'failure' : 'failures'}`,
    where: [...new Set(own.map(({ operation }) => operation))].join(', '),
    fix: rules[requirement]?.fix ?? 'acs explain says what it asks for.',
    pattern: example === null ? 'no known pattern' : `a known fault that fails like this: ${example}`,
    follows: [...new Set(others)],
  }
}

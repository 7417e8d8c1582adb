/** Reads from a report what decides its outcome beside the verdicts, so that a report can be decided again. */
import type { RunFacts } from '../conformance/judge/run-outcome.ts'
import type { Report } from './report.ts'

/** The facts of a report whose own outcome was decided by the judge or by a merge. */
export function reportFacts({ run, exchanges }: Report): RunFacts {
  const reason = run.incompleteReason ?? 'the run was not finished'
  return {
    invalid: run.outcome === 'invalid' ? reason : null,
    unfinished: run.complete ? null : reason,
    acceptedAny: exchanges.some(({ response }) => response !== null && response.status >= 200 && response.status < 300),
  }
}

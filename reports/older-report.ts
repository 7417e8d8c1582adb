/**
 * Completes reports of versions before 0.2, whose verdicts do not say whether they are owed and whether they block.
 * Reports of this version are left as they are: the judge decided both.
 */
import type { Verdict } from '../conformance/index.ts'
import { isBlockingRule } from '../conformance/judge/run-outcome.ts'
import { requirementOf } from '../spec/index.ts'
import { levelsOf } from './granted-levels.ts'
import type { Report, ReportRun } from './report.ts'

/** Reports of versions before 0.2 have likely causes of another kind, which are no longer read. */
export function withoutFindings(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('findings' in value)) return value
  const { findings: _, ...report } = value
  return report
}

/** The report with `owed` and `blocking` on every verdict. */
export function completeReport(report: Report): Report {
  const isComplete = report.verdicts.every((verdict) => 'owed' in verdict && 'blocking' in verdict)
  return isComplete ? report : { ...report, verdicts: report.verdicts.map((one) => completeVerdict(one, report.run)) }
}

function completeVerdict(verdict: Verdict, { claimed, strict }: ReportRun): Verdict {
  const isBlocking = isBlockingRule(verdict, strict)
  const row = requirementOf(verdict.requirement)
  const isClaimed = levelsOf(verdict).every((level) => claimed.includes(level))
  const isApplicable = row !== undefined && row.owed !== 'when-seen' && verdict.outcome !== 'inapplicable'
  return {
    ...verdict,
    owed: verdict.owed ?? (isBlocking && isClaimed && isApplicable),
    blocking: verdict.blocking ?? (isBlocking && verdict.outcome === 'violated'),
  }
}

/**
 * Adds the results of replays to a report, and marks violations as flaky that a disturbed run shows only once.
 * The judgement itself stays a function of the trace.
 */
import type { ReplayOutcome, Verdict } from '../conformance/index.ts'
import { obligationKey } from '../spec/index.ts'
import type { Report, ReportedReplay } from './report.ts'
import { settleReport } from './report-ending.ts'

interface ReplayOptions {
  /** Exchanges of the run that a gateway error or a broken connection disturbed. */
  readonly disturbances: readonly string[]
  /** Whether flaky violations fail the run as well. */
  readonly failOnFlaky?: boolean
}

/** More disturbed exchanges than this are not named. */
const namedDisturbances = 10

/** The report with the results of its replays. */
export function withReplays(
  report: Report,
  results: readonly { readonly verdict: Verdict; readonly outcome: ReplayOutcome }[],
  { disturbances, failOnFlaky = false }: ReplayOptions,
): Report {
  if (results.length === 0) return report
  const replays = results.map(({ verdict, outcome }): ReportedReplay => {
    const isFlaky = outcome.kind === 'not-reproduced' && disturbances.length > 0
    return {
      obligation: obligationKey(verdict),
      outcome: outcome.kind,
      flaky: isFlaky,
      ...(outcome.kind === 'not-tried' ? { reason: outcome.reason } : {}),
      ...(outcome.kind === 'reproduced' && outcome.history ? { history: true } : {}),
      ...(isFlaky ? { disturbances: disturbances.slice(0, namedDisturbances) } : {}),
    }
  })
  return settleReport({ ...report, run: { ...report.run, ...(failOnFlaky ? { failOnFlaky } : {}) }, replays })
}

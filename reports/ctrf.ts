/**
 * Writes CTRF, the Common Test Report Format, with one test for each obligation. Our own outcome stands in `rawStatus`,
 * since its five statuses do not distinguish unexercised, inapplicable and undecided obligations.
 */
import type { Verdict } from '../conformance/index.ts'
import { reasonText } from '../conformance/judge/run-outcome.ts'
import { obligationKey } from '../spec/index.ts'
import { type CardOptions, failureCards } from './failure-card.ts'
import { cardText } from './failure-text.ts'
import type { Report } from './report.ts'
import { visibleLine } from './sanitize-text.ts'
import { chapterOf, chapterStandings, failuresOf } from './severity.ts'

type CtrfStatus = 'passed' | 'failed' | 'skipped' | 'pending' | 'other'

const statuses = ['passed', 'failed', 'skipped', 'pending', 'other'] as const satisfies readonly CtrfStatus[]

/** The report as CTRF JSON. */
export function renderCtrf(report: Report, options: CardOptions = {}): string {
  const { run } = report
  const start = Date.parse(run.startedAt) || 0
  const tests = testsOf(report, options)
  const counts = Object.fromEntries(
    statuses.map((status) => [status, tests.filter((one) => one.status === status).length]),
  )
  const document = {
    reportFormat: 'CTRF',
    specVersion: '0.0.0',
    generatedBy: 'acs-kit',
    results: {
      tool: { name: 'acs-kit', version: run.suiteVersion },
      summary: {
        tests: tests.length,
        ...counts,
        suites: chapterStandings(report).length,
        start,
        stop: start + Math.round(run.durationMs),
        extra: {
          outcome: run.outcome,
          exitCode: run.exitCode,
          claimed: run.claimed,
          granted: run.granted,
          seed: run.seed,
          ...(run.baseline === undefined ? {} : { baseline: run.baseline }),
          ...(report.replays === undefined ? {} : { replays: report.replays }),
        },
      },
      tests,
      environment: {
        testEnvironment: visibleLine(run.target),
        extra: { contractDigest: run.contractDigest, profileDigest: run.profileDigest },
      },
    },
  }
  return `${JSON.stringify(document, null, 2)}\n`
}

function testsOf(report: Report, options: CardOptions) {
  const traces = new Map(failureCards(report, options).map((card) => [card.requirement, cardText(card)]))
  const isFailing = failuresOf(report)
  return report.verdicts.map((verdict) => {
    const status = statusOf(verdict, isFailing)
    const message =
      verdict.witness?.contradiction ?? (verdict.reason === undefined ? verdict.actual : reasonText(verdict.reason))
    const trace = verdict.outcome === 'violated' ? traces.get(verdict.requirement) : undefined
    return {
      name: obligationKey(verdict),
      status,
      rawStatus: verdict.outcome,
      duration: 0,
      suite: [chapterOf(verdict.requirement), verdict.requirement],
      tags: [verdict.level, verdict.basis],
      ...(message === undefined || status === 'passed' ? {} : { message: visibleLine(message, 2000) }),
      ...(trace === undefined ? {} : { trace }),
      extra: { operation: verdict.operation, witnesses: verdict.witnesses, exchanges: verdict.exchanges },
    }
  })
}

function statusOf(verdict: Verdict, isFailing: (verdict: Verdict) => boolean): CtrfStatus {
  switch (verdict.outcome) {
    case 'upheld':
      return 'passed'
    case 'violated':
      return isFailing(verdict) ? 'failed' : 'other'
    case 'unexercised':
      return 'pending'
    case 'inapplicable':
      return 'skipped'
    case 'inconclusive':
    case 'observed':
    case 'suite-fault':
      return 'other'
  }
}

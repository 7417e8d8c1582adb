/**
 * Decides a report again when a baseline excuses violations or a replay shows them to be flaky.
 * The verdicts stay as the judge gave them; only outcome and exit code of the run change.
 */
import type { Verdict } from '../conformance/index.ts'
import {
  goneCode,
  type RunEnding,
  type RunFacts,
  runOutcome,
  wrongSettingCode,
} from '../conformance/judge/run-outcome.ts'
import { countText, obligationKey } from '../spec/index.ts'
import type { Report } from './report.ts'
import { excusesIn } from './severity.ts'

/** The report with the outcome and exit code that its baseline and its replays leave. */
export function settleReport(report: Report): Report {
  const { incompleteReason, ...run } = report.run
  const { outcome, exitCode, reason } = endingOf(report)
  const told = reason ?? incompleteReason
  return { ...report, run: { ...run, outcome, exitCode, ...(told === undefined ? {} : { incompleteReason: told }) } }
}

function endingOf(report: Report): RunEnding {
  const excuses = excusesIn(report)
  const known = report.verdicts.filter((one) => one.blocking && excuses.get(obligationKey(one)) === 'known')
  const broken = new Set(known.map(({ operation }) => operation))
  const verdicts = report.verdicts.map((verdict): Verdict => {
    const excuse = verdict.blocking ? excuses.get(obligationKey(verdict)) : undefined
    if (excuse === 'known' || isMasked(verdict, broken)) return { ...verdict, outcome: 'upheld', blocking: false }
    // A violation that was seen once and not again is undecided.
    return excuse === 'flaky' ? { ...verdict, outcome: 'inconclusive', owed: true, blocking: false } : verdict
  })
  return runOutcome(verdicts, { ...factsOf(report), failing: whyFailing(report) })
}

/** Whether a rule stayed open at an operation that is known to be broken: the known violation may hide it. */
function isMasked({ outcome, operation, reason = '' }: Verdict, broken: ReadonlySet<string>): boolean {
  if (outcome !== 'unexercised' && outcome !== 'inconclusive') return false
  return broken.has(operation) && !/^(?:budget|no-fixture|blocked|not-)/.test(reason)
}

function whyFailing({ run: { baseline } }: Report): string | null {
  const faults = (baseline?.stale.length ?? 0) + (baseline?.expired.length ?? 0)
  return faults === 0 ? null : `${countText(faults, 'baseline entry is', 'baseline entries are')} stale or expired`
}

function factsOf({ run, exchanges, notices }: Report): RunFacts {
  const reason = run.incompleteReason ?? 'the run was not finished'
  const toldOf = (wanted: string) => notices.find(({ code }) => code === wanted)?.text ?? null
  return {
    invalid: run.outcome === 'invalid' ? reason : null,
    wrongSetting: toldOf(wrongSettingCode),
    gone: toldOf(goneCode),
    unfinished: run.complete ? null : reason,
    acceptedAny: exchanges.some(({ response }) => response !== null && response.status >= 200 && response.status < 300),
  }
}

/**
 * Counts failures in one unit, so that every form of a report shows the same numbers. A failure is a violated obligation,
 * that is a rule at one operation; it may be blocking or not.
 */
import { countText } from '../spec/index.ts'
import type { Report } from './report.ts'
import { failuresOf } from './severity.ts'

interface FailureCounts {
  readonly all: number
  readonly blocking: number
}

/** The number of failures, and of blocking ones. */
function failureCounts(report: Pick<Report, 'verdicts' | 'run' | 'replays'>): FailureCounts {
  return {
    all: report.verdicts.filter(({ outcome }) => outcome === 'violated').length,
    blocking: report.verdicts.filter(failuresOf(report)).length,
  }
}

/** `4 failures (1 blocking)`. */
export function failuresText(report: Pick<Report, 'verdicts' | 'run' | 'replays'>): string {
  const { all, blocking } = failureCounts(report)
  return `${countText(all, 'failure')}${shareText(all, blocking)}`
}

function shareText(all: number, blocking: number): string {
  if (all === 0) return ''
  if (blocking === 0) return ' (none blocking)'
  if (blocking === all) return all === 1 ? ' (blocking)' : ' (all blocking)'
  return ` (${blocking} blocking)`
}

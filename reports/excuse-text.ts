/** Says in plain words what a baseline and the replays make of a violation and of a run. */
import type { ReportedBaseline, ReportedReplay, ReportRun } from './report.ts'
import { visibleLine } from './sanitize-text.ts'
import type { Excuse } from './severity.ts'

/** Why a violation fails nothing: excused, or of a level or basis that never blocks. */
export function nonBlockingText(excuse: Excuse | null): string {
  if (excuse === 'known') return 'known in the baseline'
  return excuse === 'flaky' ? 'flaky, non-blocking' : 'non-blocking'
}

/** Whether a replay did not tell: the failure takes more requests than its story holds, for example a hundred messages. */
export function showedNothing({ outcome, reason }: Pick<ReportedReplay, 'outcome' | 'reason'>): boolean {
  return outcome === 'not-tried' && reason?.startsWith('the answers showed nothing') === true
}

/** Behind the title of a failure that its replay did not show. */
export const seenOnce = ' (seen once, not reproduced)'

/** What replaying a violation showed, in a sentence without its stop. */
export function replayText(replay: ReportedReplay): string {
  const { outcome, reason, history, flaky, disturbances = [] } = replay
  if (showedNothing(replay)) return 'inconclusive: on their own, the same requests neither broke nor kept the rule'
  if (outcome === 'not-tried') return `not tried: ${visibleLine(reason ?? 'no reason given', 160)}`
  if (outcome === 'reproduced')
    return history ? 'reproduced, with the earlier requests about the same ids' : 'reproduced'
  if (!flaky) return 'not reproduced'
  return `flaky: not reproduced, and the run was disturbed in ${disturbances.map((id) => visibleLine(id, 20)).join(', ')}`
}

/** One line for each baseline entry that fails the run. */
export function baselineFailures({ stale, expired, file }: ReportedBaseline): readonly {
  readonly obligation: string
  readonly text: string
}[] {
  const name = visibleLine(file, 200)
  return [
    ...stale.map(({ obligation }) => ({
      obligation: visibleLine(obligation),
      text: `stale: no longer fails; remove the entry from ${name}`,
    })),
    ...expired.map(({ obligation, expires }) => ({
      obligation: visibleLine(obligation),
      text: `expired on ${visibleLine(expires, 20)}: fix the violation, or renew the entry in ${name}`,
    })),
  ]
}

/** What the baseline did to the run, in one sentence; `null` without one. */
export function baselineSummary({ baseline }: ReportRun): string | null {
  if (baseline === undefined) return null
  const { file, known, unexpected, stale, expired } = baseline
  const counts = [
    `${known.length} known`,
    `${unexpected.length} unexpected`,
    ...(stale.length === 0 ? [] : [`${stale.length} stale`]),
    ...(expired.length === 0 ? [] : [`${expired.length} expired`]),
  ]
  return `Baseline ${visibleLine(file, 200)}: ${counts.join(', ')}`
}

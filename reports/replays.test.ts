/** A violation of a disturbed run that its replay does not show again is flaky and fails nothing by default. */
import { expect, test } from 'vitest'
import type { ReplayOutcome } from '../conformance/index.ts'
import { sampleReport } from '../test/reports/sample-report.ts'
import { renderHtml } from './html/render-html.ts'
import { renderJunit } from './junit.ts'
import { renderMarkdown } from './markdown.ts'
import { withReplays } from './replays.ts'
import type { Report } from './report.ts'
import { renderSarif } from './sarif.ts'
import { renderText } from './terminal-text.ts'

const sample = sampleReport()
const report: Report = {
  ...sample,
  verdicts: sample.verdicts.filter(({ outcome, blocking }) => blocking || outcome === 'upheld'),
}
const replayed = (outcome: ReplayOutcome, options: Parameters<typeof withReplays>[2]): Report =>
  withReplays(
    report,
    report.verdicts.filter(({ blocking }) => blocking).map((verdict) => ({ verdict, outcome })),
    options,
  )
const kept: ReplayOutcome = { kind: 'not-reproduced' }

test('a violation that a disturbed run shows only once leaves the run incomplete, never green', () => {
  const { run, replays } = replayed(kept, { disturbances: ['E7'] })
  expect(run).toMatchObject({ outcome: 'incomplete', exitCode: 2 })
  expect(replays?.every(({ flaky, disturbances }) => flaky && disturbances?.[0] === 'E7')).toBe(true)
})

test('flaky violations fail the run when it is asked for', () => {
  expect(replayed(kept, { disturbances: ['E7'], failOnFlaky: true }).run.exitCode).toBe(1)
})

test('without a disturbance, or without a replay that kept the rule, a violation fails the run', () => {
  expect(replayed(kept, { disturbances: [] }).run.exitCode).toBe(1)
  const notTried = { kind: 'not-tried', reason: 'the budget of the replays is spent' } as const
  expect(replayed(notTried, { disturbances: ['E7'] }).run.exitCode).toBe(1)
})

test('the verdicts stay as the judge gave them', () => {
  expect(replayed(kept, { disturbances: ['E7'] }).verdicts).toEqual(report.verdicts)
})

test('every rendering says what the replay showed and what disturbed the run', () => {
  const flaky = replayed(kept, { disturbances: ['E7'] })
  const sentence = 'flaky: not reproduced, and the run was disturbed in E7'
  for (const text of [renderText(flaky), renderHtml(flaky), renderMarkdown(flaky), renderSarif(flaky)])
    expect(text.replaceAll('&#58;', ':')).toContain(sentence)
  expect(renderJunit(flaky)).toContain('failures="0"')
  expect(renderJunit(flaky)).toContain('failed, flaky, non-blocking')
})

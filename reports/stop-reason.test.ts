/** Tests that every rendering tells a run that stopped early from rules that are broken, and prints commands that run. */
import { expect, test } from 'vitest'
import { sampleReport } from '../test/reports/sample-report.ts'
import { renderAnnotations } from './github-annotations.ts'
import { renderHtml } from './html/render-html.ts'
import { renderJunit } from './junit.ts'
import { renderMarkdown } from './markdown.ts'
import type { Report } from './report.ts'
import { renderSarif } from './sarif.ts'
import { stopReason, undecidedReason } from './stop-reason.ts'
import { renderText } from './terminal-text.ts'

const sample = sampleReport()
const ended = (incompleteReason: string, cost: Partial<Report['cost']> = {}): Report => ({
  ...sample,
  run: { ...sample.run, complete: false, incompleteReason },
  cost: { ...sample.cost, ...cost },
})
const silent = (): Report['exchanges'] =>
  sample.exchanges.map((exchange) => ({
    ...exchange,
    response: null,
    failure: 'connect ECONNREFUSED 127.0.0.1:4010',
  }))

test.each([
  [
    ended('budget', { modelCalls: 20, maxModelCalls: 20 }),
    'the run ended early: the cap of 20 model calls was reached',
  ],
  [
    ended('budget', { exchanges: 60, maxExchanges: 60, maxModelCalls: null }),
    'the run ended early: the cap of 60 requests was reached',
  ],
  [
    ended('budget', { maxExchanges: null, maxModelCalls: null }),
    'the run ended early: what the caps leave was not enough',
  ],
  [ended('interrupted'), 'the run ended early: it was interrupted'],
  [ended('unreachable'), 'the run ended early: the target stopped answering'],
  [ended('time: the limit of 30 min is reached'), 'the run ended early: time: the limit of 30 min is reached'],
  [ended('without part 2 of 2'), 'without part 2 of 2'],
])('a run that is not whole says why, case %#', (report, told) => {
  expect(stopReason(report)).toBe(told)
})

test('beside broken rules a spent budget is told as the end of the run, not as their reason', () => {
  const report = ended('budget', { modelCalls: 20, maxModelCalls: 20 })
  const told = /he run ended early(?::|&#58;) the cap of 20 model calls was reached/
  expect(report.run.outcome).toBe('nonconformant')
  for (const text of [renderText(report), renderHtml(report), renderMarkdown(report)]) {
    expect(text).toMatch(told)
    expect(text).not.toMatch(/Reason: budget|conformant \(budget\)/)
  }
})

test.each<[Report['run']['outcome'], Report['exchanges'], string, string | null]>([
  ['incomplete', sample.exchanges, 'without part 2 of 2', 'incomplete: without part 2 of 2'],
  ['incomplete', sample.exchanges, 'interrupted', 'incomplete: the run ended early: it was interrupted'],
  ['invalid', sample.exchanges, 'unreachable', 'invalid run: the run ended early: the target stopped answering'],
  ['invalid', silent(), 'unreachable', 'target unreachable: connect ECONNREFUSED 127.0.0.1:4010'],
  ['nonconformant', sample.exchanges, 'budget', null],
])('formats of cases show the reason of a run that is %s as one error, case %#', (outcome, exchanges, why, told) => {
  const report = ended(why)
  const run: Report = { ...report, exchanges, run: { ...report.run, outcome } }
  const reason = undecidedReason(run)
  expect(reason).toBe(told)
  const faults = run.verdicts.filter((verdict) => verdict.outcome === 'suite-fault').length
  const junit = renderJunit(run)
  expect(junit).toMatch(new RegExp(`<testsuites [^>]* errors="${told === null ? faults : faults + 1}"`))
  expect(junit.includes(`<error message="${reason}" type="${outcome}">`)).toBe(told !== null)
  expect(junit.includes('classname="acs.run"')).toBe(told !== null)
  const notifications = JSON.parse(renderSarif(run)).runs[0].invocations[0].toolExecutionNotifications
  expect(notifications).toHaveLength(told === null ? faults : faults + 1)
  if (told !== null) expect(notifications[0]).toEqual({ level: 'error', message: { text: reason } })
})

test.each(Object.entries({ renderText, renderHtml, renderMarkdown, renderJunit, renderSarif, renderAnnotations }))(
  'a command that %s prints names the report and the profile of the run',
  (_, render) => {
    const written = render(sample, { reportPath: 'out-7/report.json', targetFile: 'mine.yaml' })
    // Markdown in SARIF spells its signs as entities, which its readers decode.
    const text = written.replace(/&#(\d+);/g, (_entity, code: string) => String.fromCodePoint(Number(code)))
    // A page keeps the words of a command whole by elements of their own.
    const commands = [...text.replace(/<\/?span>/g, '').matchAll(/acs replay [^\n<"]*/g)].map(([command]) => command)
    for (const command of commands) expect(command).toMatch(/^acs replay out-7\/report\.json .*--target mine\.yaml/)
    expect(text).not.toContain('acs-report/report.json')
  },
)

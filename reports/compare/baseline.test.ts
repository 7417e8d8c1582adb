/** A baseline excuses what it names, for a reason and until a day, and nothing else. */
import { expect, test } from 'vitest'
import { obligationKey } from '../../spec/index.ts'
import { sampleReport } from '../../test/reports/sample-report.ts'
import { renderCtrf } from '../ctrf.ts'
import { renderHtml } from '../html/render-html.ts'
import { renderJunit } from '../junit.ts'
import { renderMarkdown } from '../markdown.ts'
import { parseReport } from '../parse-report.ts'
import type { Report } from '../report.ts'
import { renderSarif } from '../sarif.ts'
import { serializeReport } from '../serialize-report.ts'
import { renderText } from '../terminal-text.ts'
import { applyBaseline, type Baseline, parseBaseline, writeBaseline } from './baseline.ts'

const sample = sampleReport()
const report: Report = {
  ...sample,
  verdicts: sample.verdicts.filter(({ outcome }) => outcome === 'violated' || outcome === 'upheld'),
}
const blocking = report.verdicts.filter((verdict) => verdict.blocking).map(obligationKey)
const upheld = report.verdicts.filter(({ outcome }) => outcome === 'upheld').map(obligationKey)
const entries = (obligations: readonly string[], expires = '2027-01-31'): Baseline => ({
  baseline: 1,
  entries: obligations.map((obligation) => ({ obligation, reason: 'ticket 7', expires })),
})
const use = { file: 'acs.baseline.yaml', today: '2026-11-21' }

test('a run whose violations are all known is conformant', () => {
  expect(applyBaseline(report, entries(blocking), use).run).toMatchObject({
    outcome: 'conformant',
    exitCode: 0,
    baseline: { unexpected: [], stale: [], expired: [] },
  })
})

test('a violation that the baseline does not know still fails', () => {
  const { run } = applyBaseline(report, entries(blocking.slice(1)), use)
  expect(run).toMatchObject({ outcome: 'nonconformant', exitCode: 1 })
  expect(run.baseline?.unexpected).toEqual(blocking.slice(0, 1))
})

test('an entry whose rule holds again, or that names nothing, is stale and fails', () => {
  for (const obligation of [upheld[0] ?? '', 'threads.no-such-rule runThread']) {
    const { run } = applyBaseline(report, entries([...blocking, obligation]), use)
    expect(run.baseline?.stale.map((entry) => entry.obligation)).toEqual([obligation])
    expect(run.exitCode).toBe(1)
  }
})

test('an entry outside of what --only asked for is left alone', () => {
  const only: Report = { ...report, run: { ...report.run, only: 'pagination.*' } }
  for (const expires of ['2027-01-31', '2020-01-31']) {
    const outside = entries(['threads.run-needs-user-message runThread no-messages'], expires).entries
    const baseline = { ...entries(blocking), entries: [...entries(blocking).entries, ...outside] }
    expect(applyBaseline(only, baseline, use).run).toMatchObject({
      exitCode: 0,
      baseline: { stale: [], expired: [], unproven: [] },
    })
  }
  const { run } = applyBaseline(only, entries([...blocking, upheld[0] ?? '']), use)
  expect(run.baseline?.stale.map(({ obligation }) => obligation)).toEqual(upheld.slice(0, 1))
})

test('an entry counts on its last day and fails on the next', () => {
  const baseline = entries(blocking, use.today)
  expect(applyBaseline(report, baseline, use).run.exitCode).toBe(0)
  expect(applyBaseline(report, baseline, { ...use, today: '2026-11-22' }).run).toMatchObject({
    exitCode: 1,
    baseline: { expired: baseline.entries },
  })
})

test('a wrong setting that stood behind a violation stays when the violation is known', () => {
  const notices = [{ code: 'wrong-setting', text: 'tools.callIds: it finds no call', exchanges: [] }]
  expect(applyBaseline({ ...report, notices }, entries(blocking), use).run).toMatchObject({
    outcome: 'invalid',
    exitCode: 3,
    incompleteReason: 'tools.callIds: it finds no call',
  })
  expect(applyBaseline({ ...report, notices }, entries(blocking.slice(1)), use).run.exitCode).toBe(1)
})

test('an entry that this run did not exercise is neither confirmed nor stale', () => {
  const key = upheld[0] ?? ''
  const dark = {
    ...report,
    verdicts: report.verdicts.map((verdict) =>
      obligationKey(verdict) === key ? { ...verdict, outcome: 'unexercised' as const } : verdict,
    ),
  }
  const { baseline } = applyBaseline(dark, entries([...blocking, key]), use).run
  expect(baseline?.unproven.map(({ obligation }) => obligation)).toEqual([key])
  expect(baseline?.stale).toEqual([])
})

test('a baseline does not turn an invalid run into anything else', () => {
  const invalid: Report = { ...report, run: { ...report.run, outcome: 'invalid', exitCode: 3 } }
  expect(applyBaseline(invalid, entries(blocking), use).run).toMatchObject({ outcome: 'invalid', exitCode: 3 })
})

test('what is written can be read again and excuses exactly the blocking violations', () => {
  const baseline = parseBaseline(writeBaseline(report, { expires: '2027-01-31' }))
  expect(baseline.entries.map(({ obligation }) => obligation)).toEqual(blocking)
  expect(applyBaseline(report, baseline, use).run.exitCode).toBe(0)
})

test('writing again keeps the reasons that somebody gave', () => {
  const previous = entries(blocking.slice(0, 1), '2026-12-24')
  const rewritten = parseBaseline(writeBaseline(report, { expires: '2027-01-31', previous }))
  expect(rewritten.entries[0]).toEqual(previous.entries[0])
  expect(rewritten.entries[1]).toMatchObject({ expires: '2027-01-31' })
})

test('a broken baseline is refused with its line or place', () => {
  expect(() => parseBaseline('baseline: 1\nentries: [')).toThrow(/^line 2: /)
  expect(() => parseBaseline('baseline: 2\nentries: []')).toThrow('/baseline must be equal to constant')
  const entry = (fields: string) => `baseline: 1\nentries:\n  - {${fields}}\n`
  expect(() => parseBaseline(entry('obligation: a.b c, expires: 2027-01-31'))).toThrow(
    "/entries/0 must have required property 'reason'",
  )
  expect(() => parseBaseline(entry('obligation: a.b c, reason: x, expires: soon'))).toThrow('/entries/0/expires')
  expect(() => parseBaseline(entry('obligation: a.b c, reason: "  ", expires: 2027-01-31'))).toThrow(
    '/entries/0/reason',
  )
})

test('a known violation costs no other obligation of its operation, but a missing fixture does', () => {
  const [first] = report.verdicts.filter(({ blocking: fails }) => fails)
  if (first === undefined) throw new Error('the sample has no violation')
  const open = (reason: string): Report => ({
    ...report,
    verdicts: [
      ...report.verdicts,
      { ...first, outcome: 'unexercised', facet: 'hidden', owed: true, blocking: false, reason },
    ],
  })
  const codeFor = (reason: string) => applyBaseline(open(reason), entries(blocking), use).run.exitCode
  expect(codeFor('no request in this run exercised it')).toBe(0)
  expect(codeFor('no-fixture: The profile has no tenant.')).toBe(2)
})

test('every rendering of a report under a baseline agrees with its exit code', () => {
  const green = applyBaseline(report, entries(blocking), use)
  expect(renderJunit(green)).toContain('failures="0"')
  expect(renderText(green)).toContain(
    `Baseline acs.baseline.yaml: ${green.run.baseline?.known.length} known, 0 unexpected`,
  )
  expect(renderMarkdown(green)).toContain('## ✅ ACS conformance: conformant')
  expect(renderSarif(green)).not.toContain('"level": "error",\n          "message"')
  expect(renderCtrf(green)).toContain('"failed": 0')
  expect(renderHtml(green)).toContain('<h1>Conformant</h1>')
  expect(parseReport(serializeReport(green)).run).toEqual(green.run)
})

test('a stale entry is a failure of its own in JUnit, and named in the other renderings', () => {
  const red: Report = applyBaseline(report, entries([...blocking, 'threads.no-such-rule runThread']), use)
  expect(red.run).toMatchObject({ outcome: 'nonconformant', exitCode: 1 })
  const junit = renderJunit(red)
  expect(junit).toContain('<testcase classname="baseline" name="threads.no-such-rule runThread" time="0">')
  expect(junit).toContain('failures="1"')
  for (const text of [renderText(red), renderMarkdown(red), renderHtml(red), renderSarif(red)])
    expect(text.replaceAll('&#46;', '.').replaceAll('&#45;', '-')).toContain('threads.no-such-rule runThread')
})

/** A baseline excuses what it names, for a reason and until a day, and nothing else. */
import { expect, test } from 'vitest'
import { sampleReport } from '../../test/reports/sample-report.ts'
import type { Report } from '../report.ts'
import { obligationKey } from '../severity.ts'
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
const today = '2026-11-21'

test('a run whose violations are all known is conformant', () => {
  expect(applyBaseline(report, entries(blocking), today)).toMatchObject({
    outcome: 'conformant',
    exitCode: 0,
    unexpected: [],
    stale: [],
    expired: [],
  })
})

test('a violation that the baseline does not know still fails', () => {
  const result = applyBaseline(report, entries(blocking.slice(1)), today)
  expect(result).toMatchObject({ outcome: 'nonconformant', exitCode: 1 })
  expect(result.unexpected.map(obligationKey)).toEqual(blocking.slice(0, 1))
})

test('an entry whose rule holds again, or that names nothing, is stale and fails', () => {
  for (const obligation of [upheld[0] ?? '', 'threads.no-such-rule runThread']) {
    const result = applyBaseline(report, entries([...blocking, obligation]), today)
    expect(result.stale.map((entry) => entry.obligation)).toEqual([obligation])
    expect(result.exitCode).toBe(1)
  }
})

test('an entry counts on its last day and fails on the next', () => {
  const baseline = entries(blocking, today)
  expect(applyBaseline(report, baseline, today).exitCode).toBe(0)
  expect(applyBaseline(report, baseline, '2026-11-22')).toMatchObject({ exitCode: 1, expired: baseline.entries })
})

test('an entry that this run did not exercise is neither confirmed nor stale', () => {
  const key = upheld[0] ?? ''
  const dark = {
    ...report,
    verdicts: report.verdicts.map((verdict) =>
      obligationKey(verdict) === key ? { ...verdict, outcome: 'unexercised' as const } : verdict,
    ),
  }
  const result = applyBaseline(dark, entries([...blocking, key]), today)
  expect(result.unproven.map(({ obligation }) => obligation)).toEqual([key])
  expect(result.stale).toEqual([])
})

test('a baseline does not turn an invalid run into anything else', () => {
  const invalid: Report = { ...report, run: { ...report.run, outcome: 'invalid', exitCode: 3 } }
  expect(applyBaseline(invalid, entries(blocking), today)).toMatchObject({ outcome: 'invalid', exitCode: 3 })
})

test('what is written can be read again and excuses exactly the blocking violations', () => {
  const baseline = parseBaseline(writeBaseline(report, { expires: '2027-01-31' }))
  expect(baseline.entries.map(({ obligation }) => obligation)).toEqual(blocking)
  expect(applyBaseline(report, baseline, today).exitCode).toBe(0)
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
  const codeFor = (reason: string) => applyBaseline(open(reason), entries(blocking), today).exitCode
  expect(codeFor('nothing in the trace shows it')).toBe(0)
  expect(codeFor('no-fixture: The profile has no tenant.')).toBe(2)
})

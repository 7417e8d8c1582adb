/** The record: pure, stable, and what its schema says, whatever strings a target sends. */
import { expect, test } from 'vitest'
import { hostileText } from '../test/reports/hostile-text.ts'
import { sampleJudgement, sampleReport, sampleTrace } from '../test/reports/sample-report.ts'
import { createReport } from './create-report.ts'
import { parseReport, ReportError } from './parse-report.ts'
import { serializeReport } from './serialize-report.ts'

test('a report is what its schema says, also with hostile strings in it', () => {
  const report = sampleReport({ text: hostileText })
  expect(parseReport(serializeReport(report))).toEqual(JSON.parse(JSON.stringify(report)))
})

test('a minimal report of a broken trace is still a report', () => {
  const trace = { ...sampleTrace({ exchanges: [] }), footer: null }
  const judgement = { ...sampleJudgement(), outcome: 'invalid', exitCode: 3, verdicts: [] } as const
  const report = createReport(trace, judgement)
  expect(parseReport(serializeReport(report)).run).toMatchObject({ complete: false, granted: [], outcome: 'invalid' })
})

test('equal evidence gives equal bytes, in whatever order keys were set', () => {
  const trace = sampleTrace()
  const reversed = {
    footer: trace.footer,
    notes: trace.notes,
    exchanges: trace.exchanges,
    header: Object.fromEntries(Object.entries(trace.header).reverse()),
  } as typeof trace
  expect(serializeReport(createReport(reversed, sampleJudgement()))).toBe(
    serializeReport(createReport(trace, sampleJudgement())),
  )
})

test('a report with one field too many, too few or of another kind is refused with its place', () => {
  const report = JSON.parse(serializeReport(sampleReport()))
  const broken: readonly [object, string][] = [
    [{ ...report, extra: 1 }, ''],
    [{ ...report, schemaVersion: 2 }, '/schemaVersion'],
    [{ ...report, run: { ...report.run, exitCode: 7 } }, '/run/exitCode'],
    [{ ...report, verdicts: [{ ...report.verdicts[0], requirement: '<b>' }] }, '/verdicts/0/requirement'],
  ]
  for (const [document, at] of broken) {
    expect(() => parseReport(JSON.stringify(document))).toThrow(expect.objectContaining({ name: 'ReportError', at }))
  }
  expect(() => parseReport('{')).toThrow(ReportError)
})

test('bodies are cut at the limit on a character border, and what is left out is counted', () => {
  const long = 'é'.repeat(50_000)
  const trace = sampleTrace({ text: long })
  const judgement = { ...sampleJudgement({ green: true }), verdicts: [] }
  const cut = createReport(trace, judgement).exchanges.find(({ id }) => id === 'E4')
  const whole = trace.exchanges.find(({ id }) => id === 'E4')
  const bytes = cut?.request.body
  expect(
    bytes &&
      'utf8' in bytes &&
      whole?.request.body &&
      'utf8' in whole.request.body &&
      whole.request.body.utf8.startsWith(bytes.utf8),
  ).toBe(true)
  expect(cut?.omittedBytes).toBeGreaterThan(190_000)
})

test('a level is granted when it is claimed, upheld and not broken', () => {
  expect(sampleReport({ green: true }).run.granted).toEqual([
    'core',
    'streaming',
    'events',
    'threads',
    'tools',
    'files',
  ])
  const { granted, claimed } = sampleReport().run
  expect(claimed).toContain('threads')
  expect(granted).not.toContain('threads')
  expect(granted).toContain('files')
})

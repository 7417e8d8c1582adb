/** Reports of older versions, whose verdicts lack fields of today, are read as if they had them. */
import { expect, test } from 'vitest'
import { sampleReport } from '../test/reports/sample-report.ts'
import { parseReport } from './parse-report.ts'
import { serializeReport } from './serialize-report.ts'

const report = sampleReport()

test('a report without owed and blocking gets what its rules say', () => {
  const verdicts = report.verdicts.map(({ owed: _, blocking: __, ...rest }) => rest)
  const read = parseReport(JSON.stringify({ ...report, verdicts }))
  expect(read.verdicts.map(({ blocking }) => blocking)).toEqual(report.verdicts.map(({ blocking }) => blocking))
  expect(read.verdicts.every(({ owed }) => typeof owed === 'boolean')).toBe(true)
})

test('the likely causes of older reports are left out', () => {
  const read = parseReport(JSON.stringify({ ...report, findings: [{ title: 't', verdicts: [], exchanges: [] }] }))
  expect(read).toEqual(report)
})

test('a report of today keeps what the judge decided', () => {
  const verdicts = report.verdicts.map((verdict) => ({ ...verdict, owed: true, blocking: false }))
  const read = parseReport(serializeReport({ ...report, verdicts }))
  expect(read.verdicts.every(({ owed, blocking }) => owed && !blocking)).toBe(true)
})

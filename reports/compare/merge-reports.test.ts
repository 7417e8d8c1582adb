/** Parts of a divided run put together: nothing is lost, nothing counted twice, nothing green that a part was not. */
import { expect, test } from 'vitest'
import type { Verdict } from '../../conformance/index.ts'
import { sampleReport } from '../../test/reports/sample-report.ts'
import { parseReport } from '../parse-report.ts'
import type { Report } from '../report.ts'
import { serializeReport } from '../serialize-report.ts'
import { obligationKey } from '../severity.ts'
import { mergeReports } from './merge-reports.ts'

const whole = sampleReport()

/** The sample divided: each part judges every second obligation and leaves the others out. */
const part = (index: number, report: Report = whole): Report => ({
  ...report,
  run: { ...report.run, outcome: 'incomplete', exitCode: 2, shard: { index, count: 2 } },
  verdicts: report.verdicts.map(
    (verdict, place): Verdict =>
      place % 2 === index - 1
        ? verdict
        : {
            ...verdict,
            outcome: 'unexercised',
            witnesses: 0,
            exchanges: [],
            reason: 'not-selected: It is in another shard.',
          },
  ),
})

test('two halves give the verdicts of the whole', () => {
  const merged = mergeReports([part(1), part(2)])
  const outcomes = ({ verdicts }: Report) => verdicts.map((verdict) => [obligationKey(verdict), verdict.outcome])
  expect(outcomes(merged)).toEqual(outcomes(whole))
  expect(merged.cost).toMatchObject({ exchanges: 2 * whole.cost.exchanges, modelCalls: 2 * whole.cost.modelCalls })
})

test('the order of the parts does not matter for any verdict', () => {
  const outcomes = (report: Report) => report.verdicts.map((verdict) => [obligationKey(verdict), verdict.outcome])
  expect(outcomes(mergeReports([part(2), part(1)]))).toEqual(outcomes(mergeReports([part(1), part(2)])))
})

test('every exchange that a merged verdict names is there, once', () => {
  const merged = mergeReports([part(1), part(2)])
  const ids = merged.exchanges.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  const named = merged.verdicts.flatMap(({ exchanges, witness }) => [
    ...exchanges,
    ...(witness?.steps ?? []).map((step) => step.exchange),
  ])
  expect(named.filter((id) => !ids.includes(id))).toEqual([])
  expect(merged.verdicts.find(({ outcome }) => outcome === 'violated')?.witness?.contradiction).toMatch(
    /^The run of s[12]\.E3/,
  )
})

test('a merged report is a report', () => {
  const merged = mergeReports([part(1), part(2)])
  expect(parseReport(serializeReport(merged)).run).not.toHaveProperty('shard')
})

test('without one of the parts the run is not complete and grants nothing', () => {
  const green = sampleReport({ green: true })
  expect(mergeReports([part(1, green)]).run).toMatchObject({
    outcome: 'incomplete',
    exitCode: 2,
    granted: [],
    incompleteReason: 'without part 2 of 2',
  })
  expect(mergeReports([part(1, green), part(2, green)]).run).toMatchObject({ outcome: 'conformant', exitCode: 0 })
})

test('different answers to a gap in two parts are told as inconsistent', () => {
  const answer = (index: number, value: string): Report => ({
    ...part(index),
    observations: [{ gap: 'streams.line-end', value, consistent: true, exchanges: ['E5'] }],
  })
  expect(mergeReports([answer(1, 'LF'), answer(2, 'CRLF')]).observations).toEqual([
    { gap: 'streams.line-end', value: 'LF; CRLF', consistent: false, exchanges: ['s1.E5', 's2.E5'] },
  ])
})

test('what is not one run is refused', () => {
  const other = part(2)
  expect(() => mergeReports([])).toThrow('nothing to merge')
  expect(() => mergeReports([part(1), { ...other, run: { ...other.run, target: 'https://b.example' } }])).toThrow(
    'target is http://127.0.0.1:4010 and https://b.example',
  )
  expect(() => mergeReports([part(1), part(1)])).toThrow('part 1 is there twice')
})

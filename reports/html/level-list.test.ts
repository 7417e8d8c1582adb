/** A level that was not granted says why, and what is not decided is not called refused. */
import { expect, test } from 'vitest'
import { obligationKey } from '../../spec/index.ts'
import { sampleReport, withFailures } from '../../test/reports/sample-report.ts'
import type { Report } from '../report.ts'
import { levelState } from './level-list.ts'

const green = sampleReport({ green: true })
const refused = (report: Report): Report => ({ ...report, run: { ...report.run, granted: [] } })

test('a granted level and one that is not claimed need no reason', () => {
  expect(levelState('core', green)).toEqual({ state: 'granted', words: 'granted' })
  expect(levelState('tenancy', green)).toEqual({ state: 'unclaimed', words: 'not claimed' })
})

test('a blocking failure refuses the level', () => {
  const report = refused(withFailures(new Set(['threads.run-needs-user-message'])))
  expect(levelState('threads', report)).toEqual({ state: 'refused', words: 'not granted: 1 blocking' })
})

test('failures of several levels are counted out of those of the run, and those that a baseline knows apart', () => {
  const report = refused(withFailures(new Set(['threads.run-needs-user-message', 'http.operation-served'])))
  const total = report.verdicts.filter(({ blocking }) => blocking).length
  const core = levelState('core', report).words
  expect(core).toMatch(new RegExp(`^not granted: \\d+ of ${total} blocking$`))
  const known = report.verdicts.filter(({ blocking }) => blocking).map(obligationKey)
  const baseline = { file: 'known.json', known, unexpected: [], stale: [], expired: [], unproven: [] }
  expect(levelState('threads', { ...report, run: { ...report.run, baseline } }).words).toMatch(
    /^not granted: \d+ excused$/,
  )
})

test('what was left open decides nothing, and the reason is named', () => {
  const verdicts = green.verdicts.map((verdict) =>
    verdict.requirement === 'threads.run-needs-user-message'
      ? ({ ...verdict, outcome: 'unexercised', reason: 'budget: the cap of model calls was reached' } as const)
      : verdict,
  )
  const { state, words } = levelState('threads', refused({ ...green, verdicts }))
  expect(state).toBe('undecided')
  expect(words).toMatch(/^not decided: \d+ open \(left out by cap or tier\)$/)
})

test('recorded traffic grants nothing and refuses nothing', () => {
  expect(levelState('core', refused({ ...green, run: { ...green.run, source: 'har' } })).state).toBe('undecided')
})

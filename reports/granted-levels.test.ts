/** A reader learns which levels are not granted, and why, or that all are. */
import { expect, test } from 'vitest'
import { sampleReport } from '../test/reports/sample-report.ts'
import { TraceBuilder } from '../test/trace-builder/trace-builder.ts'
import { createReport } from './create-report.ts'
import { levelsText } from './granted-levels.ts'
import { settleReport } from './report-ending.ts'

const green = sampleReport({ green: true })
const { run } = green

test('when all claimed levels are granted, their number is enough', () => {
  expect(levelsText(green)).toBe('levels granted: all 6 claimed')
  expect(levelsText({ ...green, run: { ...run, claimed: ['core'], granted: ['core'] } })).toBe('levels granted: core')
})

test('a level that is not granted is named with the reason', () => {
  const verdicts = green.verdicts.map((one) =>
    one.requirement === 'files.grant-fields' ? { ...one, outcome: 'violated' as const, blocking: true } : one,
  )
  const granted = run.granted.filter((level) => level !== 'files' && level !== 'events')
  expect(levelsText({ ...green, verdicts, run: { ...run, granted } })).toBe(
    'levels not granted: events (not decided); files (failed)',
  )
})

test('a run that ended early grants nothing, and says so', () => {
  expect(levelsText({ ...green, run: { ...run, granted: [], complete: false } })).toBe(
    'levels not granted: all 6 claimed (the run ended early)',
  )
})

test('only a run that came to its end grants levels', () => {
  const grantedBy = (complete: boolean): readonly string[] => {
    const footer = { kind: 'footer', exchanges: 0, modelCalls: 0, durationMs: 1, complete } as const
    const trace = new TraceBuilder({ footer, profile: { claims: run.claimed } }).trace()
    return createReport(trace, { ...green, outcome: 'incomplete', exitCode: 2 }).run.granted
  }
  expect(grantedBy(true)).not.toEqual([])
  expect(grantedBy(false)).toEqual([])
})

test('a baseline does not excuse that the target stopped answering', () => {
  const text = 'the target stopped answering after E7'
  const notices = [{ code: 'target-stopped', text, exchanges: [] }]
  const stopped = { ...run, outcome: 'nonconformant', exitCode: 1, complete: false } as const
  const { outcome, exitCode, incompleteReason } = settleReport({ ...green, notices, run: stopped }).run
  expect([outcome, exitCode, incompleteReason]).toEqual(['invalid', 3, text])
})

test('recorded traffic grants nothing, and says so', () => {
  expect(levelsText({ ...green, run: { ...run, granted: [], source: 'proxy' } })).toBe(
    'levels not granted: all 6 claimed (recorded traffic grants nothing)',
  )
})

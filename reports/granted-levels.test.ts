/** A reader learns which levels are not granted, and why, or that all are. */
import { expect, test } from 'vitest'
import { sampleReport } from '../test/reports/sample-report.ts'
import { levelsText } from './granted-levels.ts'

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

test('recorded traffic grants nothing, and says so', () => {
  expect(levelsText({ ...green, run: { ...run, granted: [], source: 'proxy' } })).toBe(
    'levels not granted: all 6 claimed (recorded traffic grants nothing)',
  )
})

/** A HAR that the tool wrote itself is judged without false violations. Bodies may be cut and intents are lost. */
import { expect, test } from 'vitest'
import { referenceProfile } from '../cli/reference-profile.ts'
import { harToTrace, judge } from '../conformance/index.ts'
import { createReport, renderHar } from '../reports/index.ts'
import { recordedTrace } from './proof/recorded-trace.ts'

test('a HAR of a report or of a trace of a faultless run shows no violation', { timeout: 60_000 }, async () => {
  const trace = await recordedTrace('gate', 3)
  const report = createReport(trace, judge(trace))
  expect(report.exchanges.filter(({ omittedBytes }) => omittedBytes !== undefined).length).toBeGreaterThan(10)
  const profile = referenceProfile('http://acs.mock')
  for (const har of [renderHar(report), renderHar(trace)]) {
    const again = judge(harToTrace(har, { profile }), { strict: true })
    const wrong = again.verdicts.filter(({ outcome }) => outcome === 'violated' || outcome === 'suite-fault')
    expect(wrong.map(({ requirement, operation, actual }) => `${requirement} ${operation}: ${actual}`)).toEqual([])
    expect(again.verdicts.filter(({ outcome }) => outcome === 'upheld').length).toBeGreaterThan(150)
    const alone = judge(harToTrace(har), { strict: true })
    expect(alone.verdicts.flatMap(({ outcome, requirement }) => (outcome === 'violated' ? [requirement] : []))).toEqual(
      [],
    )
  }
})

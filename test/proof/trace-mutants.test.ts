/** Tests that judging a changed answer of a recorded trace finds the requirement that the change violates. */
import { beforeAll, expect, test } from 'vitest'
import type { Trace } from '../../conformance/index.ts'
import { pick, sampleCount } from '../support/samples.ts'
import { recordedTrace } from './recorded-trace.ts'
import { isKilled, judgeSlice, sitesIn, type TraceMutant, traceMutants } from './trace-mutants.ts'

let trace: Trace
let mutants: readonly TraceMutant[]

beforeAll(async () => {
  trace = await recordedTrace('gate')
  mutants = [...traceMutants(trace)]
})

const sampled = (): readonly TraceMutant[] => {
  const count = sampleCount('trace mutants of one operator, requirement and operation')
  const kinds = new Map<string, TraceMutant[]>()
  for (const mutant of mutants) {
    const kind = `${mutant.operator} ${mutant.requirement} ${mutant.site.operation}`
    const known = kinds.get(kind)
    if (known === undefined) kinds.set(kind, [mutant])
    else known.push(mutant)
  }
  return [...kinds.values()].flatMap((kind) => pick(kind, count))
}

test('a slice of a good trace violates nothing', () => {
  const alarms = sitesIn(trace).flatMap((site) =>
    judgeSlice(trace, site, null).verdicts.flatMap(({ outcome, requirement }) =>
      outcome === 'violated' ? [`${site.exchange.id} ${requirement}`] : [],
    ),
  )
  expect(alarms).toEqual([])
})

test('there are mutants of every kind', () => {
  expect(mutants.length).toBeGreaterThan(5000)
  expect(new Set(mutants.map(({ operator }) => operator)).size).toBeGreaterThan(35)
  expect(new Set(mutants.map(({ requirement }) => requirement)).size).toBeGreaterThan(30)
  expect(sampled().length).toBeGreaterThan(200)
})

test('every sampled mutant violates the requirement that it names', () => {
  const survivors = sampled().filter((mutant) => !isKilled(trace, mutant))
  expect(
    survivors.map(({ operator, requirement, site, at }) => `${site.exchange.id} ${operator} ${at} ${requirement}`),
  ).toEqual([])
})

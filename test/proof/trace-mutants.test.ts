/** Pure judging catches what is wrong in a recorded answer, and names the requirement that it violates. */
import { beforeAll, expect, test } from 'vitest'
import type { Trace } from '../../conformance/index.ts'
import { recordedTrace } from './recorded-trace.ts'
import { isKilled, judgeSlice, sitesIn, type TraceMutant, traceMutants } from './trace-mutants.ts'

let trace: Trace
let mutants: readonly TraceMutant[]

beforeAll(async () => {
  trace = await recordedTrace('gate')
  mutants = [...traceMutants(trace)]
})

/** At most so many mutants of one operator for one requirement at one operation. */
const sampleSize = 2

const sampled = (): readonly TraceMutant[] => {
  const taken = new Map<string, number>()
  return mutants.filter(({ operator, requirement, site }) => {
    const key = `${operator} ${requirement} ${site.operation}`
    taken.set(key, (taken.get(key) ?? 0) + 1)
    return (taken.get(key) ?? 0) <= sampleSize
  })
}

test('no slice of a good trace is called violated', () => {
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
  expect(sampled().length).toBeGreaterThan(300)
})

test('every sampled mutant violates the requirement that it names', () => {
  const survivors = sampled().filter((mutant) => !isKilled(trace, mutant))
  expect(
    survivors.map(({ operator, requirement, site, at }) => `${site.exchange.id} ${operator} ${at} ${requirement}`),
  ).toEqual([])
})

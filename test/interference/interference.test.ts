/**
 * Servers that are right only as long as one request follows another. The gate tier has to find each of them. All take
 * their time, so a sample is tried; `npm run prove` tries every one.
 */
import { expect, test } from 'vitest'
import { referenceProfile } from '../../cli/reference-profile.ts'
import { type FetchHandler, fetchClient, type Judgement, judge, run, type Trace } from '../../conformance/index.ts'
import { createMock } from '../../mock-server/index.ts'
import { sampleOf } from '../support/samples.ts'
import { brokenOffFaults } from './broken-off-faults.ts'
import { type FaultyProxy, others, overlapFaults } from './overlap-faults.ts'
import { pairKinds } from './pair-kinds.ts'
import { isSeen } from './seen-pairs.ts'

const profile = referenceProfile('http://acs.test')
const faults: Readonly<Record<string, FaultyProxy>> = { ...overlapFaults, ...brokenOffFaults }
const tried = sampleOf('faults of overlap and breaking off', Object.keys(faults))

/** Gate has no model call for a second run of the same thread. */
const deepOnly: ReadonlySet<string> = new Set(['of two runs at once one answer is lost'])

async function judgementOf(name: string, concurrency: number): Promise<Judgement> {
  const trace = await traceOf(faults[name] ?? ((handler) => handler), concurrency, deepOnly.has(name) ? 'deep' : 'gate')
  return judge(trace, { strict: true })
}

async function traceOf(proxy: FaultyProxy, concurrency: number, tier: 'gate' | 'deep' = 'gate'): Promise<Trace> {
  await using mock = await createMock({})
  const handler: FetchHandler = proxy((request) => mock.fetch(request))
  for await (const event of run(profile, { tier, seed: 23, concurrency, client: fetchClient(handler) }))
    if (event.type === 'finished') return event.trace
  throw new Error('the run ended without a trace')
}

test.concurrent.each(
  tried.flatMap(
    (name) =>
      [
        [name, 1],
        [name, 8],
      ] as const,
  ),
)('the suite finds that %s, with workers: %i', async (name, workers) => {
  const { outcome, verdicts } = await judgementOf(name, workers)
  const violated = verdicts.filter((verdict) => verdict.outcome === 'violated').map(({ requirement }) => requirement)
  expect(violated).not.toEqual([])
  expect(outcome).toBe('nonconformant')
})

test.concurrent.each([1, 8])(
  'without such faults nothing is found, and every kind of pair is seen, with workers: %i',
  async (workers) => {
    const unhurried: FaultyProxy = (handler) => async (request) => {
      await others()
      return handler(request)
    }
    const trace = await traceOf(unhurried, workers)
    expect(judge(trace, { strict: true }).outcome).toBe('conformant')
    // With one worker its assistant may not have answered before; then the second of its streams waits for the first.
    const asked = workers === 1 ? pairKinds.filter(({ probe }) => probe !== 'streams.text') : pairKinds
    expect(asked.filter((kind) => !isSeen(kind, trace))).toEqual([])
  },
)

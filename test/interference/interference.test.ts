/**
 * Servers that are right only as long as one request follows another. The gate tier has to find each of them. All take
 * their time, so a sample is tried; `npm run prove` tries every one.
 */
import { expect, test } from 'vitest'
import { referenceProfile } from '../../cli/reference-profile.ts'
import { type FetchHandler, fetchClient, type Judgement, judge, run, type Trace } from '../../conformance/index.ts'
import { pairKinds } from '../../conformance/probes/interference/pair-kinds.ts'
import { createMock } from '../../mock-server/index.ts'
import { sampleOf } from '../support/samples.ts'
import { brokenOffFaults } from './broken-off-faults.ts'
import { type FaultyProxy, others, overlapFaults } from './overlap-faults.ts'
import { isSeen } from './seen-pairs.ts'

const profile = referenceProfile('http://acs.test')
const faults: Readonly<Record<string, FaultyProxy>> = { ...overlapFaults, ...brokenOffFaults }
const tried = sampleOf('faults of overlap and breaking off', Object.keys(faults))

async function judgementOf(proxy: FaultyProxy): Promise<Judgement> {
  return judge(await traceOf(proxy), { strict: true })
}

async function traceOf(proxy: FaultyProxy): Promise<Trace> {
  await using mock = await createMock({})
  const handler: FetchHandler = proxy((request) => mock.fetch(request))
  for await (const event of run(profile, { tier: 'gate', seed: 21, client: fetchClient(handler) }))
    if (event.type === 'finished') return event.trace
  throw new Error('the run ended without a trace')
}

test.each(tried)('gate finds that %s', async (name) => {
  const { outcome, verdicts } = await judgementOf(faults[name] ?? ((handler) => handler))
  const violated = verdicts.filter((verdict) => verdict.outcome === 'violated').map(({ requirement }) => requirement)
  expect(violated).not.toEqual([])
  expect(outcome).toBe('nonconformant')
})

test('before a server without such faults nothing is found, and every kind of pair is seen', async () => {
  const trace = await traceOf((handler) => async (request) => {
    await others()
    return handler(request)
  })
  expect(judge(trace, { strict: true }).outcome).toBe('conformant')
  expect(pairKinds.filter((kind) => !isSeen(kind, trace))).toEqual([])
})

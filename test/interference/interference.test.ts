/**
 * Servers that are right only as long as one request follows another. The gate tier has to find each of them. All take
 * their time, so a few are tried; ACS_PROVE_WHOLE=1 tries every one.
 */
import { expect, test } from 'vitest'
import { referenceProfile } from '../../cli/reference-profile.ts'
import { type FetchHandler, fetchClient, type Judgement, judge, run, type Trace } from '../../conformance/index.ts'
import { pairKinds } from '../../conformance/probes/interference/pair-kinds.ts'
import { createMock } from '../../mock-server/index.ts'
import { brokenOffFaults } from './broken-off-faults.ts'
import { type FaultyProxy, others, overlapFaults } from './overlap-faults.ts'
import { isSeen } from './seen-pairs.ts'

const profile = referenceProfile('http://acs.test')
const faults: Readonly<Record<string, FaultyProxy>> = { ...overlapFaults, ...brokenOffFaults }
const few = [
  'tenants at once read one record of keys',
  'of two tool results at once one is lost',
  'of two runs at once one answer is lost',
  'a message that comes during a run is lost',
  'streams at once exchange a chunk',
  'any answer that nobody waited for goes to the next caller',
  'a broken-off stream locks its thread',
]
const tried = process.env.ACS_PROVE_WHOLE === '1' ? Object.keys(faults) : few

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

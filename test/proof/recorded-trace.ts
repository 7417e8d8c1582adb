/**
 * Records a trace of the suite on the faithful mock, in this process.
 * Other tests mutate it or have it judged by others.
 */

import { trialClient } from '../../cli/prove/trial.ts'
import { virtualClock } from '../../cli/prove/virtual-time.ts'
import { referenceProfile } from '../../cli/reference-profile.ts'
import { run, type Tier, type Trace } from '../../conformance/index.ts'
import { createMock } from '../../mock-server/index.ts'

const recorded = new Map<string, Promise<Trace>>()

/** The trace of a tier on the mock, recorded once for all tests of a worker. */
export function recordedTrace(tier: Tier, seed = 1): Promise<Trace> {
  const key = `${tier} ${seed}`
  const trace = recorded.get(key) ?? record(tier, seed)
  recorded.set(key, trace)
  return trace
}

async function record(tier: Tier, seed: number): Promise<Trace> {
  await using mock = await createMock({ seed, clock: virtualClock })
  const client = trialClient(mock)
  for await (const event of run(referenceProfile('http://acs.mock'), { tier, seed, client })) {
    if (event.type === 'finished') return event.trace
  }
  throw new Error('the run ended without a trace')
}

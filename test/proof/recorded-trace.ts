/**
 * Records a trace of the suite on the faithful mock, in this process.
 * Other tests mutate it or have it judged by others.
 */

import { referenceProfile } from '../../cli/reference-profile.ts'
import { fetchClient, run, type Tier, type Trace } from '../../conformance/index.ts'
import { createMock } from '../../mock-server/index.ts'

/** Plays a tier against the mock and gives the trace. */
export async function recordedTrace(tier: Tier, seed = 1): Promise<Trace> {
  await using mock = await createMock({ seed })
  const client = fetchClient((request) => mock.fetch(request))
  for await (const event of run(referenceProfile('http://acs.mock'), { tier, seed, client })) {
    if (event.type === 'finished') return event.trace
  }
  throw new Error('the run ended without a trace')
}

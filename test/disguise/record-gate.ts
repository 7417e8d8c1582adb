/** Records a gate run of the suite on an honest mock, in this process. */
import { trialClient, trialProfile } from '../../cli/prove/trial.ts'
import { type ClientOptions, run, type Trace } from '../../conformance/index.ts'
import { createMock } from '../../mock-server/index.ts'

/** The run whose requests follow from this seed. */
export async function recordGate(seed: number): Promise<Trace> {
  await using mock = await createMock({ seed, clock: { mode: 'stepped' } })
  const client = (options: ClientOptions) => trialClient(mock)(options)
  for await (const event of run(trialProfile({}), { tier: 'gate', seed, client }))
    if (event.type === 'finished') return event.trace
  throw new Error('the run ended without a trace')
}

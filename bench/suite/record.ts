/**
 * One recorded run of a tier, for benchmarks that need a trace.
 */

import { referenceProfile } from '../../cli/reference-profile.ts'
import { run, type Trace } from '../../conformance/index.ts'

/** Runs the gate tier against the mock at a base URL. */
export const recordGate = async (baseUrl: string, seed: number): Promise<Trace> => {
  for await (const event of run(referenceProfile(baseUrl), { tier: 'gate', seed })) {
    if (event.type === 'finished') return event.trace
  }
  throw new Error('the run did not finish')
}

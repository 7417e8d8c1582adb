/**
 * One recorded run of a tier, for benchmarks that need a trace.
 */
import { run, type Trace } from '../../conformance/index.ts'
import { mockProfile } from './mock-profile.ts'

/** Runs the gate tier against the mock at a base URL. */
export const recordGate = async (baseUrl: string, seed: number): Promise<Trace> => {
  for await (const event of run(mockProfile(baseUrl), { tier: 'gate', seed })) {
    if (event.type === 'finished') return event.trace
  }
  throw new Error('the run did not finish')
}

/** Runs the gate tier on a cedar with as many workers as `acs test`, and judges the trace strictly. */
import { type Judgement, judge, run, type Trace } from '../../../conformance/index.ts'
import { type CedarOptions, startCedar } from './start-cedar.ts'

async function traceOf(options: CedarOptions, seed: number): Promise<Trace> {
  const cedar = await startCedar(options)
  try {
    for await (const event of run(cedar.profile, { tier: 'gate', seed, concurrency: 8 })) {
      if (event.type === 'finished') return event.trace
    }
  } finally {
    await cedar.close()
  }
  throw new Error('the run ended without a trace')
}

/** What the suite says about a cedar. */
export async function judgeCedar(options: CedarOptions, seed = 11): Promise<Judgement> {
  return judge(await traceOf(options, seed), { strict: true })
}

/** The requirements that a judgement holds against the server. */
export function against({ verdicts }: Judgement): readonly string[] {
  return verdicts
    .filter(({ outcome }) => outcome === 'violated' || outcome === 'suite-fault')
    .map(({ requirement }) => requirement)
}

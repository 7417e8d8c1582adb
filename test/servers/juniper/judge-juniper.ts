/** Runs the gate tier of the suite on a juniper and judges the trace. */
import { type Judgement, judge, run, type Trace } from '../../../conformance/index.ts'
import { type JuniperOptions, startJuniper } from './start-juniper.ts'

/** A gate run on a juniper. */
export async function traceOfJuniper(options: JuniperOptions, seed: number): Promise<Trace> {
  const juniper = await startJuniper(options)
  try {
    for await (const event of run(juniper.profile, { tier: 'gate', seed, concurrency: 8 })) {
      if (event.type === 'finished') return event.trace
    }
  } finally {
    await juniper.close()
  }
  throw new Error('the run ended without a trace')
}

/** What the suite says about a juniper. */
export async function judgeJuniper(options: JuniperOptions, seed = 11): Promise<Judgement> {
  return judge(await traceOfJuniper(options, seed), { strict: true })
}

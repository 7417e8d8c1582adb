/** Runs the suite on servers that it was not written with: it names each fault and accepts every legal difference. */
import { expect, test } from 'vitest'
import { type Judgement, judge, run, type Trace } from '../conformance/index.ts'
import {
  type FaultyServer,
  faultyServers,
  legalServers,
  startFront,
} from './servers/altered-servers/altered-servers.ts'
import { startAtrium } from './servers/atrium/index.ts'
import { startBasalt } from './servers/basalt/index.ts'
import { sampleOf, sampleOfEach, sampling } from './support/samples.ts'

const start = { atrium: startAtrium, basalt: startBasalt }

async function traceOf({ behind, rewrite }: Pick<FaultyServer, 'behind' | 'rewrite'>, only = '*'): Promise<Trace> {
  const server = await start[behind]()
  const front = await startFront(server.profile.baseUrl, rewrite())
  try {
    for await (const event of run({ ...server.profile, baseUrl: front.url }, { tier: 'gate', seed: 11, only })) {
      if (event.type === 'finished') return event.trace
    }
  } finally {
    await front.close()
    await server.close()
  }
  throw new Error('the run ended without a trace')
}

const against = ({ verdicts }: Judgement): readonly string[] =>
  verdicts
    .filter(({ outcome }) => outcome === 'violated' || outcome === 'suite-fault')
    .map(({ requirement }) => requirement)

const chapterOf = ({ violates }: FaultyServer): string => violates.split('.')[0] ?? ''
const sampled = sampleOfEach('faulty servers, and at least one for each chapter', faultyServers, chapterOf)

/** A sampled run plays the probes of the broken requirement, and all of them only when these show nothing. */
async function judged(altered: FaultyServer): Promise<Judgement> {
  const { violates: only } = altered
  const short = sampling.whole ? null : judge(await traceOf(altered, only), { strict: true, only })
  return short?.outcome === 'nonconformant' ? short : judge(await traceOf(altered), { strict: true })
}

test.concurrent.each(sampled)('$behind violates $violates when $rule', async (altered) => {
  const judgement = await judged(altered)
  expect(against(judgement)).toContain(altered.violates)
  expect(judgement.outcome).toBe('nonconformant')
})

test.concurrent.each(sampleOf('legal servers', legalServers))(
  '$behind violates nothing with $rule',
  async (altered) => {
    const trace = await traceOf(altered)
    const strict = judge(trace, { strict: true })
    expect([...new Set(against(strict))]).toEqual(altered.departsFrom ?? [])
    expect([judge(trace).outcome, strict.outcome]).toEqual(['conformant', 'conformant'])
  },
)

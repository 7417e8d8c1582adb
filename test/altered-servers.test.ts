/** The suite before servers that it was not written with: each fault is named, and no legal habit is held against anyone. */
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

const start = { atrium: startAtrium, basalt: startBasalt }

async function traceOf({ behind, rewrite }: Pick<FaultyServer, 'behind' | 'rewrite'>): Promise<Trace> {
  const server = await start[behind]()
  const front = await startFront(server.profile.baseUrl, rewrite())
  try {
    for await (const event of run({ ...server.profile, baseUrl: front.url }, { tier: 'gate', seed: 11 })) {
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

test.concurrent.each(faultyServers)('$violates is held against $behind: $law', async (altered) => {
  const judgement = judge(await traceOf(altered), { strict: true })
  expect(against(judgement)).toContain(altered.violates)
  expect(judgement.outcome).toBe('nonconformant')
})

test.concurrent.each(legalServers)('nothing is held against $behind: $law', async (altered) => {
  const trace = await traceOf(altered)
  expect(against(judge(trace, { strict: true }))).toEqual([])
  expect(judge(trace).outcome).toBe('conformant')
})

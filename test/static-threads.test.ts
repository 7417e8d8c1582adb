/** Threads that the profile lists: what earlier runs left in them, and parts that run side by side, accuse nobody. */
import { expect } from 'vitest'
import { trialClient } from '../cli/prove/trial.ts'
import { virtualClock } from '../cli/prove/virtual-time.ts'
import { referenceProfile } from '../cli/reference-profile.ts'
import { fetchClient, judge, type RunOptions, run, type TargetProfile, type Trace } from '../conformance/index.ts'
import { createMock, type Mock } from '../mock-server/index.ts'
import { slowTest } from './support/slow-test.ts'

type Send = Parameters<typeof fetchClient>[0]

const threadsOf = async (mock: Mock, tenant: 'primary' | 'secondary', count: number) => {
  const headers = { 'api-key': `acs-demo-${tenant}`, 'content-type': 'application/json' }
  const made = Array.from({ length: count }, async () => {
    const answer = await mock.fetch(new Request('http://acs.mock/v1/threads', { method: 'POST', headers, body: '{}' }))
    return { id: String(((await answer.json()) as { id: unknown }).id), tenant, holds: 'empty' } as const
  })
  return Promise.all(made)
}

const profileOn = async (mock: Mock, count: number): Promise<TargetProfile> => ({
  ...referenceProfile('http://acs.mock'),
  threads: {
    kind: 'static',
    threads: [...(await threadsOf(mock, 'primary', count)), ...(await threadsOf(mock, 'secondary', 8))],
  },
})

const traceOf = (profile: TargetProfile, send: Send, options: RunOptions): Promise<Trace> =>
  traceWith(profile, { ...options, client: fetchClient(send) })

const traceWith = async (profile: TargetProfile, options: RunOptions): Promise<Trace> => {
  for await (const event of run(profile, options)) {
    if (event.type === 'finished') return event.trace
  }
  throw new Error('the run ended without a trace')
}

const accused = (trace: Trace): readonly string[] =>
  judge(trace, { strict: true })
    .verdicts.filter(({ outcome }) => outcome === 'violated' || outcome === 'suite-fault')
    .map(({ requirement, operation, actual, reason }) => `${requirement} ${operation}: ${actual ?? reason}`)

slowTest.concurrent('threads that were used before accuse nobody, with the same seed or another', async () => {
  await using mock = await createMock({ seed: 1, clock: virtualClock })
  const profile = await profileOn(mock, 24)
  const played = (options: RunOptions): Promise<Trace> => traceWith(profile, { ...options, client: trialClient(mock) })
  const fresh = await played({ seed: 1 })
  expect([judge(fresh).outcome, accused(fresh)]).toEqual(['conformant', []])
  for (const options of [{ seed: 1 }, { tier: 'smoke', seed: 2 }] as const) {
    const again = await played(options)
    expect(accused(again)).toEqual([])
    expect(judge(again).notices.map(({ code }) => code)).toContain('thread-not-empty')
  }
})

slowTest.concurrent('parts that run side by side share no thread and accuse nobody', async () => {
  await using mock = await createMock({ seed: 1 })
  const profile = await profileOn(mock, 40)
  const parts = [1, 2].map((index) =>
    traceOf(profile, (request) => mock.fetch(request), { seed: 1, shard: { index, of: 2 } }),
  )
  const traces = await Promise.all(parts)
  const used = traces.map(
    ({ exchanges }) =>
      new Set(exchanges.flatMap(({ request }) => /\/v1\/threads\/([^/]+)\//.exec(request.url)?.[1] ?? [])),
  )
  const own = profile.threads?.kind === 'static' ? profile.threads.threads.map(({ id }) => id) : []
  expect(own.filter((id) => used.every((ids) => ids.has(id)))).toEqual([])
  expect(traces.flatMap(accused)).toEqual([])
})

slowTest.concurrent('listed threads that do not exist or are another tenant’s accuse nobody', async () => {
  await using mock = await createMock({ seed: 1 })
  const profile = await profileOn(mock, 4)
  const own = profile.threads?.kind === 'static' ? profile.threads.threads : []
  const [foreign] = await threadsOf(mock, 'secondary', 1)
  const missing = { id: '36ede3ed-0f5b-4a2b-9f43-1d7c5a6b0001', tenant: 'primary', holds: 'empty' } as const
  const wrong = [
    missing,
    { ...missing, id: '36ede3ed-0f5b-4a2b-9f43-1d7c5a6b0002', holds: 'unknown' },
    { ...missing, id: String(foreign?.id) },
    { ...missing, id: String(foreign?.id), holds: 'unknown' },
  ] as const
  for (const listed of [wrong, [...wrong, ...own]]) {
    const threads = { kind: 'static', threads: listed } as const
    const trace = await traceOf({ ...profile, threads }, (request) => mock.fetch(request), { seed: 1, tier: 'smoke' })
    expect(accused(trace)).toEqual([])
  }
})

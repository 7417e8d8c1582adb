/**
 * Tests that findings can be replayed from their files, within the budget.
 * A lasting fault is confirmed, a passing one is not.
 */
import { expect, test } from 'vitest'
import { referenceProfile } from '../cli/reference-profile.ts'
import {
  confirm,
  type FetchHandler,
  fetchClient,
  type Judgement,
  judge,
  replay,
  replayFileOf,
  run,
  type Trace,
} from '../conformance/index.ts'
import { createMock } from '../mock-server/index.ts'

const profile = referenceProfile('http://acs.test')

/** The mock behind a fault: `spoil` may change the body of an answer to a created message. */
const faulty = async (spoil: (message: Record<string, unknown>) => Record<string, unknown>): Promise<FetchHandler> => {
  const mock = await createMock({})
  return async (request) => {
    const { pathname } = new URL(request.url)
    const response = await mock.fetch(request)
    if (request.method !== 'POST' || !pathname.endsWith('/messages') || response.status !== 201) return response
    return Response.json(spoil((await response.json()) as Record<string, unknown>), { status: 201 })
  }
}

const judged = async (handler: FetchHandler): Promise<{ trace: Trace; judgement: Judgement }> => {
  const options = { tier: 'smoke', seed: 2, only: 'threads.create-echoes', client: fetchClient(handler) } as const
  for await (const event of run(profile, options)) {
    if (event.type === 'finished')
      return { trace: event.trace, judgement: judge(event.trace, { only: 'threads.create-echoes' }) }
  }
  throw new Error('the run ended without a trace')
}
const violatedIn = ({ verdicts }: Judgement) => verdicts.filter(({ outcome }) => outcome === 'violated')

test('a lasting fault is confirmed when its file is replayed', async () => {
  const handler = await faulty((message) => ({ ...message, content: `${String(message.content)} ` }))
  const { trace, judgement } = await judged(handler)
  const options = { judge, client: fetchClient(handler), maxExchanges: 50, maxModelCalls: 0 }
  const confirmed = await confirm(judgement, trace, profile, options)
  expect(violatedIn(judgement).length).toBeGreaterThan(0)
  expect(confirmed.map(({ outcome }) => outcome.kind)).toEqual(violatedIn(judgement).map(() => 'reproduced'))
})

test('a fault that passed is not confirmed', async () => {
  let spoiled = 0
  const handler = await faulty((message) => {
    spoiled += 1
    return spoiled === 1 ? { ...message, content: 'something else' } : message
  })
  const { trace, judgement } = await judged(handler)
  const options = { judge, client: fetchClient(handler), maxExchanges: 50, maxModelCalls: 0 }
  const confirmed = await confirm(judgement, trace, profile, options)
  expect(confirmed.map(({ outcome }) => outcome.kind)).toEqual(['not-reproduced'])
})

/** Each message of a thread behind its first ones is spoiled. */
const spoiltBehind = async (most: number): Promise<FetchHandler> => {
  const seen = new Map<string, number>()
  const handler = await faulty((message) => {
    const thread = String(message.thread_id)
    seen.set(thread, (seen.get(thread) ?? 0) + 1)
    return (seen.get(thread) ?? 0) > most ? { ...message, content: 'something else' } : message
  })
  return handler
}

test('a fault that takes earlier messages is confirmed with the history of its thread', async () => {
  const handler = await spoiltBehind(2)
  const { trace, judgement } = await judged(handler)
  const confirmed = (maxExchanges: number) =>
    confirm(judgement, trace, profile, { judge, client: fetchClient(handler), maxExchanges, maxModelCalls: 5 })
  const [first, ...rest] = (await confirmed(100)).map(({ outcome }) => outcome)
  expect([first, rest]).toMatchObject([{ kind: 'reproduced', history: true }, []])
  expect((await confirmed(4)).map(({ outcome }) => outcome.kind)).toEqual(['not-reproduced'])
})

test('violations of the same requests share one replay', async () => {
  const handler = await faulty((message) => ({ ...message, content: 'something else' }))
  const { trace, judgement } = await judged(handler)
  const [first] = violatedIn(judgement)
  if (first === undefined) throw new Error('nothing is violated')
  let sent = 0
  const counting: FetchHandler = (request) => {
    sent += 1
    return handler(request)
  }
  const sentFor = async (verdicts: Judgement['verdicts']): Promise<number> => {
    sent = 0
    const options = { judge, client: fetchClient(counting), maxExchanges: 50, maxModelCalls: 0 }
    const confirmed = await confirm({ ...judgement, verdicts }, trace, profile, options)
    expect(confirmed.map(({ outcome }) => outcome.kind)).toEqual(verdicts.map(() => 'reproduced'))
    return sent
  }
  expect(await sentFor([first, first])).toBe(await sentFor([first]))
})

test('without a budget nothing is replayed and nothing is confirmed', async () => {
  const handler = await faulty((message) => ({ ...message, content: 'something else' }))
  const { trace, judgement } = await judged(handler)
  let sent = 0
  const counting: FetchHandler = (request) => {
    sent += 1
    return handler(request)
  }
  const options = { judge, client: fetchClient(counting), maxExchanges: 0, maxModelCalls: 0 }
  const confirmed = await confirm(judgement, trace, profile, options)
  expect(sent).toBe(0)
  expect(confirmed.every(({ outcome }) => outcome.kind === 'not-tried')).toBe(true)
})

test('a replay file holds no key, and a replay opens a thread of its own', async () => {
  const handler = await faulty((message) => ({ ...message, content: 'something else' }))
  const { trace, judgement } = await judged(handler)
  const [verdict] = violatedIn(judgement)
  const file = verdict === undefined ? null : replayFileOf(verdict, trace)
  if (file === null) throw new Error('no replay file')
  expect(JSON.stringify(file)).not.toContain('acs-demo-primary')
  const again = await replay(file, profile, { client: fetchClient(handler) })
  const threads = ({ exchanges }: Trace) =>
    exchanges.flatMap(({ request }) => /\/threads\/([0-9a-f-]{36})\//.exec(request.url)?.[1] ?? [])
  expect(again.footer).toMatchObject({ complete: true })
  expect(again.exchanges.length).toBe(file.steps.length)
  expect(threads(again).length).toBeGreaterThan(0)
  expect(threads(trace)).not.toEqual(expect.arrayContaining(threads(again)))
})

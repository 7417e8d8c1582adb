/** Tests that a run is repeatable and bounded, and honest when the target dies, hangs or the run is interrupted. */
import { expect, test } from 'vitest'
import { trialClient } from '../cli/prove/trial.ts'
import { virtualClock } from '../cli/prove/virtual-time.ts'
import { referenceProfile } from '../cli/reference-profile.ts'
import {
  type FetchHandler,
  fetchClient,
  judge,
  planRun,
  type RunEvent,
  type RunOptions,
  run,
  type Trace,
} from '../conformance/index.ts'
import { createMock } from '../mock-server/index.ts'
import { slowTest } from './support/slow-test.ts'

const profile = referenceProfile('http://acs.test')
const impatient = { ...profile, budget: { ...profile.budget, timeoutMs: 20 } }

const traceOf = async (options: RunOptions, target = profile, onEvent?: (event: RunEvent) => void): Promise<Trace> => {
  for await (const event of run(target, options)) {
    onEvent?.(event)
    if (event.type === 'finished') return event.trace
  }
  throw new Error('the run ended without a trace')
}
const onMock = async (wrap: (handler: FetchHandler) => FetchHandler = (handler) => handler, seed = 5) => {
  const mock = await createMock({ seed, clock: virtualClock })
  return trialClient(mock, wrap)
}
/** Signed upload URLs are the target's own: their signature and expiry depend on its clock. */
const requestsOf = ({ exchanges }: Trace) =>
  exchanges.map(({ request: { method, url, body } }) =>
    [method, method === 'PUT' ? url.split('?')[0] : url, JSON.stringify(body)].join(' '),
  )

slowTest.concurrent('the same seed sends the same requests to the same target', async () => {
  const first = await traceOf({ tier: 'gate', seed: 3, client: await onMock() })
  const second = await traceOf({ tier: 'gate', seed: 3, client: await onMock() })
  expect(requestsOf(second)).toEqual(requestsOf(first))
})

slowTest.concurrent('another seed sends other requests', async () => {
  const first = await traceOf({ tier: 'smoke', seed: 3, client: await onMock() })
  const second = await traceOf({ tier: 'smoke', seed: 4, client: await onMock() })
  expect(requestsOf(second)).not.toEqual(requestsOf(first))
})

slowTest.concurrent('probes that run at the same time keep the caps', async () => {
  const { footer, exchanges } = await traceOf({ tier: 'gate', seed: 3, concurrency: 6, client: await onMock() })
  expect(footer).toMatchObject({ complete: true })
  expect(exchanges.length).toBeLessThanOrEqual(600)
  expect(new Set(exchanges.map(({ intent }) => intent?.probe)).size).toBeGreaterThan(40)
})

slowTest.concurrent(
  'caps of a profile have no reserve, and leave no run incomplete for what no plan kept',
  async () => {
    // A cap that the user gives: no quota and nothing provoked, so that requests are left when all model calls are spent.
    const capped = { ...profile, throttle: null, provoke: {}, budget: { ...profile.budget, maxModelCalls: 20 } }
    const { footer, exchanges } = await traceOf({ tier: 'gate', seed: 3, client: await onMock() }, capped)
    expect(exchanges.map(({ intent }) => intent?.probe)).toContain('tools.answered-twice')
    // All planned calls are made; without a reserve, the one beside them stays for refusals that are answered.
    const planned = planRun(capped, { tier: 'gate' }).probes.reduce((sum, { modelCalls }) => sum + modelCalls, 0)
    expect(planned).toBeGreaterThanOrEqual(19)
    expect(footer).toMatchObject({ complete: true, modelCalls: planned })
  },
)

slowTest.concurrent('a profile that gives every run its tools still shows that a run needs none', async () => {
  const withTools = { ...profile, runBody: { ...Object(profile.runBody), tools: [{ name: 'lookup' }] } }
  const { verdicts } = judge(await traceOf({ tier: 'gate', seed: 3, client: await onMock() }, withTools))
  const ofRule = verdicts.filter(({ requirement }) => requirement === 'threads.run-empty-body')
  expect(ofRule.map(({ operation, outcome }) => [operation, outcome])).toEqual([
    ['runThread', 'upheld'],
    ['streamThreadRun', 'upheld'],
  ])
})

test.concurrent('the plan is the first event, chapters start and finish, and the trace is the last event', async () => {
  const events: RunEvent[] = []
  await traceOf({ tier: 'smoke', seed: 1, client: await onMock() }, profile, (event) => events.push(event))
  const signs = events.filter((event) => event.type === 'chapter')
  expect([events[0]?.type, events.at(-1)?.type]).toEqual(['planned', 'finished'])
  for (const { chapter } of signs) {
    const own = signs.filter((sign) => sign.chapter === chapter).map(({ state }) => state)
    expect(own).toEqual(['started', 'finished'])
  }
})

test('a pace costs no obligation that needs requests at once', async () => {
  await using mock = await createMock({ seed: 5 })
  const { url } = await mock.listen({ port: 0, host: '127.0.0.1' })
  const paced = { ...profile, baseUrl: url, budget: { ...profile.budget, ratePerMinute: 6000 } }
  const only = 'threads.concurrent-creates'
  const { verdicts } = judge(await traceOf({ tier: 'gate', seed: 1, only }, paced), { only })
  expect(verdicts.map(({ operation, outcome }) => `${operation} ${outcome}`)).toEqual(['createMessage upheld'])
})

test('a target that refuses connections ends the run at once', async () => {
  const { footer, exchanges } = await traceOf({ tier: 'gate', seed: 1 }, { ...profile, baseUrl: 'http://127.0.0.1:1' })
  expect(footer).toMatchObject({ complete: false, reason: 'unreachable' })
  expect(exchanges.length).toBeLessThan(5)
})

test('a target that never answers ends the run after a few requests', async () => {
  const silent = fetchClient(() => new Promise<Response>(() => {}))
  const { footer, exchanges } = await traceOf({ tier: 'gate', seed: 1, client: silent }, impatient)
  expect(footer).toMatchObject({ complete: false, reason: 'unreachable' })
  expect(exchanges.length).toBeLessThan(10)
})

test('a target that dies during the run ends it, and the trace keeps what was seen before', async () => {
  let served = 0
  const mortal = await onMock((handler) => (request) => {
    served += 1
    if (served > 40) throw new Error('connection refused')
    return handler(request)
  })
  const { footer, exchanges } = await traceOf({ tier: 'gate', seed: 1, client: mortal })
  expect(footer).toMatchObject({ complete: false, reason: 'unreachable' })
  // What a probe left before its answer was served as well.
  expect(exchanges.filter(({ response, ending }) => response !== null || ending === 'aborted').length).toBe(40)
})

test('an operation that hangs is left out, and all others are still tested', async () => {
  const client = await onMock(
    (handler) => (request) =>
      new URL(request.url).pathname.endsWith('/run') ? new Promise<Response>(() => {}) : handler(request),
  )
  const trace = await traceOf({ tier: 'gate', seed: 1, client }, impatient)
  expect(trace.footer).toMatchObject({ complete: true })
  expect(trace.notes.filter(({ reason }) => reason === 'blocked').map(({ text }) => text)).toContainEqual(
    expect.stringContaining('runThread gave no whole answer'),
  )
  expect(trace.exchanges.some(({ intent }) => intent?.probe === 'files.persist')).toBe(true)
})

test('an interruption ends the run at its next request, and the footer says so', async () => {
  const controller = new AbortController()
  let seen = 0
  const trace = await traceOf(
    { tier: 'gate', seed: 1, signal: controller.signal, client: await onMock() },
    profile,
    (event) => {
      if (event.type === 'exchanged') seen += 1
      if (seen === 25) controller.abort()
    },
  )
  expect(trace.footer).toMatchObject({ complete: false, reason: 'interrupted' })
  expect(trace.exchanges.length).toBeLessThan(60)
})

test('a run that is interrupted before it starts sends nothing', async () => {
  const { footer, exchanges } = await traceOf({ signal: AbortSignal.abort(), client: await onMock() })
  expect(footer).toMatchObject({ complete: false, reason: 'interrupted' })
  expect(exchanges).toEqual([])
})

test('the cap on model calls holds for a target that answers what it should refuse', async () => {
  const answersAll = await onMock((handler) => async (request) => {
    const response = await handler(request)
    const isCompletion = new URL(request.url).pathname.startsWith('/v1/chat/completions')
    return isCompletion && response.status >= 400 ? Response.json({ id: 'x', role: 'assistant' }) : response
  })
  const { footer } = await traceOf({ tier: 'gate', seed: 1, maxModelCalls: 9, client: answersAll })
  expect(footer?.modelCalls).toBeLessThanOrEqual(9)
})

test('the first accepted wrong completion of a field ends its class, since each costs a model call', async () => {
  const answersAll = await onMock((handler) => async (request) => {
    const response = await handler(request)
    const isCompletion = new URL(request.url).pathname === '/v1/chat/completions'
    return isCompletion && response.status >= 400 ? Response.json({ id: 'x', role: 'assistant' }) : response
  })
  const only = 'completions.messages-well-typed'
  const { exchanges, notes } = await traceOf({ tier: 'gate', seed: 1, only, client: answersAll })
  const wrong = exchanges.filter(
    ({ intent }) => intent?.operation === 'createChatCompletion' && intent.purpose.includes('/messages/'),
  )
  expect(wrong.map(({ intent }) => intent?.purpose)).toEqual([
    expect.stringMatching(/^(type|null):.*\/messages\/\d+$/),
    expect.stringMatching(/^drop:.*\/messages\/\d+\/role$/),
    expect.stringMatching(/^enum:.*\/messages\/\d+\/role$/),
  ])
  expect(notes).toContainEqual(expect.objectContaining({ reason: 'blocked', operation: 'createChatCompletion' }))
})

test('the run stops when its reader stops reading', async () => {
  let sent = 0
  const client = await onMock((handler) => (request) => {
    sent += 1
    return handler(request)
  })
  for await (const event of run(profile, { tier: 'gate', seed: 1, client })) if (event.type === 'exchanged') break
  expect(sent).toBeLessThan(100)
})

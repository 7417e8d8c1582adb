/** The suite on services as they are: assistants that fail, gateways that fail now and then, several workers. */
import { expect, test } from 'vitest'
import { referenceProfile } from '../cli/reference-profile.ts'
import {
  type FetchHandler,
  type Judgement,
  judge,
  type RunOptions,
  reenact,
  type TargetProfile,
  type Trace,
} from '../conformance/index.ts'
import { isOpen } from '../conformance/judge/run-outcome.ts'
import { createMock } from '../mock-server/index.ts'
import { traceOfRun } from './recorded-run.ts'
import { startAtrium } from './servers/atrium/index.ts'
import { startBasalt } from './servers/basalt/index.ts'
import { hasPython, startCedar } from './servers/cedar/start-cedar.ts'
import { pick, sampleCount, sampleOf } from './support/samples.ts'
import { serveHandler } from './support/serve-handler.ts'
import { slowTest } from './support/slow-test.ts'
import { type Unreliability, unreliable } from './support/unreliable.ts'

interface Run {
  readonly trace: Trace
  readonly judgement: Judgement
}

/** What was fetched is unpacked already, and has another length than its header says. */
const forwarded = async (request: Request): Promise<Response> => {
  const { body, status, headers } = await fetch(request)
  const own = [...headers].filter(([name]) => name !== 'content-encoding' && name !== 'content-length')
  return new Response(body, { status, headers: own })
}

const behind = async (
  profile: TargetProfile,
  trouble: Unreliability | FetchHandler,
  options: RunOptions,
): Promise<Run> => {
  const handler = typeof trouble === 'function' ? trouble : unreliable(forwarded, trouble)
  const served = await serveHandler(handler, profile.baseUrl)
  const trace = await traceOfRun({ ...profile, baseUrl: served.url }, { tier: 'gate', seed: 3, ...options }).finally(
    served.close,
  )
  return { trace, judgement: judge(trace, { strict: true }) }
}

const onMock = async (
  trouble: Unreliability | FetchHandler,
  options: RunOptions = {},
  change: Partial<TargetProfile> = {},
): Promise<Run> => {
  await using mock = await createMock({ seed: 5 })
  const listener = await mock.listen({ port: 0, host: '127.0.0.1' })
  try {
    return await behind({ ...referenceProfile(listener.url), ...change }, trouble, options)
  } finally {
    await listener.close()
  }
}

const violated = ({ verdicts }: Judgement) => verdicts.filter(({ outcome }) => outcome === 'violated')
const askedFor = ({ exchanges }: Trace, id: string): number =>
  exchanges.filter(({ request, intent }) => {
    const body = request.body !== null && 'utf8' in request.body ? request.body.utf8 : ''
    return intent?.expects === 'accepted' && body.includes(id) && request.url.includes('completions')
  }).length
const firstBroken = 'bb0ce000-0000-4000-8000-000000000000'

const places = { first: [0, 1], 'in the middle': [0, 3], last: [-1, -1] }

test.each(sampleOf('places of broken assistants', Object.entries(places)))(
  'with two broken assistants %s the mock is conformant, and each of them is asked twice at most',
  async (_, brokenAt) => {
    const { trace, judgement } = await onMock({ brokenAt }, { concurrency: 8 })
    expect(judgement.outcome).toBe('conformant')
    expect(violated(judgement)).toEqual([])
    expect(askedFor(trace, firstBroken)).toBeLessThanOrEqual(2)
  },
)

const independent = {
  atrium: startAtrium,
  basalt: startBasalt,
  ...(hasPython ? { cedar: startCedar } : {}),
}
const brokenOnServers = Object.keys(independent).flatMap((server) =>
  Object.entries(places).map(([place, brokenAt]) => ({ server, place, brokenAt })),
)

const onServer = async (server: string, trouble: Unreliability, options: RunOptions): Promise<Run> => {
  const started = await independent[server as keyof typeof independent]?.()
  if (started === undefined) throw new Error(`no server ${server}`)
  return behind(started.profile, trouble, options).finally(started.close)
}

test.each(pick(brokenOnServers, sampleCount('broken assistants on independent servers')))(
  '$server with two broken assistants $place is conformant',
  async ({ server, brokenAt }) => {
    const { judgement } = await onServer(server, { brokenAt }, { concurrency: 8 })
    expect(violated(judgement)).toEqual([])
    expect(judgement.outcome).toBe('conformant')
  },
)

slowTest('an assistant that the profile leaves out is not asked', async () => {
  const assistants = { ...referenceProfile('http://x').assistants, avoid: ['Broken 0'] }
  const { trace } = await onMock({ brokenAt: [0] }, { tier: 'smoke' }, { assistants })
  expect(askedFor(trace, firstBroken)).toBe(0)
})

const failingGateways = [
  [0.01, 1],
  [0.05, 1],
] as const

test.each(sampleOf('gateways that fail now and then', failingGateways))(
  'a gateway that fails %s of the requests (seed %i) makes no difference',
  async (failureShare, seed) => {
    const { judgement, trace } = await onMock({ failureShare, seed })
    expect(violated(judgement)).toEqual([])
    expect(judgement.outcome).toBe('conformant')
    expect(await reenact(trace)).toMatchObject({ outcome: 'same' })
  },
)

/** Breaks the connection once: behind a result in another thread than the one whose calls are open. */
const breakingOnce = (): FetchHandler => {
  let asking: string | null = null
  let isBroken = false
  return async (request) => {
    const path = new URL(request.url).pathname
    const isMessage = request.method === 'POST' && path.endsWith('/messages')
    const text = isMessage ? await request.clone().text() : ''
    const response = await forwarded(request)
    if (response.ok && text.includes('"tool_calls"')) asking = path
    const isElsewhere = !response.ok && text.includes('"tool_call_id"') && asking !== null && asking !== path
    if (!isElsewhere || isBroken) return response
    isBroken = true
    throw new Error('connection reset')
  }
}

const troubles: Readonly<Record<string, () => Promise<void>>> = {
  'a probe that plays again asks in a thread of its own once more': async () => {
    const { judgement, trace } = await onMock(breakingOnce())
    expect(trace.exchanges.some(({ ending }) => ending === 'cut')).toBe(true)
    const streamed = judgement.verdicts.find(
      ({ requirement, operation }) =>
        requirement === 'tools.run-after-tool-messages' && operation === 'streamThreadRun',
    )
    expect([streamed?.outcome, judgement.outcome]).toEqual(['upheld', 'conformant'])
  },
  'a model that hangs costs what needs it and nothing else': async () => {
    const budget = { timeoutMs: 300, maxBodyBytes: 33_554_432 }
    const { judgement, trace } = await onMock({ hangs: true }, {}, { budget })
    expect(violated(judgement)).toEqual([])
    expect(trace.footer?.reason).not.toBe('unreachable')
    expect(trace.notes.map(({ text }) => text).join()).toContain('does not answer')
    expect(judgement.verdicts.filter(({ outcome }) => outcome === 'upheld').length).toBeGreaterThan(200)
  },
  'a question that times out is asked once more, and costs one obligation at most': async () => {
    const { judgement, trace } = await onMock(
      { hangsTwiceOn: '/v1/chat/completions/events/stream' },
      {},
      { timeouts: { modelMs: 5_000 } },
    )
    const timedOut = trace.exchanges.filter(({ ending }) => ending === 'timed-out')
    const [first, again] = timedOut.map(({ request }) => request.body)
    expect([timedOut.length, again]).toEqual([2, first])
    expect(violated(judgement)).toEqual([])
    expect(judgement.verdicts.filter(isOpen).length).toBeLessThanOrEqual(1)
  },
  'an assistant that always fails provokes its error': async () => {
    const assistants = { ...referenceProfile('http://x').assistants, [firstBroken]: { unavailable: true } }
    const { trace, judgement } = await onMock({ brokenAt: [0] }, {}, { assistants })
    expect(askedFor(trace, firstBroken)).toBe(0)
    const code = judgement.verdicts.find(
      ({ requirement, operation }) =>
        requirement === 'errors.code-internal-service-error' && operation === 'createChatCompletion',
    )
    expect(code?.outcome).toBe('upheld')
  },
  'an assistant that is left is named with its error, and the run follows from its seed': async () => {
    const { trace } = await onMock({ brokenAt: [0, 2], broken: 'times-out' })
    const left = trace.notes.find(({ text }) => text.includes('failed twice'))?.text
    expect(left).toContain(`The assistant ${firstBroken} failed twice (api_timeout_error`)
    const told = judge(trace, {}).notices.find(({ code }) => code === 'assistant-fails')?.text
    expect(told).toMatch(/^the assistant "Broken [01]" bb0ce000-\S+ answered none of \d+ questions: api_timeout_error$/)
    expect(await reenact(trace)).toMatchObject({ outcome: 'same' })
  },
}

test.each(sampleOf('troubles of a model', Object.entries(troubles)))('%s', (_, check) => check())

/** How many requests these send follows from what others left of the budget, and from the time. */
const untilSpent = new Set(['threads.final-look', 'errors.rate-limit'])

slowTest('several workers send the same requests and come to the same verdicts', async () => {
  const one = await onMock({})
  const eight = await onMock({}, { concurrency: 8 })
  const requests = ({ trace }: Run) =>
    trace.exchanges
      .filter(({ intent }) => !untilSpent.has(intent?.probe ?? ''))
      .map(({ request, intent }) => `${intent?.probe} ${intent?.purpose} ${request.method}`)
      .toSorted()
  const outcomes = ({ judgement }: Run) =>
    judgement.verdicts.map((one) => `${one.requirement} ${one.operation} ${one.facet} ${one.outcome}`)
  expect(requests(eight)).toEqual(requests(one))
  expect(outcomes(eight)).toEqual(outcomes(one))
  expect(await reenact(eight.trace)).toMatchObject({ outcome: 'same' })
})

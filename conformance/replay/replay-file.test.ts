/** Replay files name what the target produced, so that a replay draws its own. */
import { expect, test } from 'vitest'
import type { Verdict } from '../judge/verdict.ts'
import type { Exchange, Trace } from '../trace/exchange.ts'
import { replayFileOf } from './replay-file.ts'

const thread = '3f8a1c52-7a0e-4c39-9d51-0a6f2b7c9e10'
const assistant = '11111111-2222-4333-8444-555555555555'
const key = 'pseudonym-of-the-key'

interface Step {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly operation: NonNullable<Exchange['intent']>['operation']
  readonly body?: unknown
  readonly answer: unknown
  readonly at?: readonly [sent: number, ended: number]
}

const exchange = ({ id, method, path, operation, body, answer, at }: Step): Exchange => {
  const [sentAtMs, endedAtMs] = at ?? [Number(id.slice(1)) * 10, Number(id.slice(1)) * 10 + 5]
  const headers = [
    ['host', 'acs.test'],
    ['connection', 'keep-alive'],
    ['api-key', key],
    ...(body === undefined ? [] : [['content-type', 'application/json']]),
  ] as [string, string][]
  return {
    kind: 'exchange',
    id,
    credential: 'primary',
    sentAtMs,
    endedAtMs,
    request: {
      method,
      url: `http://acs.test${path}`,
      headers,
      body: body === undefined ? null : { utf8: JSON.stringify(body) },
    },
    response: responseOf(200, answer),
    ending: 'complete',
    intent: { probe: 'p', operation, purpose: 'valid', expects: 'accepted' },
  }
}

const responseOf = (status: number, answer: unknown): Exchange['response'] => ({
  status,
  headers: [],
  headAtMs: 1,
  pieces: [{ atMs: 1, bytes: { utf8: JSON.stringify(answer) } }],
})

const messages = `/v1/threads/${thread}/messages`
const message = { role: 'user', content: 'hello there' }
const exchanges = [
  exchange({
    id: 'E1',
    method: 'GET',
    path: '/v1/assistants',
    operation: 'listAssistants',
    answer: [{ id: assistant }],
  }),
  exchange({
    id: 'E2',
    method: 'POST',
    path: '/v1/threads',
    operation: 'createThread',
    body: { assistant_id: assistant },
    answer: { id: thread },
  }),
  exchange({
    id: 'E3',
    method: 'POST',
    path: messages,
    operation: 'createMessage',
    body: message,
    answer: { id: 'm1' },
  }),
  exchange({
    id: 'E4',
    method: 'GET',
    path: `${messages}?limit=1`,
    operation: 'listMessages',
    answer: { cursor: 'b/3+x=zz', items: [] },
    at: [32, 50],
  }),
  exchange({
    id: 'E5',
    method: 'GET',
    path: `${messages}?limit=1&cursor=${encodeURIComponent('b/3+x=zz')}`,
    operation: 'listMessages',
    answer: { items: [] },
    at: [60, 61],
  }),
]
const trace: Trace = {
  header: {
    kind: 'header',
    format: 'acs-trace/1',
    suiteVersion: '1.2.3',
    contractDigest: 'c',
    profileDigest: 'p',
    profile: {},
    seed: 5,
    startedAt: '2026-01-01T00:00:00.000Z',
    target: 'http://acs.test',
    source: 'suite',
  },
  exchanges,
  notes: [],
  footer: null,
}
const verdict: Verdict = {
  requirement: 'pagination.cursor-continues',
  operation: 'listMessages',
  facet: 'nothing-missing',
  level: 'must',
  basis: 'stated',
  owed: true,
  blocking: true,
  outcome: 'violated',
  witnesses: 1,
  exchanges: ['E5'],
  witness: {
    steps: [
      { exchange: 'E3', name: 'created', shows: 'a message is created' },
      { exchange: 'E5', name: 'walked', shows: 'it is missing' },
    ],
    contradiction: 'E3 is acknowledged and no page shows it.',
    confirmed: null,
  },
}

test('the slice holds the witness and the producers of its ids and cursors, in order', () => {
  expect(replayFileOf(verdict, trace)?.steps.map(({ exchange }) => exchange)).toEqual(['E2', 'E3', 'E4', 'E5'])
})

test('produced ids and cursors become references that their producers give', () => {
  const steps = replayFileOf(verdict, trace)?.steps ?? []
  expect(steps.map(({ path }) => path)).toEqual([
    '/v1/threads',
    '/v1/threads/{{id_1}}/messages',
    '/v1/threads/{{id_1}}/messages?limit=1',
    '/v1/threads/{{id_1}}/messages?limit=1&cursor={{cursor_2}}',
  ])
  expect(steps[0]?.gives).toEqual([{ name: 'id_1', pointer: '/id', line: null }])
  expect(steps[2]?.gives).toEqual([{ name: 'cursor_2', pointer: '/cursor', line: null }])
})

test('ids of assistants stay as they are: they outlive the run', () => {
  expect(replayFileOf(verdict, trace)?.steps[0]?.body).toEqual({ utf8: JSON.stringify({ assistant_id: assistant }) })
})

test('a key stands in the file by its name only', () => {
  const file = replayFileOf(verdict, trace)
  expect(JSON.stringify(file)).not.toContain(key)
  expect(file?.steps.every(({ credential }) => credential === 'primary')).toBe(true)
})

test('steps that overlapped are marked, so that a race is replayed as one', () => {
  expect(replayFileOf(verdict, trace)?.steps.map(({ together }) => together)).toEqual([false, false, true, false])
})

test('with its history stand the list of assistants and what was asked before about the same ids, one after another', () => {
  const [assistants, made, added, listed, walked] = exchanges
  const other = { ...added, id: 'E6', request: { ...added?.request, url: 'http://acs.test/v1/threads/t-9/messages' } }
  const short = {
    ...verdict,
    witness: { steps: [{ exchange: 'E5', name: 'n', shows: 's' }], contradiction: 'c', confirmed: null },
  } as const
  const all = [assistants, made, added, other, listed, walked] as Exchange[]
  const stepsOf = (history: boolean) =>
    replayFileOf(short, { ...trace, exchanges: all }, { history })?.steps.map((step) => step.exchange)
  expect(stepsOf(false)).toEqual(['E2', 'E4', 'E5'])
  expect(stepsOf(true)).toEqual(['E1', 'E2', 'E3', 'E4', 'E5'])
  const wide = replayFileOf(short, trace, { history: true })
  expect(wide?.steps.map(({ together }) => together)).toEqual([false, false, false, false, false])
})

test('a witness that the trace does not hold gives no file', () => {
  expect(replayFileOf(verdict, { ...trace, exchanges: exchanges.slice(0, 3) })).toBeNull()
})

test('what only pauses between requests show gives no file', () => {
  const witness = { steps: [], contradiction: 'Nine at once are served.', confirmed: null, timed: true } as const
  expect(replayFileOf({ ...verdict, witness }, trace)).toBeNull()
})

test('what the contract and the run were is written down', () => {
  expect(replayFileOf(verdict, trace)).toMatchObject({
    format: 'acs-replay/1',
    suiteVersion: '1.2.3',
    contractDigest: 'c',
    profileDigest: 'p',
    seed: 5,
    requirement: 'pagination.cursor-continues',
    facet: 'nothing-missing',
    contradiction: 'E3 is acknowledged and no page shows it.',
  })
})

test('words, and what a refusal says, are no products, however often later requests say them', () => {
  const refusal = { error_code: 'validation_error', detail: [{ loc: ['body', 'messages'], type: 'missing_7' }] }
  const [, made, added, listed, walked] = exchanges
  const chatty = [
    exchange({ id: 'E0', method: 'GET', path: '/v1/strange', operation: 'listMyApiKeys', answer: {} }),
    { ...made, response: responseOf(200, { id: thread, role: 'messages', kind: 'assistant' }) },
    { ...added, response: responseOf(422, refusal) },
    { ...listed, request: { ...listed?.request, body: { utf8: '{"type":"missing_7","role":"assistant"}' } } },
    walked,
  ] as Exchange[]
  const steps = replayFileOf(verdict, { ...trace, exchanges: chatty })?.steps ?? []
  expect(steps.map(({ exchange: id }) => id)).toEqual(['E2', 'E3', 'E4', 'E5'])
  expect(steps[2]?.body).toEqual({ utf8: '{"type":"missing_7","role":"assistant"}' })
  expect(steps[1]?.path).toBe('/v1/threads/{{id_1}}/messages')
})

test('a URL that was given out is one reference, whatever ids stand in it', () => {
  const file_id = '99999999-2222-4333-8444-555555555555'
  const file_url = `http://acs.test/v1/uploads/${file_id}?expires=17672265&signature=a.b-c7`
  const grant = exchange({
    id: 'E1',
    method: 'GET',
    path: '/v1/files/signed-url?filename=a.txt',
    operation: 'createUploadGrant',
    answer: { file_id, file_url },
  })
  const put = exchange({ id: 'E2', method: 'PUT', path: '', operation: 'uploadFile', answer: {} })
  const upload = { ...put, request: { ...put.request, url: file_url } }
  const refusedUpload: Verdict = { ...verdict, exchanges: ['E1', 'E2'], witness: undefined } as never
  const file = replayFileOf(refusedUpload, { ...trace, exchanges: [grant, upload] })
  expect(file?.steps[1]?.path).toBe('{{file_url_2}}')
  const cut = { ...upload, request: { ...upload.request, omittedBytes: 1 } }
  expect(replayFileOf(refusedUpload, { ...trace, exchanges: [grant, cut] }), 'not whole').toBeNull()
})

test('a status that says complete is waited for, and another one is not', () => {
  const poll = exchange({
    id: 'E1',
    method: 'GET',
    path: '/v1/files/f/status',
    operation: 'getFileStatus',
    answer: { status: 'ready' },
  })
  const found: Verdict = { ...verdict, exchanges: ['E1'], witness: undefined } as never
  const until = (complete: readonly string[]) => {
    const profile = { files: { status: { path: '/v1/files/{file_id}/status', pointer: '/status', complete } } }
    const header = { ...trace.header, profile: profile as never }
    return replayFileOf(found, { ...trace, header, exchanges: [poll] })?.steps[0]?.until
  }
  expect(until(['done', 'ready'])).toEqual({ pointer: '/status', value: 'ready' })
  expect(until(['done'])).toBeUndefined()
})

test('half of a surrogate pair in an answer, which no URL can carry, is no product', () => {
  const odd = exchange({
    id: 'E1',
    method: 'POST',
    path: '/v1/threads',
    operation: 'createThread',
    answer: { id: thread, note: 'number 7\ud800'.replace(' ', '-') },
  })
  const file = replayFileOf(verdict, { ...trace, exchanges: [odd, ...exchanges.slice(2)] })
  expect(file?.steps[1]?.path).toBe('/v1/threads/{{id_1}}/messages')
})

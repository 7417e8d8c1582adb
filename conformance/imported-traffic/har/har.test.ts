/** A HAR becomes a trace that holds what was recorded, without its secrets, and a broken one names the place. */
import { Buffer } from 'node:buffer'
import { expect, test } from 'vitest'
import { textOfPieces } from '../../trace/bytes.ts'
import { decodeTrace, encodeTrace } from '../../trace/trace.ts'
import { harToTrace } from './har.ts'
import { HarError } from './read-har.ts'

const url = 'https://acs.example/base/v1/tenants/my-api-keys'
const body = '{"id":"x","api_keys":[{"api_key":"key-in-the-har-01"}]}'
const entry = (changes: object = {}, response: object = {}) => ({
  startedDateTime: '2026-01-02T03:04:05.500Z',
  time: 30,
  timings: { send: 0, wait: 20, receive: 10 },
  request: {
    method: 'GET',
    url,
    httpVersion: 'HTTP/1.1',
    headers: [
      { name: ':authority', value: 'acs.example' },
      { name: 'api-key', value: 'key-in-the-har-01' },
    ],
  },
  response: {
    status: 200,
    headers: [
      { name: 'content-encoding', value: 'gzip' },
      { name: 'content-type', value: 'application/json' },
    ],
    content: { size: body.length, mimeType: 'application/json', text: body },
    ...response,
  },
  ...changes,
})
const har = (...entries: object[]): string => JSON.stringify({ log: { version: '1.2', entries } })

test('an entry becomes an exchange with its times, and the key is a pseudonym in header and body alike', () => {
  const trace = harToTrace(har(entry()))
  const [exchange] = trace.exchanges
  expect(trace.header).toMatchObject({
    source: 'har',
    target: 'https://acs.example/base',
    startedAt: '2026-01-02T03:04:05.500Z',
  })
  expect(exchange).toMatchObject({
    id: 'E1',
    credential: 'primary',
    sentAtMs: 0,
    endedAtMs: 31,
    request: { method: 'GET', url, body: null },
    response: { status: 200, headAtMs: 20, headers: [['content-type', 'application/json']], pieces: [{ atMs: 30 }] },
    ending: 'complete',
    intent: null,
  })
  const [, key] = exchange?.request.headers[0] ?? []
  expect(textOfPieces(exchange?.response?.pieces ?? [])).toBe(body.replace('key-in-the-har-01', key ?? ''))
  expect(JSON.stringify(trace)).not.toContain('key-in-the-har-01')
})

test('the profile of a recording claims the levels of what was called, and nothing else', () => {
  const completion = {
    method: 'POST',
    url: 'https://acs.example/base/v1/chat/completions/stream?thread_id=x',
    headers: [],
  }
  const { header, footer } = harToTrace(har(entry(), entry({ request: completion })))
  expect(header.profile).toMatchObject({ claims: ['core', 'streaming'], threads: null })
  expect(footer?.modelCalls).toBe(1)
})

test('what began in the last millisecond of another exchange is not after it, unless the clock is finer', () => {
  const endOf = (startedDateTime: string) => harToTrace(har(entry({ startedDateTime }))).exchanges[0]?.endedAtMs
  expect(endOf('2026-01-02T03:04:05Z')).toBe(1030)
  expect(endOf('2026-01-02T03:04:05.500Z')).toBe(31)
  expect(endOf('2026-01-02T03:04:05.500123+01:00')).toBeCloseTo(30.001, 6)
  const [, next] = harToTrace(
    har(
      entry({ startedDateTime: '2026-01-02T03:04:05.500100Z' }),
      entry({ startedDateTime: '2026-01-02T03:04:05.500350Z' }),
    ),
  ).exchanges
  expect(next?.sentAtMs).toBeCloseTo(0.25, 3)
})

test('entries are put in the order of their sending', () => {
  const later = entry({ startedDateTime: '2026-01-02T03:04:06.000Z' })
  const { exchanges, footer } = harToTrace(har(later, entry()))
  expect(exchanges.map(({ id, sentAtMs }) => [id, sentAtMs])).toEqual([
    ['E1', 0],
    ['E2', 500],
  ])
  expect(footer).toMatchObject({ exchanges: 2, complete: true, durationMs: 531 })
})

test('base64 bodies, sent bodies and failures are kept for what they are', () => {
  const post = { method: 'POST', url, headers: [], postData: { mimeType: 'application/json', text: '{"é":1}' } }
  const content = { size: 3, encoding: 'base64', text: Buffer.from('{}\n').toString('base64') }
  const { exchanges } = harToTrace(
    har(
      entry({ request: post }, { content }),
      entry({}, { status: 0, _error: 'net::ERR_CONNECTION_RESET' }),
      entry({}, { content: { size: 20 } }),
    ),
  )
  expect(exchanges[0]).toMatchObject({
    credential: null,
    request: { body: { utf8: '{"é":1}' } },
    response: { pieces: [{ bytes: { utf8: '{}\n' } }] },
  })
  expect(exchanges[1]).toMatchObject({ ending: 'unreachable', response: null, failure: 'net::ERR_CONNECTION_RESET' })
  expect(exchanges[2]).toMatchObject({ ending: 'capped', failure: 'the recording does not hold the body' })
})

test('the trace of a HAR is a trace like any other', () => {
  const text = encodeTrace(harToTrace(har(entry(), entry({ request: { method: 'GET', url: 'data:,x', headers: [] } }))))
  expect(encodeTrace(decodeTrace(text))).toBe(text)
  expect(decodeTrace(text).exchanges).toHaveLength(1)
})

test.each([
  ['{', 'not JSON'],
  ['{}', '/log/entries is not a list: this is no HAR'],
  [har(entry({ startedDateTime: 'then' })), '/log/entries/0/startedDateTime is not a date'],
  [har(entry({ request: { method: 'GET', url: 'x', headers: [] } })), '/log/entries/0/request/url is not a URL'],
  [
    har(entry({ request: { method: 'GET', url: { toString: 1 }, headers: [] } })),
    '/log/entries/0/request/url is not a string',
  ],
  [har(entry({ request: { url, headers: [] } })), '/log/entries/0/request/method is not a string'],
  [har(entry({}, { headers: [{ name: 'a' }] })), '/log/entries/0/response/headers/0/value is not a string'],
])('a broken HAR names the place (%#)', (text, message) => {
  expect(() => harToTrace(text)).toThrow(message)
  expect(() => harToTrace(text)).toThrow(HarError)
})

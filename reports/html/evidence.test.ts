/** The evidence on a card: the wrong value is marked, beside what it contradicts. */
import { expect, test } from 'vitest'
import { type SampleExchange, sampleExchange } from '../../test/reports/sample-exchanges.ts'
import { askedCall } from '../asked-call.ts'
import type { CardPlace } from '../failure-card.ts'
import { evidence, proseText } from './evidence.ts'

const exchangeOf = (id: string, fields: Partial<SampleExchange>) =>
  sampleExchange({
    id,
    operation: 'createMessage',
    method: 'POST',
    path: '/v1/threads/t/messages',
    body: { role: 'user', content: 'Hello' },
    status: 201,
    answer: { id: 'm', role: 'user' },
    sentAtMs: 0,
    tookMs: 1,
    ...fields,
  })

const answerOf = (value: object) => ({
  status: 200,
  headers: [],
  headAtMs: 1,
  pieces: [{ atMs: 1, bytes: { utf8: JSON.stringify(value) } }],
})

const shown = (place: Partial<CardPlace>, ...exchanges: readonly ReturnType<typeof exchangeOf>[]): string => {
  const steps = exchanges.map(({ id }) => ({ exchange: id, name: '', shows: '', line: null, curl: null, cited: true }))
  const whole: CardPlace = {
    obligation: 'a.b createMessage',
    operation: 'createMessage',
    facet: null,
    headline: { operation: 'POST /v1/threads/{thread_id}/messages', finding: 'another' },
    expected: 'one thing',
    actual: 'another',
    pointer: null,
    contradiction: null,
    call: null,
    replay: null,
    steps,
    ...place,
  }
  return evidence(whole, new Map(exchanges.map((one) => [one.id, one]))).markup
}

test('a missing field is marked in the response, beside the request', () => {
  const markup = shown({ pointer: '/content' }, exchangeOf('E1', {}))
  expect(markup).toContain('<mark>  "content": (missing)</mark>')
  expect(markup.indexOf('E1</a> request')).toBeLessThan(markup.indexOf('E1</a> response'))
})

test('a response is beside the one that it contradicts, the wrong one last', () => {
  const markup = shown(
    { pointer: '/error_code' },
    exchangeOf('E1', { status: 422, answer: { error_code: 'validation_error' } }),
    exchangeOf('E2', { status: 422, answer: { error_code: 'bad_request' } }),
  )
  expect(markup).toContain('<mark>  "error_code": "validation_error"</mark>')
  expect(markup).toContain('<mark>  "error_code": "bad_request"</mark>')
  expect(markup).not.toContain('request</figcaption>')
})

test('an item of a list is marked in the response that created it, and nothing is said to be missing there', () => {
  const item = { id: 'm', role: 'tool' }
  const list = exchangeOf('E2', { operation: 'listMessages', method: 'GET', status: 200, answer: item })
  const listed = { ...list, response: answerOf({ items: [item] }) }
  const markup = shown({ pointer: '/items/0/role' }, exchangeOf('E1', {}), listed)
  expect(markup).toContain('<mark>  "role": "user"</mark>')
  expect(markup).toContain('<mark>      "role": "tool"</mark>')
  expect(shown({ pointer: '/items' }, exchangeOf('E1', {}), listed)).not.toContain('(missing)')
})

test('where the request is what is wrong, its telling headers are shown', () => {
  const exchange = exchangeOf('E1', {})
  const headers = [['user-id', 'ann'] as const, ...exchange.request.headers]
  const markup = shown({}, { ...exchange, request: { ...exchange.request, headers } })
  expect(markup).toContain('user-id: ann')
  expect(markup).not.toContain('api-key')
  expect(markup).toContain('<mark>201</mark>')
})

test('a tool message is beside the message that asked for its call, with the call id marked in both', () => {
  const asking = exchangeOf('E1', {
    body: { assistant_id: 'a' },
    status: 200,
    answer: { role: 'assistant', content: 'Let me look.', tool_calls: [{ id: 'call_a' }, { id: 'call_b' }] },
  })
  const result = exchangeOf('E2', { body: { role: 'tool', content: 'Rain.', tool_call_id: 'call_b' }, status: 400 })
  const call = askedCall([asking, result])
  const markup = shown({ call }, asking, result)
  expect(markup).toContain('<mark>      "id": "call_b"</mark>')
  expect(markup).toContain('<mark>  "tool_call_id": "call_b"</mark>')
  expect(markup.indexOf('E1</a> response')).toBeLessThan(markup.indexOf('E2</a> request'))
})

test('the line of a stream that the pointer names is shown, and nothing of the others', () => {
  const exchange = exchangeOf('E1', {})
  const pieces = [{ atMs: 1, bytes: { utf8: '{"delta":{"role":"a"}}\n{"delta":{"role":7}}\n' } }]
  const response = { status: 200, headers: [], headAtMs: 1, pieces }
  const markup = shown({ pointer: 'line 2 /delta/role' }, { ...exchange, response })
  expect(markup).toContain('line 2')
  expect(markup).toContain('<mark>    "role": 7</mark>')
  expect(markup).not.toContain('"a"')
})

test('of a stream that no pointer names a line of, the first lines are shown and the others counted', () => {
  const exchange = exchangeOf('E1', {})
  const line = JSON.stringify({ delta: { content: 'x'.repeat(500) } })
  const pieces = [{ atMs: 1, bytes: { utf8: `${line}\n`.repeat(9) } }]
  const markup = shown({}, { ...exchange, response: { status: 200, headers: [], headAtMs: 1, pieces } })
  expect(markup).toContain('… 6 more lines')
  expect(markup).not.toContain('x'.repeat(161))
})

test('texts that differ far behind are cut around the difference, and blanks are seen', () => {
  const start = 'a'.repeat(300)
  const markup = shown({ expected: `"${start} "`, actual: `"${start}"` })
  expect(markup).toContain('<mark>·</mark>&quot;')
  expect(markup).toContain('<mark>∅</mark>&quot;')
  expect(markup).not.toContain('a'.repeat(100))
})

test('what a text has more at both ends is marked', () => {
  const markup = shown({ expected: '" a whole sentence\\n"', actual: '"a whole sentence"' })
  expect(markup).toContain('"<mark>·</mark>a whole sentence<mark>\\n</mark>"')
  expect(markup).toContain('<dd>&quot;a whole sentence&quot;</dd>')
})

test('an exchange without a response says how it ended', () => {
  const exchange = exchangeOf('E1', {})
  expect(shown({}, { ...exchange, response: null, ending: 'timed-out', failure: 'no answer in time' })).toContain(
    '<mark>no answer in time</mark>',
  )
})

test('a value of another type is told by the two types', () => {
  const types = { pointer: '/sources', expected: 'an array', actual: 'null' }
  expect(shown(types, exchangeOf('E1', {}))).toContain('<code>null</code> → <code>array</code>')
  expect(shown({ ...types, actual: '"a"' }, exchangeOf('E1', {}))).toContain('<code>string</code> → <code>array</code>')
  expect(shown({ ...types, expected: 'a rejection' }, exchangeOf('E1', {}))).not.toContain('→ <code>')
})

test('ids are cut to their beginning in sentences, with dashes or without, and are whole as a tooltip', () => {
  for (const id of ['65de90ee-fd1f-4db8-88f2-c47e75fda1e2', '65de90eefd1f4db888f2c47e75fda1e2'])
    expect(proseText(`message ${id}.`).markup).toBe(`message <code title="${id}">65de90ee…</code>.`)
})

test('where a rule is about keys, the request shows in words which one it had', () => {
  const place = { obligation: 'auth.unknown-key-refused createMessage' }
  const headersOf = (...headers: readonly (readonly [string, string])[]) => {
    const exchange = exchangeOf('E4', {})
    return { ...exchange, request: { ...exchange.request, headers }, credential: null }
  }
  expect(shown(place, headersOf(['api-key', 'k-1']))).toContain('api-key: &lt;a key that no tenant has&gt;')
  expect(shown(place, headersOf(['api-key', '']))).toContain('api-key: &lt;empty&gt;')
  expect(shown(place, headersOf())).toContain('(no api-key header)')
  expect(shown(place, { ...headersOf(['API-KEY', 'k-1']), credential: 'primary' })).toContain(
    'API-KEY: &lt;the primary key&gt;',
  )
  expect(shown({}, headersOf(['api-key', 'k-1']))).not.toContain('api-key')
})

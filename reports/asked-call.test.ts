/** The asking message of a tool message is found by the id of the call. */
import { expect, test } from 'vitest'
import { sampleExchange } from '../test/reports/sample-exchanges.ts'
import { askedCall, callText } from './asked-call.ts'

const exchangeOf = (id: string, body: object, answer: object) =>
  sampleExchange({
    id,
    operation: 'createMessage',
    method: 'POST',
    path: '/v1/threads/t/messages',
    body,
    status: 201,
    answer,
    sentAtMs: 0,
    tookMs: 1,
  })

const asking = exchangeOf(
  'E1',
  { role: 'user' },
  { role: 'assistant', tool_calls: [{ id: 'call_a' }, { id: 'call_b' }] },
)
const answering = (id: string) => exchangeOf('E2', { role: 'tool', content: 'Rain.', tool_call_id: id }, {})

test('the message that asked for a call is named with the place of the id in it', () => {
  const call = askedCall([asking, answering('call_b')])
  expect(call).toEqual({
    id: 'call_b',
    asked: { exchange: 'E1', pointer: '/tool_calls/1/id', path: '/v1/threads/t/messages' },
  })
  expect(call === null ? '' : callText(call)).toBe(
    'call_b, asked for by the assistant message of E1 (/v1/threads/t/messages)',
  )
})

test('a call that nobody asked for says so, and another tool message with its id asks for nothing', () => {
  const call = askedCall([asking, answering('call_c'), answering('call_c')])
  expect(call).toEqual({ id: 'call_c', asked: null })
  expect(call === null ? '' : callText(call)).toBe('call_c, for which no assistant message above asks')
})

test('only tool messages with a call id answer a call', () => {
  expect(askedCall([asking])).toBeNull()
  expect(askedCall([asking, exchangeOf('E2', { role: 'tool', content: 'Rain.' }, {})])).toBeNull()
  expect(askedCall([])).toBeNull()
})

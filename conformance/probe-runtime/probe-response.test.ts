/** The first look at an exchange. */
import { expect, test } from 'vitest'
import type { Ending, Exchange } from '../trace/exchange.ts'
import { readAnswer, stringAt } from './probe-response.ts'

const exchange = (status: number, body: string, ending: Ending = 'complete'): Exchange => ({
  kind: 'exchange',
  id: 'E1',
  credential: 'primary',
  sentAtMs: 0,
  endedAtMs: 1,
  request: { method: 'GET', url: 'http://acs.test/v1/assistants', headers: [], body: null },
  response: { status, headers: [], headAtMs: 1, pieces: [{ atMs: 1, bytes: { utf8: body } }] },
  ending,
  intent: null,
})

test('an error_code is a rejection whatever the status', () => {
  expect(readAnswer(exchange(200, '{"error_code":"bad_request","detail":"x"}'))).toMatchObject({
    outcome: 'rejected',
    errorCode: 'bad_request',
  })
})

test('a status from 400 on is a rejection even without the body of the contract', () => {
  expect(readAnswer(exchange(503, '<html>')).outcome).toBe('rejected')
})

test('a cut answer is neither accepted nor rejected', () => {
  expect(readAnswer(exchange(200, '[', 'cut')).outcome).toBe('none')
  expect(readAnswer({ ...exchange(200, ''), response: null, ending: 'unreachable' }).outcome).toBe('none')
})

test('the lines of a stream are read one by one, broken ones left out', () => {
  const { lines, json } = readAnswer(exchange(200, '{"thread_id":"a"}\n{"thread\n{"thread_id":"b"}\n'))
  expect(lines).toEqual([{ thread_id: 'a' }, { thread_id: 'b' }])
  expect(json).toBeUndefined()
})

test('a pointer finds a string and nothing else', () => {
  expect(stringAt({ a: { b: ['x'] } }, '/a/b/0')).toBe('x')
  expect(stringAt({ a: 1 }, '/a')).toBeUndefined()
})

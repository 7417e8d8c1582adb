/** When a target counts as gone. */
import { expect, test } from 'vitest'
import type { Exchange } from '../trace/exchange.ts'
import { createCircuitBreaker } from './circuit-breaker.ts'

const silent = { response: null, ending: 'timed-out' } as Exchange
const answered = { response: {}, ending: 'complete' } as Exchange

test('a target that never answered is given up after its first silence', () => {
  const breaker = createCircuitBreaker()
  breaker.check('listAssistants')
  breaker.record(silent, 'listAssistants')
  expect(() => breaker.check('getAssistant')).toThrow(expect.objectContaining({ code: 'unreachable' }))
})

test('three silences in a row block one operation, and only that', () => {
  const breaker = createCircuitBreaker()
  breaker.record(answered, 'listAssistants')
  for (let count = 0; count < 3; count += 1) breaker.record(silent, 'createMessage')
  expect(() => breaker.check('createMessage')).toThrow(expect.objectContaining({ code: 'blocked' }))
  expect(() => breaker.check('listAssistants')).not.toThrow()
})

test('an answer in between starts the count again', () => {
  const breaker = createCircuitBreaker()
  for (let count = 0; count < 10; count += 1) {
    breaker.record(count % 2 === 0 ? answered : silent, 'runThread')
  }
  expect(() => breaker.check('runThread')).not.toThrow()
})

test('five silences in a row on any operations end the run', () => {
  const breaker = createCircuitBreaker()
  breaker.record(answered, 'listAssistants')
  const free = ['listMessages', 'createMessage', 'getAssistant', 'listMyApiKeys', 'createUploadGrant'] as const
  for (const operation of free) breaker.record(silent, operation)
  expect(() => breaker.check('listAssistants')).toThrow(expect.objectContaining({ code: 'unreachable' }))
})

test('uploads without an answer block uploads, and not the run: files may be stored elsewhere', () => {
  const breaker = createCircuitBreaker()
  breaker.record(answered, 'listAssistants')
  for (let count = 0; count < 6; count += 1) breaker.record(silent, 'uploadFile')
  expect(() => breaker.check('uploadFile')).toThrow(expect.objectContaining({ code: 'blocked' }))
  expect(() => breaker.check('createUploadGrant')).not.toThrow()
})

test('an answer that is cut or never ends counts as silence of its operation', () => {
  const breaker = createCircuitBreaker()
  for (const ending of ['cut', 'capped', 'timed-out'])
    breaker.record({ response: {}, ending } as Exchange, 'createMessage')
  expect(() => breaker.check('createMessage')).toThrow(expect.objectContaining({ code: 'blocked' }))
})

test('an open request that is cut off does not block its operation', () => {
  const breaker = createCircuitBreaker()
  for (let count = 0; count < 3; count += 1)
    breaker.record({ response: {}, ending: 'cut' } as Exchange, 'createMessage', 'either')
  expect(() => breaker.check('createMessage')).not.toThrow()
})

test('a hanging model is named with its assistant, and leaves everything else alone', () => {
  const breaker = createCircuitBreaker()
  breaker.record(answered, 'listAssistants')
  const request = { body: { utf8: '{"assistant_id":"7c0e"}' } }
  const hanging = { id: 'E9', request, response: null, ending: 'timed-out', failure: 'no answer for 8 s' }
  for (let count = 0; count < 9; count += 1) breaker.record(hanging as unknown as Exchange, 'createChatCompletion')
  const text = 'The model of assistant 7c0e does not answer: no answer for 8 s (E9).'
  expect(() => breaker.check('runThread')).toThrow(expect.objectContaining({ code: 'blocked', message: text }))
  expect(() => breaker.check('runThread', 'rejected')).not.toThrow()
  expect(() => breaker.check('listMessages')).not.toThrow()
})

test('a path that fails late again and again is left alone, and then its operation', () => {
  const breaker = createCircuitBreaker()
  const failure = { response: { status: 503, pieces: [] }, ending: 'complete' }
  const late = (sentAtMs: number) => ({ ...failure, sentAtMs, endedAtMs: sentAtMs + 15_000 })
  const early = { ...failure, sentAtMs: 0, endedAtMs: 90 }
  const record = (exchange: object, path: string) =>
    breaker.record(exchange as Exchange, 'listMessages', 'accepted', `/v1/threads/${path}/messages`)
  const check = (path: string) => () =>
    breaker.check('listMessages', 'accepted', `/v1/threads/${path}/messages?limit=1`)
  for (let count = 0; count < 9; count += 1) record(early, 'a')
  expect(check('a')).not.toThrow()
  for (const sentAtMs of [0, 15_000]) record(late(sentAtMs), 'a')
  expect(check('a')).toThrow(
    expect.objectContaining({ code: 'blocked', message: expect.stringContaining('threads/a') }),
  )
  expect(check('b')).not.toThrow()
  for (const [nth, path] of ['b', 'c'].entries()) record(late(30_000 + nth * 15_000), path)
  expect(check('f')).toThrow(expect.objectContaining({ code: 'blocked' }))
  expect(() => breaker.check('createMessage', 'accepted', '/v1/threads/a/messages')).not.toThrow()
})

test('an outage that fails all lanes at once counts once', () => {
  const breaker = createCircuitBreaker()
  for (let lane = 0; lane < 8; lane += 1) {
    const failure = { response: { status: 503, pieces: [] }, ending: 'complete' }
    const exchange = { ...failure, sentAtMs: lane * 1000, endedAtMs: 20_000 + lane }
    breaker.record(exchange as unknown as Exchange, 'createThread', 'accepted', '/v1/threads')
  }
  expect(() => breaker.check('createThread', 'accepted', '/v1/threads')).not.toThrow()
})

test('server errors without a success in half a minute end the run', () => {
  const breaker = createCircuitBreaker()
  const record = (status: number, endedAtMs: number): void => {
    const exchange = { response: { status, pieces: [] }, ending: 'complete', sentAtMs: endedAtMs - 10, endedAtMs }
    breaker.record(exchange as unknown as Exchange, 'getAssistant', 'rejected', '/v1/assistants/a')
  }
  const check = () => breaker.check('listAssistants')
  for (let count = 0; count < 25; count += 1) record(503, count * 1000)
  expect(check).not.toThrow()
  record(200, 26_000)
  for (let count = 0; count < 19; count += 1) record(503, 30_000 + count * 2000)
  expect(check).not.toThrow()
  record(404, 69_000)
  record(503, 70_000)
  expect(check).toThrow(expect.objectContaining({ code: 'unreachable' }))
})

test('an exchange that the suite itself left is no silence', () => {
  const breaker = createCircuitBreaker()
  breaker.record({ response: null, ending: 'aborted' } as Exchange, 'runThread')
  expect(() => breaker.check('runThread')).not.toThrow()
})

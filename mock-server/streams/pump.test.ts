/** Laws of pacing, backpressure and leaving. */
import { expect, test } from 'vitest'
import { mockClient } from '../../test/support/mock-client.ts'
import { createMock } from '../mock.ts'

const turn = () => new Promise((resolve) => setImmediate(resolve))

async function startSlow(signal?: AbortSignal) {
  const mock = await createMock({ clock: { mode: 'stepped' } })
  const primary = mockClient(mock.main, mock)
  const thread = await primary.thread('Slow echo')
  await primary.say(thread, { role: 'user', content: 'one two three four five six seven eight nine ten' })
  const init = {
    method: 'POST',
    headers: { 'api-key': 'acs-demo-primary' },
    ...(signal === undefined ? null : { signal }),
  }
  const response = await mock.fetch(`/v1/threads/${thread}/run/stream`, init)
  return { mock, primary, thread, response }
}

test('a chunk is on its way before the next one exists', async () => {
  const { mock, primary, thread, response } = await startSlow()
  const reader = (response.body ?? new ReadableStream()).getReader()
  expect(response.status).toBe(200)
  const lines: string[] = []
  while (mock.clock.advanceToNext()) {
    const { value } = await reader.read()
    const piece = Buffer.from(value ?? []).toString()
    expect(piece.endsWith('}\n') && piece.indexOf('\n') === piece.length - 1).toBe(true)
    lines.push(piece)
  }
  expect((await reader.read()).done).toBe(true)
  expect(lines.length).toBeGreaterThan(2)
  const timestamps = lines.map((line) => Date.parse(JSON.parse(line).created_at))
  expect(
    Math.min(...timestamps.slice(1).map((timestamp, index) => timestamp - (timestamps[index] ?? 0))),
  ).toBeGreaterThanOrEqual(35)
  expect((await primary.get(`/v1/threads/${thread}/messages`)).json.items).toHaveLength(2)
})

test('nothing of an answer is stored before its last line', async () => {
  const { mock, primary, thread } = await startSlow()
  mock.clock.advanceToNext()
  mock.clock.advanceToNext()
  expect((await primary.get(`/v1/threads/${thread}/messages`)).json.items).toHaveLength(1)
  while (mock.clock.advanceToNext());
  expect((await primary.get(`/v1/threads/${thread}/messages`)).json.items).toHaveLength(2)
})

test('a client that leaves ends the work: nothing waits any more, nothing is stored, the journal has the chunks', async () => {
  const { mock, primary, thread, response } = await startSlow()
  const reader = (response.body ?? new ReadableStream()).getReader()
  mock.clock.advanceToNext()
  await reader.read()
  mock.clock.advanceToNext()
  await reader.cancel()
  expect(mock.clock.advanceToNext()).toBe(false)
  const [entry] = await mock.journal.wait({ operation: 'streamThreadRun' })
  expect([entry?.outcome, entry?.chunkTimesUs.length]).toEqual(['left', 2])
  expect((await primary.get(`/v1/threads/${thread}/messages`)).json.items).toHaveLength(1)
})

test('an aborted signal is a client that leaves, also while a whole answer is being waited for', async () => {
  const abort = new AbortController()
  const { mock } = await startSlow(abort.signal)
  abort.abort()
  expect(mock.clock.advanceToNext()).toBe(false)
  const [entry] = mock.journal.query({ operation: 'streamThreadRun' })
  expect(entry?.outcome).toBe('left')
  const primary = mockClient(mock.main, mock)
  const second = new AbortController()
  const messages = [{ role: 'user', content: 'hi' }]
  const body = JSON.stringify({ assistant_id: primary.assistant('Slow echo'), messages })
  const init = { method: 'POST', headers: { 'api-key': 'acs-demo-primary' }, body, signal: second.signal }
  const waiting = mock.fetch('/v1/chat/completions', init)
  while (mock.main.snapshot().state.threads.size < 2) await turn()
  second.abort(new Error('left'))
  await expect(waiting).rejects.toThrow('left')
  await mock.journal.wait({ operation: 'createChatCompletion', outcome: 'left' })
  expect(mock.clock.advanceToNext()).toBe(false)
})

test('a client that does not read is not written to without bound', async () => {
  const mock = await createMock()
  const primary = mockClient(mock.main, mock)
  const content = 'x'.repeat(900_000)
  const body = JSON.stringify({ assistant_id: primary.assistant('Echo'), messages: [{ role: 'user', content }] })
  const init = { method: 'POST', headers: { 'api-key': 'acs-demo-primary' }, body }
  const response = await mock.fetch('/v1/chat/completions/stream', init)
  await turn()
  expect(mock.journal.query({ operation: 'streamChatCompletion' })).toEqual([])
  const text = await response.text()
  const joined = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).delta.content)
    .join('')
  expect(joined).toBe(`You said: ${content}`)
  expect(mock.journal.query({ operation: 'streamChatCompletion' })).toHaveLength(1)
})

test('a whole answer takes as long as its stream would, on the clock of the world', async () => {
  const mock = await createMock({ clock: { mode: 'frozen' } })
  const primary = mockClient(mock.main, mock)
  const body = { assistant_id: primary.assistant('Slow echo'), messages: [{ role: 'user', content: 'hi '.repeat(40) }] }
  const before = mock.clock.nowUs()
  const answer = await primary.post('/v1/chat/completions', body)
  const afterMs = Date.parse(answer.json.created_at) - before / 1000
  expect(afterMs).toBeGreaterThan(500)
})

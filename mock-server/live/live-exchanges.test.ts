/** Tests what somebody who watches the mock hears, and what can be done to an exchange that waits. */
import { expect, test } from 'vitest'
import { mockClient } from '../../test/support/mock-client.ts'
import { createMock, type Mock } from '../mock.ts'
import { createRecording } from '../recording/recording.ts'
import { createEventFeed } from './event-feed.ts'
import type { LiveEvent } from './live-event.ts'

/** Events of a mock as they come. */
async function* eventsOf(mock: Mock, signal: AbortSignal): AsyncGenerator<LiveEvent> {
  for await (const lines of mock.live.events(signal)) {
    for (const line of lines.trimEnd().split('\n')) yield JSON.parse(line)
  }
}

/** A mock with a stepped clock, one who watches, and a stream that waits. */
async function watchedStream() {
  const mock = await createMock({ clock: { mode: 'stepped', startAt: '2030-01-01T00:00:00Z' } })
  const events = eventsOf(mock, new AbortController().signal)
  const first = await events.next()
  const client = mockClient(mock.main, mock)
  const messages = [{ role: 'user', content: 'one two three four five six seven eight nine ten' }]
  const lines = client.stream('/v1/chat/completions/stream', { assistant_id: client.assistant('Slow echo'), messages })
  const next = async () => (await events.next()).value as LiveEvent
  const running = await next()
  return { mock, events, first: first.value, lines, running, next }
}

test('a stream shows when it starts to wait, with each chunk, and at its end', async () => {
  const { mock, first, lines, running, next } = await watchedStream()
  expect(first).toEqual({ event: 'open', running: [], sent: [] })
  expect(running).toMatchObject({
    event: 'running',
    id: 1,
    world: 'default',
    operation: 'streamChatCompletion',
    tenant: 'primary',
    held: false,
  })
  mock.clock.advanceToNext()
  expect([await next(), await next()]).toMatchObject([
    { event: 'chunk', id: 1, index: 0, text: expect.stringContaining('"content":"You ') },
    { event: 'world', world: 'default', change: 'clock' },
  ])
  mock.clock.adjust({ mode: 'frozen' })
  const sent = await lines
  const rest: LiveEvent[] = []
  while (rest.at(-1)?.event !== 'exchange') rest.push(await next())
  expect(rest.filter(({ event }) => event === 'chunk')).toHaveLength(sent.length - 1)
  expect(rest.at(-1)).toMatchObject({ id: 1, number: 1, status: 200, outcome: 'read-all', chunks: sent.length })
})

test('who comes later hears first what runs, with the chunks so far', async () => {
  const { mock, lines, running } = await watchedStream()
  mock.clock.advanceToNext()
  const late = await eventsOf(mock, new AbortController().signal).next()
  const { event: _, ...known } = running as Extract<LiveEvent, { event: 'running' }>
  expect(late.value).toMatchObject({ event: 'open', running: [known], sent: [{ id: 1, index: 0 }] })
  mock.clock.adjust({ mode: 'frozen' })
  await lines
})

test('over HTTP a changed or inserted chunk needs its text, which may be empty', async () => {
  const { mock, lines } = await watchedStream()
  const act = async (body: object) => {
    const init = { method: 'POST', body: JSON.stringify(body) }
    const answer = await mock.fetch('/_acs/worlds/default/running/1', init)
    const { detail } = (await answer.json()) as { readonly detail?: unknown }
    return [answer.status, detail]
  }
  for (const action of ['edit', 'inject']) {
    const fault = { loc: ['body', 'text'], message: `is required for ${action}`, type: 'missing' }
    expect(await act({ action })).toEqual([422, [fault]])
    expect(await act({ action, text: '' })).toEqual([200, undefined])
  }
  mock.clock.adjust({ mode: 'frozen' })
  await lines
})

test('a held stream waits whatever the clock does; it is stepped, loses a chunk, and goes on', async () => {
  const { mock, lines } = await watchedStream()
  const act = (action: Parameters<Mock['live']['act']>[2], world = 'default') => mock.live.act(world, 1, action)
  expect([act('step', 'other'), act('hold'), mock.clock.advanceToNext()]).toEqual([false, true, false])
  expect([act('step'), act('drop'), act('step')]).toEqual([true, true, true])
  expect(act('release')).toBe(true)
  mock.clock.adjust({ mode: 'frozen' })
  const sent = await lines
  expect(act('step')).toBe(false)
  const text = sent.map(({ delta }) => delta.content).join('')
  const whole = 'You said: one two three four five six seven eight nine ten'
  expect(text.length).toBeLessThan(whole.length)
  expect(whole.startsWith(sent[0].delta.content) && whole.endsWith(sent.at(-1).delta.content)).toBe(true)
})

test('a stream is closed from outside, and the journal says broken off', async () => {
  const { mock, lines } = await watchedStream()
  mock.live.act('default', 1, 'close')
  await expect(lines).rejects.toThrow()
  expect(mock.journal.query()[0]).toMatchObject({ outcome: 'broken-off', chunkTimesUs: [] })
})

test('a whole answer that takes its time is stepped, and has no chunk to drop', async () => {
  const mock = await createMock({ clock: { mode: 'stepped' } })
  const client = mockClient(mock.main, mock)
  const body = { assistant_id: client.assistant('Slow echo'), messages: [{ role: 'user', content: 'x' }] }
  const events = eventsOf(mock, new AbortController().signal)
  await events.next()
  const answer = client.post('/v1/chat/completions', body)
  const { value } = await events.next()
  const actions = ['hold', 'release', 'step', 'close']
  expect(value).toMatchObject({ event: 'running', id: 1, chunks: null, operation: 'createChatCompletion', actions })
  expect(mock.live.act('default', 1, 'drop')).toBe(false)
  expect(mock.live.act('default', 1, 'step')).toBe(true)
  expect((await answer).status).toBe(200)
})

test('targets and chunks of events have no key in them', async () => {
  const mock = await createMock({ clock: { mode: 'frozen' } })
  const events = eventsOf(mock, new AbortController().signal)
  await events.next()
  await mockClient(mock.main, mock).get('/v1/assistants?key=acs-demo-primary')
  const { value } = await events.next()
  expect(value).toMatchObject({
    event: 'exchange',
    status: 200,
    target: expect.stringMatching(/^\/v1\/assistants\?key=/),
  })
  expect(JSON.stringify(value)).not.toContain('acs-demo')
})

test('a reader that does not read costs a bounded memory, and is told how much it missed', async () => {
  const feed = createEventFeed<{ readonly event: string; readonly text?: string }>()
  const lines = feed.subscribe(null, { event: 'open' })
  const text = 'x'.repeat(1000)
  for (let count = 0; count < 5000; count += 1) feed.publish({ event: 'chunk', text })
  const { value } = await lines.next()
  expect(value?.length).toBeLessThan(1_100_000)
  const got = value?.split('\n').length ?? 0
  expect(value).toContain(`{"event":"missed","count":${5000 - (got - 3)}}\n`)
  feed.end()
  expect((await lines.next()).done).toBe(true)
})

test('a watcher that leaves is forgotten, and the end of the mock ends every watch', async () => {
  const mock = await createMock()
  const leaving = new AbortController()
  const left = mock.live.events(leaving.signal)
  await left.next()
  leaving.abort()
  expect((await left.next()).done).toBe(true)
  await using listener = await mock.listen()
  const response = await fetch(`${listener.url}/_acs/events`)
  expect(response.headers.get('content-type')).toBe('application/x-ndjson')
  const text = response.text()
  await mock.close()
  expect(await text).toBe('{"event":"open","running":[],"sent":[]}\n')
})

test('the next chunk can say something else, and one more can be sent before it', async () => {
  const { mock, lines } = await watchedStream()
  expect(mock.live.act('default', 1, 'inject', 'first of all ')).toBe(true)
  expect(mock.live.act('default', 1, 'edit', 'edited ')).toBe(true)
  mock.clock.adjust({ mode: 'frozen' })
  const contents = (await lines).map((line) => (line as { delta: { content: string } }).delta.content)
  expect(contents.slice(0, 2)).toEqual(['first of all ', 'edited '])
  expect(contents.length).toBeGreaterThan(3)
})

test('a stream that waits before its head says later that it has chunks', async () => {
  const mock = await createMock({ clock: { mode: 'stepped' } })
  const client = mockClient(mock.main, mock)
  const events = eventsOf(mock, new AbortController().signal)
  await events.next()
  mock.faults.add({ fault: 'late-headers:ms=500' })
  const messages = [{ role: 'user', content: 'one two three four' }]
  const leave = new AbortController()
  const sent = mock.fetch('/v1/chat/completions/stream', {
    method: 'POST',
    headers: { 'api-key': 'acs-demo-primary' },
    body: JSON.stringify({ assistant_id: client.assistant('Slow echo'), messages }),
    signal: leave.signal,
  })
  const seen: LiveEvent[] = []
  while (!seen.some((event) => event.event === 'running' && event.actions.includes('drop'))) {
    const { value } = await events.next()
    seen.push(value as LiveEvent)
    if (seen.length === 1) mock.clock.advanceToNext()
  }
  const running = seen.filter((event) => event.event === 'running')
  expect(running).toMatchObject([
    { id: 1, chunks: null, actions: ['hold', 'release', 'step', 'close'] },
    { id: 1, chunks: expect.any(Number), actions: expect.arrayContaining(['drop', 'edit', 'inject']) },
  ])
  leave.abort()
  await sent.catch(() => {})
})

test('a recorded stream shows its chunks and can lose one, and says that they cannot be changed', async () => {
  const recorder = await createMock({ clock: { mode: 'frozen' } })
  const from = mockClient(recorder.main, recorder)
  const body = {
    assistant_id: from.assistant('Slow echo'),
    messages: [{ role: 'user', content: 'one two three four' }],
  }
  const whole = await from.stream('/v1/chat/completions/stream', body)
  const [header, ...records] = recorder.journal
    .export('trace')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  const exchanges = records.filter(({ kind }) => kind === 'exchange')
  const recording = await createRecording({ header, exchanges })
  const mock = await createMock({ clock: { mode: 'stepped' }, recording })
  const events = eventsOf(mock, new AbortController().signal)
  await events.next()
  const played = mockClient(mock.main, mock).stream('/v1/chat/completions/stream', body)
  const { value } = await events.next()
  const actions = ['hold', 'release', 'step', 'drop', 'close']
  expect(value).toMatchObject({ event: 'running', chunks: whole.length, actions })
  expect(mock.live.act('default', 1, 'edit', 'no')).toBe(false)
  expect(mock.live.act('default', 1, 'step')).toBe(true)
  expect(mock.live.act('default', 1, 'drop')).toBe(true)
  mock.clock.adjust({ mode: 'frozen' })
  expect(await played).toEqual(whole.filter((_, index) => index !== 1))
})

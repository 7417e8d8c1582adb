/** Tests that a recorded session is played to the byte, and that the machine goes on from it. */
import { expect, test } from 'vitest'
import { mockClient } from '../../test/support/mock-client.ts'
import type { Journal } from '../journal/journal.ts'
import { createMock, type Mock } from '../mock.ts'
import type { RecordedTrace } from './read-exchanges.ts'
import { createRecording } from './recording.ts'

const frozen = { clock: { mode: 'frozen' } } as const

/** A session with the built-in mock: threads, runs, streams, pages, an error. Gives its trace and what was asked. */
async function session() {
  const mock = await createMock({ ...frozen, seed: 77 })
  const primary = mockClient(mock.main, mock)
  await primary.get('/v1/assistants')
  const thread = await primary.thread('Weather desk')
  await primary.say(thread, { role: 'user', content: 'Hello, Grüß Gott' })
  await primary.post(`/v1/threads/${thread}/run`, {})
  await primary.say(thread, { role: 'user', content: 'And the weather?' })
  await primary.stream(`/v1/threads/${thread}/run/stream`, {})
  await primary.get(`/v1/threads/${thread}/messages?limit=2`)
  await primary.get(`/v1/threads/${thread}/messages?limit=2`)
  const body = { assistant_id: primary.assistant('Slow echo'), messages: [{ role: 'user', content: 'Tell me' }] }
  const chunks = await primary.stream('/v1/chat/completions/stream', body)
  await primary.stream('/v1/chat/completions/events/stream', body)
  await primary.get('/v1/threads/none/messages')
  return { mock, thread, completion: String(chunks[0].thread_id), trace: traceOf(mock.journal) }
}

function traceOf(journal: Journal): RecordedTrace {
  const [header, ...records] = journal
    .export('trace')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  return { header, exchanges: records.filter(({ kind }) => kind === 'exchange') }
}

/** Sends what a journal holds once more; gives status and pieces of each answer. */
async function again(from: Mock, to: Mock) {
  for (const entry of from.journal.query()) {
    const headers = { ...entry.headers } as Record<string, string>
    await (
      await to.fetch(entry.target, {
        method: entry.method,
        headers,
        ...(entry.text() === '' ? null : { body: entry.text() }),
      })
    ).text()
  }
  return answersIn(to)
}

const answersIn = ({ journal }: Mock) =>
  journal
    .query()
    .map(({ status, responsePieces, headers: _, ...entry }) => [
      status,
      entry.response?.headers['content-type'],
      responsePieces.map((piece) => Buffer.from(piece).toString()),
    ])

test('a session that is asked again is answered with the same bytes in the same pieces, in every world', async () => {
  const { mock, trace } = await session()
  const copy = await createMock({ ...frozen, recording: await createRecording(trace) })
  const wanted = traceOf(mock.journal).exchanges.map(({ response }) => [
    response?.status,
    response?.headers.find(([name]) => name === 'content-type')?.[1],
    response?.pieces.map(({ bytes }) => ('utf8' in bytes ? bytes.utf8 : '')),
  ])
  expect(await again(mock, copy)).toEqual(wanted)
  expect(copy.journal.query().map(({ response }) => response?.headers['x-acs-recording'])).toEqual(
    trace.exchanges.map(({ id }) => id),
  )
  copy.main.reset()
  expect(await again(mock, copy)).toEqual(wanted)
})

test('the text of a trace is read as the trace is, and what is none is refused with its line', async () => {
  const { mock, trace } = await session()
  const text = mock.journal.export('trace')
  expect((await createRecording(text)).exchanges).toEqual((await createRecording(trace)).exchanges)
  await expect(createRecording('')).rejects.toThrow('a trace begins with its header')
  await expect(createRecording(`${text.split('\n')[0]}\n{}`)).rejects.toThrow('line 2 is no record of a trace')
})

test('pieces come when they came then, on the clock of the world', async () => {
  const { trace, mock } = await session()
  const recording = await createRecording(trace)
  const copy = await createMock({ clock: { mode: 'stepped' }, recording })
  const entry = mock.journal.query({ operation: 'streamChatCompletion' })[0]
  const answered = copy.fetch('/v1/chat/completions/stream', {
    method: 'POST',
    headers: { 'api-key': 'acs-demo-primary' },
    body: entry?.text() ?? '',
  })
  while (copy.journal.total() === 0) {
    copy.clock.advanceToNext()
    await new Promise((next) => setImmediate(next))
  }
  await (await answered).text()
  const played = copy.journal.query()[0]
  const since = (ticks: readonly number[] = [], start = 0) => ticks.map((tick) => Math.round((tick - start) / 1000))
  expect(since(played?.chunkTimesUs, played?.startedAtUs)).toEqual(since(entry?.chunkTimesUs, entry?.startedAtUs))
})

// Once more where a busy machine lets everything wait; a wrong pace is wrong each time.
test('on a real clock a stream takes as long as it did, within 5 %', { retry: 4 }, async () => {
  const { trace, mock } = await session()
  await using copy = await createMock({ recording: await createRecording(trace) })
  await using listener = await copy.listen()
  const recorded = mock.journal.query({ operation: 'streamChatCompletion' })[0]
  const headers = { 'api-key': 'acs-demo-primary' }
  const init = { method: 'POST', headers, body: recorded?.text() ?? '' }
  await (await fetch(`${listener.url}/v1/chat/completions/stream`, init)).text()
  const played = copy.journal.query()[0]
  const since = (ticks: readonly number[] = [], start = 0) => ticks.map((tick) => tick - start)
  const wanted = since(recorded?.chunkTimesUs, recorded?.startedAtUs)
  const departures = since(played?.chunkTimesUs, played?.startedAtUs).map(
    (tick, index) => Math.abs(tick - (wanted[index] ?? 0)) / (wanted[index] ?? 0),
  )
  expect(departures).toHaveLength(wanted.length)
  // The median, since a busy machine may wake a process late for one of them.
  expect(departures.toSorted((left, right) => left - right)[departures.length >> 1]).toBeLessThan(0.05)
})

test('a new question on a recorded thread is answered from its whole history, and the machine has the thread from then on', async () => {
  const { mock, trace, thread, completion } = await session()
  const copy = await createMock({ ...frozen, recording: await createRecording(trace) })
  const primary = mockClient(copy.main, copy)
  const answered = await primary.post(`/v1/chat/completions?thread_id=${completion}`, {
    assistant_id: mockClient(mock.main, mock).assistant('Slow echo'),
    messages: [{ role: 'user', content: 'Hello, Grüß Gott' }],
  })
  expect([answered.status, answered.json.content]).toEqual([
    200,
    'Ask me about the weather. You said: Hello, Grüß Gott',
  ])
  const page = await primary.get(`/v1/threads/${completion}/messages`)
  expect(page.json.items.map(({ role }: { role: string }) => role)).toEqual(['assistant', 'user', 'assistant', 'user'])
  expect(page.json.items[3].content).toBe('Tell me')
  const calls = mock.journal.query({ operation: 'streamThreadRun' })[0]?.responseJson() as readonly {
    delta: { tool_calls?: { id: string }[] }
  }[]
  const call = calls.at(-1)?.delta.tool_calls?.[0]?.id ?? ''
  expect((await primary.say(thread, { role: 'tool', content: 'sunny', tool_call_id: call })).status).toBe(201)
  const list = await primary.get(`/v1/threads/${thread}/messages?limit=2`)
  expect(list.json.items[0].content).toBe('sunny')
  expect(list.headers.get('x-acs-recording')).toMatch(
    /^not recorded; nearest is E7 GET .*: it was played already|differs/,
  )
})

test('what was not recorded says what is nearest, and why it did not fit', async () => {
  const { trace, thread, mock } = await session()
  const copy = await createMock({ ...frozen, recording: await createRecording(trace) })
  const primary = mockClient(copy.main, copy)
  const nearest = async (answer: Promise<{ readonly headers: Headers }>) =>
    (await answer).headers.get('x-acs-recording')
  const body = {
    assistant_id: mockClient(mock.main, mock).assistant('Slow echo'),
    messages: [{ role: 'user', content: 'Other' }],
  }
  expect(await nearest(primary.post('/v1/chat/completions/stream', body))).toBe(
    'not recorded; nearest is E9 POST /v1/chat/completions/stream: the body differs at /messages/0/content',
  )
  expect(await nearest(primary.get(`/v1/threads/${thread}/messages?limit=3`))).toContain('the query is limit=2 there')
  expect(await nearest(primary.post('/v1/chat/completions', body))).toBe('not recorded; no createChatCompletion was')
})

test('no key of the recorded service is in a recording, and what is not played is counted', async () => {
  const mock = await createMock(frozen)
  const primary = mockClient(mock.main, mock)
  await primary.get('/v1/assistants')
  await primary.get('/v1/tenants/my-api-keys')
  await primary.get('/v1/files/signed-url?filename=a.txt', { 'user-id': 'u' })
  await mock.fetch('/v1/assistants')
  const recording = await createRecording(traceOf(mock.journal))
  expect(
    JSON.stringify(
      recording.exchanges.map(({ pieces, ...rest }) => [
        rest,
        Buffer.concat(pieces.map(({ bytes }) => bytes)).toString(),
      ]),
    ),
  ).not.toContain('acs-demo')
  expect(recording.notes).toEqual([
    '1 exchanges about uploads, which are new are not played',
    '1 exchanges without a known key are not played',
  ])
  await expect(createRecording({ header: { target: 'http://a' }, exchanges: [] })).rejects.toThrow(
    'nothing can be played',
  )
})

test('an assistant whose schema breaks the contract is told, and answers all the same', async () => {
  const { trace } = await session()
  const spoiled: RecordedTrace = JSON.parse(
    JSON.stringify(trace).replace('\\"type\\":\\"object\\"', '\\"type\\":\\"array\\"'),
  )
  const recording = await createRecording(spoiled)
  expect(recording.notes[0]).toMatch(
    /^assistant [0-9a-f-]{36}: .*does not describe an object \(assistants\.schema-describes-object\)$/,
  )
  const copy = await createMock({ ...frozen, recording })
  const primary = mockClient(copy.main, copy)
  const said = await primary.post('/v1/chat/completions', {
    assistant_id: primary.assistant('Echo'),
    messages: [{ role: 'user', content: 'new' }],
  })
  expect([said.status, said.json.content]).toEqual([200, 'There is no recorded answer to: new'])
})

/** The conversations about threads and tools. */
import type { JsonObject } from '../../../mock-server/scenario/scenario.ts'
import type { Conversation, Speaker } from './speaker.ts'

const unknown = '00000000-0000-4000-8000-000000000000'
const call = (id: string): JsonObject => ({ id, type: 'function', function: { name: 'f', arguments: '{}' } })
const asking = (...ids: readonly string[]): JsonObject => ({ tool_calls: ids.map(call) })
const list = (thread: string) => `/v1/threads/${thread}/messages`
const run = (thread: string) => `/v1/threads/${thread}/run`

const difficult = [
  ' both ends ',
  'ends on a line feed\n',
  'e\u0301',
  '\u00e9',
  'two\r\nlines',
  '<b>"fish" & \'chips\'</b>',
  '🙂',
  'é'.repeat(3000),
  'nul\0inside',
  'two  blanks',
  '{"a":1}',
  'Dear {{name}}',
  'zero\u200bwidth',
  'anna@mail.example -- $$5',
  'a\\nb',
  '資'.repeat(30_000),
  'x'.repeat(300),
]

/** Completions in both forms, whose threads are listed. */
async function listedCompletions(speaker: Speaker): Promise<void> {
  for (const form of ['', '/stream']) {
    const { text } = await speaker.post(`/v1/chat/completions${form}`, speaker.asks('two\nlines'))
    const [first = '{}'] = text.split('\n')
    await speaker.get(list(JSON.parse(first).thread_id))
  }
}

/** The conversation of chapter threads. */
export const threadsConversation: Conversation = async (speaker) => {
  await refusedMessages(speaker)
  await listedCompletions(speaker)
  const thread = await speaker.thread()
  await speaker.get(list(thread))
  for (const content of difficult) await speaker.say(thread, 'user', content)
  await speaker.say(thread, 'user', difficult.at(-1) ?? '')
  await speaker.get(list(thread))
  await speaker.get(list(thread))
  for (const role of ['system', 'assistant', 'user']) await speaker.say(thread, role, 'Hello')
  await speaker.get(list(thread))
  await speaker.get(list(thread))
  const other = await speaker.thread()
  await speaker.say(other, 'assistant', 'First', asking('call_1'))
  await speaker.post(run(other), {})
  await speaker.say(other, 'tool', '', { tool_call_id: 'call_1' })
  await speaker.say(other, 'tool', 'Done.', { tool_call_id: 'call_1' })
  await speaker.say(other, 'assistant', 'Second', asking('call_2', 'call_3'))
  for (const id of ['call_2', 'call_3']) await speaker.say(other, 'tool', 'Done.', { tool_call_id: id })
  await speaker.get(list(other))
  const claims = { id: unknown, thread_id: unknown, created_at: '2020-01-01T00:00:00.000000Z' }
  for (const [field, value] of Object.entries(claims)) await speaker.say(other, 'user', 'claims', { [field]: value })
  const many = speaker.seeded({
    messages: Array.from({ length: 102 }, (_, index) => ({ role: 'user', content: `m${index}` }) as const),
  })
  await speaker.get(`${list(many)}?limit=1000`)
  await speaker.say(many, 'assistant', 'Noted.')
  await speaker.post(`${run(many)}/stream`, {})
  const streamed = await speaker.thread()
  await speaker.say(streamed, 'user', 'Hello')
  await speaker.get(list(streamed))
  await speaker.post(`${run(streamed)}/stream`, {})
  await speaker.get(list(streamed))
  const question = { role: 'user', content: 'the question' } as const
  const remarks = Array.from({ length: 60 }, (_, index) => ({ role: 'assistant', content: `r${index}` }) as const)
  await speaker.post(run(speaker.seeded({ messages: [question, ...remarks] })), {})
  await runs(speaker)
  await together(speaker)
  await foreign(speaker)
}

async function refusedMessages(speaker: Speaker): Promise<void> {
  await speaker.say(unknown, 'user', 'hi')
  await speaker.get(list(unknown))
  for (const form of ['run', 'run/stream']) await speaker.post(`/v1/threads/${unknown}/${form}`, {})
  const thread = await speaker.thread()
  for (const role of ['user', 'system']) await speaker.say(thread, role, '')
  const grant = await speaker.get('/v1/files/signed-url?filename=a.txt', { 'user-id': 'u' })
  await speaker.say(thread, 'user', '', { file_ids: [grant.json.file_id ?? null] })
  for (const content of [undefined, 1, ['a'], null, { a: 1 }, true])
    await speaker.post(list(thread), { role: 'user', content })
  for (const role of ['bot', 'USER', ' user', undefined, null])
    await speaker.post(list(thread), { role, content: 'hi' })
  await speaker.say(thread, 'tool', 'nobody asked', { tool_call_id: 'none' })
  for (const form of ['run', 'run/stream']) await speaker.post(`/v1/threads/${thread}/${form}`, {})
  await speaker.get(list(thread))
  for (const path of ['/v1/chat/completions', '/v1/chat/completions/stream']) {
    const { json, text } = await speaker.post(path, speaker.asks('hi'))
    const born = String(json.thread_id ?? /"thread_id":"([^"]+)"/.exec(text)?.[1])
    for (const role of ['user', 'system', 'assistant']) await speaker.say(born, role, 'more')
    await speaker.get(list(born))
    await speaker.post(`/v1/chat/completions?thread_id=${born}`, speaker.asks('hi'))
    await speaker.say(born, 'user', 'more')
    await speaker.post(run(born), {})
    await speaker.say(born, 'user', 'behind a run')
    await speaker.post(`/v1/chat/completions?thread_id=${born}`, { ...speaker.asks('hi'), assistant_id: unknown })
    await speaker.get(list(born))
  }
}

async function runs(speaker: Speaker): Promise<void> {
  for (const role of ['system', 'assistant']) {
    const thread = await speaker.thread()
    await speaker.say(thread, role, 'Hello')
    for (const form of ['', '/stream']) await speaker.post(run(thread) + form, {})
    await speaker.say(thread, 'user', 'HI')
    await speaker.say(thread, role, 'Hello')
    for (const form of ['/stream', '']) await speaker.post(run(thread) + form, {})
    await speaker.post(`${run(thread)}/stream`, {})
    await speaker.get(list(thread))
    await speaker.say(thread, 'system', 'Hello')
    await speaker.post(run(thread), {})
  }
  const thread = await speaker.thread()
  await speaker.say(thread, 'user', 'x'.repeat(5000))
  await speaker.post(`${run(thread)}/stream`, {})
  await speaker.get(list(thread))
  await speaker.post(run(thread), {})
  await speaker.get(list(thread))
  await speaker.say(thread, 'user', 'And now?')
  for (const assistant_id of [unknown, speaker.assistant('Echo next door')])
    for (const form of ['', '/stream']) await speaker.post(run(thread) + form, { assistant_id })
}

/** A creation while a stream is told. */
async function together(speaker: Speaker): Promise<void> {
  const thread = await speaker.thread()
  await speaker.say(thread, 'user', 'before')
  await speaker.say(thread, 'user', 'A question with a long answer. '.repeat(600))
  await speaker.whileTold(`${run(thread)}/stream`, () => speaker.say(thread, 'user', 'meanwhile'))
  await speaker.get(list(thread))
}

async function foreign(speaker: Speaker): Promise<void> {
  speaker.seeded({ tenant: 'secondary', messages: [{ role: 'user', content: 'theirs' }] })
  const thread = await speaker.thread()
  await speaker.say(thread, 'user', 'mine')
  await speaker.get(list(thread))
}

/** The conversation of chapter tools. */
export const toolsConversation: Conversation = async (speaker) => {
  const bare = await speaker.thread()
  await speaker.say(bare, 'tool', 'nobody asked', { tool_call_id: 'none' })
  await speaker.say(bare, 'tool', 'nobody asked')
  await speaker.say(bare, 'user', 'look for call_noted', { tool_call_id: 'call_noted' })
  await speaker.say(bare, 'tool', 'noted', { tool_call_id: 'call_noted' })
  await speaker.say(bare, 'assistant', '', asking('call_noted'))
  const thread = await speaker.thread()
  await speaker.say(thread, 'user', 'hi')
  await speaker.say(thread, 'assistant', 'Wait.', asking('call_A1', 'call_B2'))
  for (const id of ['none', 'constructor', 'call_a1', 'call_A', ' call_A1'])
    await speaker.say(thread, 'tool', 'result', { tool_call_id: id })
  await speaker.post(run(thread), {})
  await speaker.say(thread, 'tool', 'result', { tool_call_id: 'call_A1' })
  for (const form of ['', '/stream']) await speaker.post(run(thread) + form, {})
  await speaker.say(thread, 'tool', 'result', { tool_call_id: 'call_B2' })
  for (const form of ['', '/stream']) await speaker.post(run(thread) + form, {})
  await speaker.say(bare, 'tool', 'of another thread', { tool_call_id: 'call_A1' })
  await speaker.say(thread, 'assistant', 'Wait.', asking('call_C3'))
  await speaker.say(thread, 'tool', 'result', { tool_call_id: 'call_C3' })
  await speaker.post(`${run(thread)}/stream`, {})
  const behindLast = await speaker.thread()
  await speaker.say(behindLast, 'user', 'hi')
  await speaker.say(behindLast, 'assistant', 'Wait.', asking('call_A1', 'call_B2'))
  await speaker.say(behindLast, 'tool', 'result', { tool_call_id: 'call_B2' })
  await speaker.post(run(behindLast), {})
  await speaker.say(behindLast, 'tool', 'result', { tool_call_id: 'call_A1' })
  await speaker.post(`${run(behindLast)}/stream`, {})
  await openCalls(speaker)
  const context = await speaker.thread('Weather desk')
  await speaker.say(context, 'user', 'How is the weather?')
  const { json } = await speaker.post(run(context), {})
  const [asked] = (json.tool_calls ?? []) as readonly JsonObject[]
  await speaker.say(bare, 'tool', 'of another thread', { tool_call_id: asked?.id ?? '' })
  await speaker.say(context, 'tool', 'Sunny.', { tool_call_id: asked?.id ?? '' })
  await speaker.get(list(context))
  await laterCalls(speaker)
  await callsAskedAgain(speaker)
}

/**
 * One call that is answered twice beside one that waits, until a newer message stands behind it; an id that is asked for again
 * behind its result; and two messages that ask, of which the newer one is answered.
 */
async function callsAskedAgain(speaker: Speaker): Promise<void> {
  const twice = await speaker.thread()
  await speaker.say(twice, 'user', 'hi')
  await speaker.say(twice, 'assistant', 'Wait.', asking('call_1'))
  await speaker.say(twice, 'tool', 'Done.', { tool_call_id: 'call_1' })
  await speaker.say(twice, 'assistant', 'Wait.', asking('call_1'))
  await speaker.post(run(twice), {})
  const counted = await speaker.thread()
  await speaker.say(counted, 'user', 'hi')
  await speaker.say(counted, 'assistant', 'Wait.', asking('call_1', 'call_2'))
  for (let time = 0; time < 2; time += 1) await speaker.say(counted, 'tool', 'Done.', { tool_call_id: 'call_1' })
  await speaker.post(run(counted), {})
  await speaker.say(counted, 'assistant', 'One moment.')
  await speaker.say(counted, 'tool', 'Done.', { tool_call_id: 'call_2' })
  const two = await speaker.thread()
  await speaker.say(two, 'user', 'hi')
  for (const id of ['call_1', 'call_2']) await speaker.say(two, 'assistant', 'Wait.', asking(id))
  await speaker.say(two, 'tool', 'Done.', { tool_call_id: 'call_2' })
  await speaker.post(run(two), {})
}

/** Calls far behind the start of a thread, in two rounds. */
async function laterCalls(speaker: Speaker): Promise<void> {
  const long = speaker.seeded({
    messages: Array.from({ length: 40 }, (_, index) => ({ role: 'user', content: `m${index}` }) as const),
  })
  for (const id of ['call_1', 'call_2']) {
    await speaker.say(long, 'assistant', 'Wait.', asking(id))
    await speaker.say(long, 'tool', 'Done.', { tool_call_id: id })
  }
  await speaker.post(run(long), {})
}

async function openCalls(speaker: Speaker): Promise<void> {
  const thread = await speaker.thread()
  await speaker.say(thread, 'user', 'hi')
  await speaker.say(thread, 'assistant', 'Wait.', asking('call_1'))
  await speaker.say(thread, 'user', 'Well?')
  for (const form of ['', '/stream']) await speaker.post(run(thread) + form, {})
  await speaker.say(thread, 'assistant', 'Soon.')
  await speaker.say(thread, 'user', 'Well?')
  await speaker.post(run(thread), {})
}

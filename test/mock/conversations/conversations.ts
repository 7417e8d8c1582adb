/**
 * Scripted conversations, one for each chapter, in which every deviation of the chapter has its trigger somewhere.
 * They prove that a deviation changes something; that the change is the violation it names is for the suite to say.
 */

import type { JsonObject } from '../../../mock-server/scenario/scenario.ts'
import type { Chapter } from '../../../spec/index.ts'
import { completionsConversation, errorsConversation } from './rejections.ts'
import type { Conversation, Speaker } from './speaker.ts'
import { threadsConversation, toolsConversation } from './threads.ts'

const secondary = { 'api-key': 'acs-demo-secondary' }
/** A client that reads streams and whole answers. */
const readingLines = { accept: 'application/x-ndjson, application/json' }
const noKey = { 'api-key': '(none)' }
const long = 'A sentence that is long enough to be cut into several pieces, "quoted" & <marked>, told twice over. '
const emoji =
  'Grüße 🙂🙂 und e\u0301, then more of the same 🙂 until there are several chunks 🙂🙂🙂🙂🙂🙂🙂🙂🙂🙂🙂🙂🙂'
const legalData = { user_data: { licence: 'full' } }

const plain = '/v1/chat/completions'
const stream = '/v1/chat/completions/stream'
const events = '/v1/chat/completions/events/stream'

async function everyOperation(
  speaker: Speaker,
  headers: Readonly<Record<string, string>>,
  thread: string,
): Promise<void> {
  await speaker.get('/v1/assistants', headers)
  await speaker.get(`/v1/assistants/${speaker.assistant('Echo')}`, headers)
  await speaker.get('/v1/tenants/my-api-keys', headers)
  await speaker.get('/v1/files/signed-url?filename=a.txt', { 'user-id': 'u', ...headers })
  await speaker.post(plain, speaker.asks('hi'), headers)
  await speaker.post(stream, speaker.asks('hi'), headers)
  await speaker.get(`/v1/threads/${thread}/messages`, headers)
  await speaker.post(`/v1/threads/${thread}/messages`, { role: 'user', content: 'hi' }, headers)
}

const auth: Conversation = async (speaker) => {
  const thread = await speaker.thread()
  await speaker.say(thread, 'user', 'hello')
  await everyOperation(speaker, noKey, thread)
  await everyOperation(speaker, { 'api-key': 'nobody' }, thread)
  await speaker.get('/v1/assistants', { 'api-key': 'ACS-DEMO-PRIMARY' })
  await speaker.get('/v1/assistants', { 'api-key': 'acs-demo-primary-2' })
  await speaker.get('/v1/assistants', { 'api-key': '' })
  await speaker.get('/v1/assistants', { 'api-key': '(none)', 'API-Key': 'acs-demo-primary' })
  await speaker.get('/v1/tenants/my-api-keys')
  for (const headers of [secondary, { 'api-key': 'acs-demo-throttled' }])
    await speaker.get('/v1/tenants/my-api-keys', headers)
}

const http: Conversation = async (speaker) => {
  for (let index = 0; index < 3; index += 1) {
    await speaker.get('/v1/assistants')
    await speaker.get('/v1/tenants/my-api-keys')
  }
  for (const name of ['Echo', 'Legal assistant']) await speaker.get(`/v1/assistants/${speaker.assistant(name)}`)
  for (const name of ['a.txt', 'my file.txt', 'Übersicht.pdf']) {
    await speaker.get(`/v1/files/signed-url?filename=${encodeURIComponent(name)}`, { 'user-id': 'u' })
  }
  const said = [
    { role: 'system', content: 'Be brief.' },
    { role: 'assistant', content: 'Yes?' },
    { role: 'user', content: 'hi' },
  ]
  await speaker.post(plain, speaker.asks('hi'))
  await speaker.post(plain, speaker.asks('hi', { user_id: '0190a6f4-1b1c-7def-8abc-5f0e2d3c4b5a' }))
  await speaker.post(plain, speaker.asks('', { messages: said }))
  await speaker.post(stream, speaker.asks('', { messages: said }))
  await speaker.post(plain, speaker.asks('hi', { assistant_id: speaker.assistant('Whole answers only') }))
  await speaker.post(events, speaker.asks(emoji))
  const thread = await speaker.thread()
  const path = `/v1/threads/${thread}/messages`
  await speaker.say(thread, 'user', 'one')
  await speaker.post(path, '{"role":"user","content":"fields in another order"}')
  await speaker.post(path, '{"content":"fields in another order","role":"user"}')
  await speaker.post(path, '{\n  "content" : "spread out",\n  "role" : "user"\n}')
  await speaker.post(path, '{"role":"user","content":"\\u00e9 \\u00E7 \\ud83d\\ude42 \\/"}')
  for (const content of ['two\nlines', emoji, '🙂', 'select * from a -- b', 'x'.repeat(66_000)])
    await speaker.say(thread, 'user', content)
  await speaker.post(`/v1/threads/${thread}/run`, { assistant_id: speaker.assistant('Whole answers only') })
  const { json } = await speaker.get(`${path}?limit=3`)
  await speaker.get(`${path}?limit=3&cursor=${String(json.cursor)}`)
  await speaker.get(path)
  await speaker.post(`/v1/threads/${thread}/run`, {})
  await speaker.say(thread, 'user', 'again')
  await speaker.post(`/v1/threads/${thread}/run`, {})
  const other = await speaker.thread()
  await speaker.say(other, 'system', 'Be brief.')
  await speaker.say(other, 'assistant', 'Yes?')
  await speaker.say(other, 'user', 'hi')
  await speaker.post(`/v1/threads/${other}/run/stream`, {})
  for (const name of ['Echo next door', 'Echo'])
    await speaker.post(`/v1/threads/${other}/run`, { assistant_id: speaker.assistant(name) })
  // So long that it is not all written before the caller leaves.
  await speaker.say(other, 'user', long.repeat(1000))
  await speaker.leave(`/v1/threads/${other}/run/stream`)
  await speaker.say(other, 'user', 'and now?')
  await speaker.post(`/v1/threads/${other}/run/stream`, {})
}

const resources: Conversation = async (speaker) => {
  await speaker.get('/v1/tenants/my-api-keys')
  await speaker.get('/v1/assistants')
  await speaker.get(`/v1/assistants/${speaker.assistant('Echo')}`)
  const file = await speaker.get('/v1/files/signed-url?filename=a.txt', { 'user-id': 'u' })
  const carrying = await speaker.thread()
  await speaker.say(carrying, 'user', 'See this.', { file_ids: [String(file.json.file_id)] })
  await speaker.post(`/v1/threads/${carrying}/run`, {})
  const born = await speaker.post(plain, speaker.asks(long))
  await speaker.post(
    plain,
    speaker.asks('', {
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'hi' },
      ],
    }),
  )
  await speaker.post(plain, speaker.asks('こんにちは'))
  await speaker.post(plain, speaker.asks('How are you?', { assistant_id: speaker.assistant('Weather desk') }))
  for (const path of [plain, stream, stream])
    await speaker.post(`${path}?thread_id=${String(born.json.thread_id)}`, speaker.asks('And then?'))
  await speaker.get(`/v1/threads/${String(born.json.thread_id)}/messages`)
  await speaker.post(stream, speaker.asks(long))
  await speaker.post(events, speaker.asks(long))
  const ofLegal = { assistant_id: speaker.assistant('Legal assistant'), ...legalData }
  for (const question of ['Must I sue?', 'What is a contract?', 'Hello.\nMust I sue?'])
    await speaker.post(plain, speaker.asks(question, ofLegal))
  await speaker.post(`${plain}?thread_id=${String(born.json.thread_id)}`, speaker.asks('And now?', ofLegal))
  await speaker.post(plain, speaker.asks('And now?'))
  const thread = await speaker.thread()
  for (let index = 0; index < 12; index += 1)
    await speaker.say(thread, 'user', index < 2 ? 'twice' : `message ${index}`)
  for (const content of [' \n ', 'x'.repeat(5000)]) await speaker.say(thread, 'user', content)
  await speaker.say(thread, 'system', 'Be brief.')
  await speaker.say(thread, 'user', long)
  for (const form of ['run', 'run', 'run/stream']) {
    await speaker.post(`/v1/threads/${thread}/${form}`, {})
    await speaker.say(thread, 'user', long)
  }
  await speaker.get(`/v1/threads/${thread}/messages`)
  const { json } = await speaker.get(`/v1/threads/${thread}/messages?limit=4`)
  await speaker.get(`/v1/threads/${thread}/messages?limit=4&cursor=${String(json.cursor)}`)
  const legal = await speaker.thread('Legal assistant')
  await speaker.say(legal, 'user', 'What is a contract?')
  await speaker.post(`/v1/threads/${legal}/run`, {})
  await speaker.get(`/v1/threads/${legal}/messages`)
  await toolRound(speaker)
}

async function toolRound(speaker: Speaker): Promise<void> {
  const thread = await speaker.thread('Weather desk')
  await speaker.say(thread, 'user', 'How is the weather?')
  const { json } = await speaker.post(`/v1/threads/${thread}/run`, {})
  const [call] = (json.tool_calls ?? []) as readonly JsonObject[]
  await speaker.say(thread, 'tool', 'Sunny.', { tool_call_id: call?.id ?? '' })
  await speaker.get(`/v1/threads/${thread}/messages`)
  await speaker.post(`/v1/threads/${thread}/run`, {})
}

const streams: Conversation = async (speaker) => {
  const texts = [
    'hi',
    long,
    emoji,
    'two\r\nlines\nof it, and so on and so forth ',
    long.repeat(60),
    '-'.repeat(40),
    'a    b',
    'two\u2029paragraphs',
  ]
  for (const text of texts) await speaker.post(stream, speaker.asks(text))
  const thread = await speaker.thread()
  await speaker.say(thread, 'user', 'hi')
  await speaker.post(`/v1/threads/${thread}/run`, {}, readingLines)
  for (const text of texts) {
    await speaker.say(thread, 'user', text)
    await speaker.post(`/v1/threads/${thread}/run/stream`, {})
  }
  await speaker.get(`/v1/threads/${thread}/messages`)
  await speaker.post(`/v1/threads/${thread}/run`, {})
  for (const name of ['Echo', 'Weather desk'])
    await speaker.post(events, speaker.asks(long, { assistant_id: speaker.assistant(name) }))
  await speaker.post(events, speaker.asks(emoji))
  await speaker.get('/v1/assistants')
  await speaker.post(stream, speaker.asks('hi', { assistant_id: speaker.assistant('Weather desk') }))
  const { json } = await speaker.post(plain, speaker.asks('hi'))
  await speaker.post(`${stream}?thread_id=${String(json.thread_id)}`, speaker.asks(long))
  await speaker.get(`/v1/threads/${String(json.thread_id)}/messages`)
  const ofLegal = { assistant_id: speaker.assistant('Legal assistant'), ...legalData }
  const [chunk = '{}'] = (await speaker.post(events, speaker.asks('What is a contract?', ofLegal))).text.split('\n')
  await speaker.get(`/v1/threads/${JSON.parse(chunk).thread_id}/messages`)
  const whole = await speaker.thread('Whole answers only')
  await speaker.say(whole, 'user', 'hi')
  await speaker.post(`/v1/threads/${whole}/run/stream`, {})
  await speaker.post(`/v1/threads/${whole}/run`, {})
  await speaker.say(whole, 'user', 'hi')
  await speaker.post(`/v1/threads/${whole}/run/stream`, {})
  for (const twin of [await speaker.thread(), await speaker.thread()]) {
    await speaker.say(twin, 'user', 'asked twice')
    await speaker.post(`/v1/threads/${twin}/run`, {})
  }
  const asking = await speaker.thread('Weather desk')
  await speaker.say(asking, 'user', 'How is the weather?')
  await speaker.post(`/v1/threads/${asking}/run/stream`, {})
  await streamRefusals(speaker)
}

async function streamRefusals(speaker: Speaker): Promise<void> {
  const system = { role: 'system', content: 'Be brief.' }
  await speaker.post(stream, speaker.asks('', { messages: [system] }))
  await speaker.post(stream, speaker.asks('', { messages: [system, { role: 'user', content: 'hi' }] }))
  await speaker.post(stream, speaker.asks('hi', { user_id: 'nobody' }))
  await speaker.post(stream, speaker.asks('hi', { assistant_id: '00000000-0000-4000-8000-000000000000' }))
  const call = { id: 'call_1', type: 'function', function: { name: 'f', arguments: '{}' } }
  const thread = await speaker.thread()
  await speaker.say(thread, 'assistant', 'Wait.', { tool_calls: [call] })
  await speaker.say(thread, 'tool', 'Done.', { tool_call_id: 'call_1' })
  await speaker.post(`/v1/threads/${thread}/run/stream`, {})
  const open = await speaker.thread()
  await speaker.say(open, 'user', 'hi')
  await speaker.say(open, 'assistant', 'Wait.', { tool_calls: [call] })
  await speaker.say(open, 'user', 'Well?')
  await speaker.post(`/v1/threads/${open}/run/stream`, {})
}

const pagination: Conversation = async (speaker) => {
  const thread = speaker.seeded({
    messages: Array.from(
      { length: 120 },
      (_, index) => ({ role: index % 40 === 0 ? 'system' : 'user', content: `m${index}` }) as const,
    ),
  })
  const path = `/v1/threads/${thread}/messages`
  const walk = async (
    of: string,
    limit: number | null,
    pages: number,
    between: () => Promise<unknown> = async () => null,
  ) => {
    let cursor = ''
    for (let page = 0; page < pages; page += 1) {
      const size = limit === null ? '' : `limit=${limit}&`
      const { json } = await speaker.get(`${of}?${size}cursor=${cursor}`)
      if (typeof json.cursor !== 'string') return
      cursor = json.cursor
      await between()
    }
  }
  await walk(path, null, 3)
  for (const limit of [1, 2, 50, 119, 120, 121]) await walk(path, limit, 4)
  for (const limit of ['abc', '1.5', '5x']) await speaker.get(`${path}?limit=${limit}`)
  const few = speaker.seeded({
    messages: ['one', 'two', 'x'.repeat(5000), 'y'.repeat(5000), 'five'].map(
      (content) => ({ role: 'user', content }) as const,
    ),
  })
  const fewPath = `/v1/threads/${few}/messages`
  for (const role of ['assistant', 'system']) await speaker.say(few, role, 'said')
  for (const limit of [2, 3, 4, 5, 6, 10]) await walk(fewPath, limit, 4)
  await walk(fewPath, 2, 4, () => speaker.say(few, 'user', 'added'))
  const { json } = await speaker.get(`${fewPath}?limit=2`)
  for (let time = 0; time < 2; time += 1) await speaker.get(`${fewPath}?limit=2&cursor=${String(json.cursor)}`)
  await speaker.get(`${path}?limit=2`)
  await speaker.get(`${fewPath}?limit=2&cursor=${String(json.cursor)}`)
  for (let time = 0; time < 3; time += 1) await speaker.get(fewPath)
  await speaker.get(`/v1/threads/${await speaker.thread()}/messages`)
  const messages = ['one', 'two', 'three'].map((content) => ({ role: 'user', content }))
  const born = await speaker.post(plain, speaker.asks('hi', { messages }))
  await walk(`/v1/threads/${String(born.json.thread_id)}/messages`, 2, 2)
  const streamed = speaker.seeded({ messages: [{ role: 'user', content: long }] })
  await speaker.post(`/v1/threads/${streamed}/run/stream`, {})
  await speaker.get(`/v1/threads/${streamed}/messages`)
}

const assistants: Conversation = async (speaker) => {
  await speaker.get('/v1/assistants')
  await speaker.get('/v1/assistants', secondary)
  for (const name of ['Legal assistant', 'Echo', 'Whole answers only'])
    await speaker.get(`/v1/assistants/${speaker.assistant(name)}`)
  await speaker.get('/v1/assistants')
  await speaker.get('/v1/assistants/00000000-0000-4000-8000-000000000000')
  await speaker.post(plain, speaker.asks('hi', { assistant_id: speaker.assistant('Legal assistant'), ...legalData }))
  await speaker.get(`/v1/assistants/${speaker.assistant('Legal assistant')}`)
}

const files: Conversation = async (speaker) => {
  const grant = (query: string, userId?: string) =>
    speaker.get(`/v1/files/signed-url${query}`, userId === undefined ? {} : { 'user-id': userId })
  const { json } = await grant('?filename=a.txt', 'u-1')
  await speaker.put(String(json.file_url), 'hello', { 'content-type': 'text/plain', 'api-key': '(none)' })
  for (const query of ['?filename=a.txt', '?filename=b.pdf', '?filename=a.txt&persist=true', '', '?persist=false'])
    await grant(query, 'u-1')
  await speaker.get('/v1/files/signed-url?filename=a.txt', { 'user-id': 'u-1', ...secondary })
  await grant('?filename=a.txt', 'u^1')
  const passing = await grant('?filename=c.txt&persist=false', 'u-1')
  await speaker.get(`/v1/files/${String(passing.json.file_id)}/status`)
  await speaker.put(String(passing.json.file_url), 'hello', { 'content-type': 'text/csv; charset=utf-8' })
  await carriedFile(speaker, String(passing.json.file_id))
  await speaker.get(`/v1/files/${String(passing.json.file_id)}/status`)
  await speaker.pass(5)
  await speaker.get(`/v1/files/${String(passing.json.file_id)}/status`)
  for (const name of ['a/1.txt', '50% off.txt']) {
    const odd = await grant(`?filename=${encodeURIComponent(name)}`, 'u-1')
    await speaker.put(String(odd.json.file_url), 'hello', { 'content-type': 'text/plain' })
  }
  const largest = await grant('?filename=e.pdf', 'u-1')
  await speaker.put(String(largest.json.file_url), 'x'.repeat(10_485_760), { 'content-type': 'application/pdf' })
  await speaker.get(`/v1/files/${String(largest.json.file_id)}/status`)
  const earlier = await grant('?filename=d.txt', 'u-1')
  const later = await grant('?filename=d.txt', 'u-1')
  await speaker.put(String(later.json.file_url), 'hello', { 'content-type': 'text/plain' })
  await speaker.get(`/v1/files/${String(later.json.file_id)}/status`)
  await speaker.put(String(earlier.json.file_url), 'hello', { 'content-type': 'text/plain' })
  const large = await grant('?filename=e.txt', 'u-1')
  await speaker.put(String(large.json.file_url), 'x'.repeat(1_100_000), { 'content-type': 'text/plain' })
  const [empty, behind] = [await grant('?filename=a.txt', 'u-1'), await grant('?filename=b.txt', 'u-1')]
  await speaker.put(String(empty.json.file_url), '', { 'content-type': 'text/plain' })
  await speaker.put(String(behind.json.file_url), 'hello', { 'content-type': 'text/plain' })
  await speaker.get(`/v1/files/${String(behind.json.file_id)}/status`)
  await carriedFile(speaker, String(earlier.json.file_id))
  for (const persist of ['maybe', '7']) await grant(`?filename=a.txt&persist=${persist}`, 'u-1')
  await grant('?filename=a.txt')
  await grant('?filename=a.txt&persist=true')
  const taken = ['user@host', 'a:b', 'x', '42', 'User', '.user', 'user-', 'letters', 'u'.repeat(255)]
  const refused = ['a b', 'a/b', 'a,b', 'a+b', '\u00e9', '', 'u'.repeat(256), '#a']
  for (const userId of [...taken, ...refused]) await grant('?filename=a.txt', userId)
}

/** The status of an uploaded file, and messages of two threads that carry it. */
async function carriedFile(speaker: Speaker, id: string): Promise<void> {
  await speaker.get(`/v1/files/${id}/status`)
  for (const thread of [await speaker.thread(), await speaker.thread()])
    for (const content of ['See this.', 'And this.']) await speaker.say(thread, 'user', content, { file_ids: [id] })
}

const tenancy: Conversation = async (speaker) => {
  for (let index = 0; index < 3; index += 1) await speaker.get('/v1/tenants/my-api-keys')
  await speaker.get('/v1/tenants/my-api-keys', secondary)
  await speaker.get('/v1/tenants/my-api-keys', { 'api-key': 'acs-demo-throttled' })
  const foreign = speaker.assistant('Echo next door')
  await speaker.get(`/v1/assistants/${foreign}`)
  await speaker.get(`/v1/assistants/${speaker.assistant('Legal assistant')}`, secondary)
  await speaker.get(`/v1/assistants/${foreign}`, secondary)
  await speaker.get(`/v1/assistants/${foreign}`)
  for (const form of [plain, stream]) await speaker.post(form, speaker.asks('hi', { assistant_id: foreign }))
  const thread = await speaker.thread()
  await speaker.say(thread, 'user', 'mine')
  await speaker.get(`/v1/threads/${thread}/messages`, secondary)
  await speaker.post(`/v1/threads/${thread}/messages`, { role: 'user', content: 'theirs' }, secondary)
  for (const form of ['run', 'run/stream']) await speaker.post(`/v1/threads/${thread}/${form}`, {}, secondary)
  await speaker.post(`/v1/threads/${thread}/run`, {})
  await speaker.get(`/v1/threads/${thread}/messages`, secondary)
  const { json } = await speaker.post(plain, speaker.asks('hi'))
  await speaker.post(plain, speaker.asks('hello', { assistant_id: foreign }), secondary)
  for (const id of [thread, String(json.thread_id)]) {
    for (const form of [plain, stream, events])
      await speaker.post(`${form}?thread_id=${id}`, speaker.asks('hi', { assistant_id: foreign }), secondary)
  }
  const grant = await speaker.get('/v1/files/signed-url?filename=a.txt', { 'user-id': 'u' })
  await speaker.put(String(grant.json.file_url), 'hello', { 'content-type': 'text/plain', 'api-key': '(none)' })
  const status = `/v1/files/${String(grant.json.file_id)}/status`
  for (const headers of [{}, secondary]) await speaker.get(status, headers)
  const { json: page } = await speaker.get(`/v1/threads/${thread}/messages?limit=1`)
  await speaker.get(`/v1/threads/${thread}/messages?cursor=${String(page.cursor)}`, secondary)
}

/** The conversation of each chapter. */
export const conversations: Readonly<Record<Chapter, Conversation>> = {
  http,
  auth,
  resources,
  completions: completionsConversation,
  streams,
  threads: threadsConversation,
  tools: toolsConversation,
  pagination,
  assistants,
  files,
  tenancy,
  errors: errorsConversation,
}

/** One of everything, with nothing in it that a rare trigger waits for. */
export const everydayConversation: Conversation = async (speaker) => {
  await speaker.get(`/v1/assistants/${speaker.assistant('Echo')}`)
  await speaker.get('/v1/tenants/my-api-keys')
  await speaker.get('/v1/files/signed-url?filename=a.txt', { 'user-id': 'user-1' })
  const thread = await speaker.thread()
  await speaker.say(thread, 'user', 'hi')
  await speaker.get(`/v1/threads/${thread}/messages?limit=50`)
  await speaker.post(plain, speaker.asks('hi'))
}

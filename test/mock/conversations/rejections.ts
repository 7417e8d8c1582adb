/** The conversations about completions and errors. */
import type { JsonObject } from '../../../mock-server/scenario/scenario.ts'
import type { Conversation, Speaker } from './speaker.ts'

const plain = '/v1/chat/completions'
const stream = '/v1/chat/completions/stream'
const events = '/v1/chat/completions/events/stream'
const unknown = '11111111-1111-4111-8111-111111111111'
const throttled = { 'api-key': 'acs-demo-throttled' }

const user = { role: 'user', content: 'hi' }
const system = { role: 'system', content: 'Be brief.' }

/** Bodies that must be refused, over a sound one. */
function faultyBodies(speaker: Speaker): readonly unknown[] {
  const sound = speaker.asks('hi')
  const { assistant_id: id, ...anonymous } = sound
  const messages = [
    undefined,
    [],
    [system],
    [{ role: 'assistant', content: 'I speak.' }],
    user,
    'hi',
    ['hi'],
    [{ role: 'user' }, user, { role: 'user' }],
    [{ role: 'user' }],
    [{ role: 'user', content: 1 }],
    [{ content: 'hi' }],
    [{ role: 1, content: 'hi' }],
    [user, { role: 'user', content: 1 }],
    [{ role: 'bot', content: 'hi' }],
    [{ role: 'constructor', content: 'hi' }],
    [user, { role: 'bot', content: 'hi' }],
    [user, null],
    [{ role: 'system', content: null }, user],
    [{ role: null, content: 'hi' }],
  ]
  return [
    anonymous,
    { ...anonymous, messages: [{ role: 'user' }] },
    { ...anonymous, messages: [{}, user] },
    ...['Echo', 7, true, null, unknown, '00000000-0000-0000-0000-000000000000'].map((other) => ({
      ...sound,
      assistant_id: other,
    })),
    ...messages.map((faulty) => ({ assistant_id: id, ...(faulty === undefined ? null : { messages: faulty }) })),
    { ...sound, user_id: 'me' },
    { ...sound, user_id: 7 },
    { ...sound, user_id: 0 },
    { ...anonymous, user_id: 7 },
  ]
}

function legalBodies(speaker: Speaker): readonly JsonObject[] {
  const legal = { assistant_id: speaker.assistant('Legal assistant') }
  const beside = { ...legal, user_data: {}, licence: 'full' }
  const none = { ...legal, user_data: null }
  return [legal, none, { ...legal, user_data: {} }, beside].map((more) => speaker.asks('hi', more))
}

/** The conversation of chapter completions. */
export const completionsConversation: Conversation = async (speaker) => {
  await speaker.post(plain, speaker.asks('hi'), { accept: 'application/x-ndjson, application/json' })
  for (const path of [plain, stream, events]) {
    for (const body of [...faultyBodies(speaker), ...legalBodies(speaker)]) await speaker.post(path, body)
    await speaker.post(`${path}?thread_id=${unknown}`, speaker.asks('hi'))
  }
  const long = 'A question that is told at some length, so that its answer has several chunks.'
  const several = speaker.asks('', { messages: [system, { role: 'user', content: long }] })
  for (const path of [plain, stream, events]) await speaker.post(path, speaker.asks(long))
  await speaker.post(plain, speaker.asks('x'.repeat(5000)))
  await speaker.post(plain, speaker.asks(long))
  await speaker.post(plain, speaker.asks('', { messages: [user, { role: 'assistant', content: 'Noted.' }] }))
  const user_id = '3d6f2c1e-58a7-4b90-9c34-7e1d0a5b8f26'
  await speaker.post(plain, speaker.asks('hi', { user_id }))
  const known = { user_id, assistant_id: speaker.assistant('Legal assistant') }
  await speaker.post(plain, speaker.asks('hi', { ...known, user_data: { licence: 'full' } }))
  await speaker.post(plain, speaker.asks('hi', known))
  const neighbour = speaker.asks('hi', { user_id, assistant_id: speaker.assistant('Echo next door') })
  await speaker.post(plain, neighbour, { 'api-key': 'acs-demo-secondary' })
  for (const path of [plain, stream, events]) {
    const { text } = await speaker.post(path, several)
    const thread = /"thread_id":"([^"]+)"/.exec(text)?.[1] ?? ''
    await speaker.get(`/v1/threads/${thread}/messages`)
    for (let time = 0; time < 2; time += 1) await speaker.post(`${plain}?thread_id=${thread}`, speaker.asks('more'))
    await speaker.post(`${stream}?thread_id=${thread}`, speaker.asks('in a stream'))
    await speaker.get(`/v1/threads/${thread}/messages`)
  }
}

/** The conversation of chapter errors. */
export const errorsConversation: Conversation = async (speaker) => {
  const sound = speaker.asks('hi')
  for (const path of [plain, stream]) {
    for (const body of [
      {},
      { ...sound, messages: [user, { role: 'bot', content: '' }] },
      { ...sound, assistant_id: unknown },
    ]) {
      await speaker.post(path, body)
      await speaker.post(path, body)
    }
    await speaker.post(`${path}?thread_id=${unknown}`, sound)
    await speaker.post(path, '{"messages": [')
  }
  const whole = await speaker.thread('Whole answers only')
  for (const thread of [unknown, whole]) {
    await speaker.get(`/v1/threads/${thread}/messages?cursor=none`)
    await speaker.get(`/v1/threads/${thread}/messages?cursor=none`)
    for (const form of ['run', 'run/stream']) await speaker.post(`/v1/threads/${thread}/${form}`, {})
    for (let time = 0; time < 2; time += 1) await speaker.say(thread, 'user', '')
    await speaker.say(thread, 'tool', 'nobody asked', { tool_call_id: 'none' })
  }
  for (let time = 0; time < 7; time += 1) {
    await speaker.say(whole, 'user', `message ${time}`)
    await speaker.get(`/v1/threads/${whole}/messages`)
    await speaker.post(plain, sound)
    await speaker.get('/v1/tenants/my-api-keys')
    await speaker.get('/v1/tenants/my-api-keys', throttled)
  }
  await speaker.get(`/v1/threads/${whole}/messages`, throttled)
  await speaker.post(`/v1/threads/${whole}/messages`, user, throttled)
  for (const path of [plain, stream]) await speaker.post(path, sound, throttled)
  await speaker.post(`/v1/threads/${whole}/run/stream`, {}, throttled)
  await speaker.post(`/v1/threads/${whole}/run/stream`, {})
}

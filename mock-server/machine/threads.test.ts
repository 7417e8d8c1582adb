/** Rules of threads and their messages, each shown to fire and shown not to fire too often. */
import { expect, test } from 'vitest'
import { mockClient } from '../../test/support/mock-client.ts'
import { createMock } from '../mock.ts'

const mock = await createMock({ clock: { mode: 'frozen' } })
const primary = mockClient(mock.world(), mock)

test('a created thread is bound to the first assistant of the tenant, or to the one that is named', async () => {
  const plain = await primary.post('/v1/threads', {})
  expect(plain.status).toBe(201)
  expect(plain.json.assistant_id).toBe(primary.assistant('Echo'))
  expect(Object.keys(plain.json)).toEqual(['id', 'assistant_id', 'created_at'])
  const named = await primary.post('/v1/threads', { assistant_id: primary.assistant('Legal assistant') })
  expect(named.json.assistant_id).toBe(primary.assistant('Legal assistant'))
  const empty = await primary.post('/v1/threads', '')
  expect(empty.status).toBe(201)
  expect(empty.json.id).not.toBe(plain.json.id)
})

test("a thread cannot be bound to another tenant's assistant", async () => {
  const secondary = mockClient(mock.main, mock, 'secondary')
  const foreign = await primary.post('/v1/threads', { assistant_id: secondary.assistant('Echo next door') })
  expect([foreign.status, foreign.json.error_code]).toEqual([403, 'assistant_not_available'])
})

test('a message is given back as it is stored and listed', async () => {
  const thread = await primary.thread()
  const said = await primary.say(thread, { role: 'user', content: 'Grüß Gott \u{1f600}' })
  expect(said.status).toBe(201)
  expect(Object.keys(said.json)).toEqual(['id', 'thread_id', 'role', 'content', 'created_at'])
  expect(said.json.content).toBe('Grüß Gott \u{1f600}')
  expect(said.json.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
  const page = await primary.get(`/v1/threads/${thread}/messages`)
  expect(page.text).toContain(said.text)
})

test('content that no UTF-8 can carry is refused, in a thread and in a completion', async () => {
  const content = 'a\ud83d'
  const said = await primary.say(await primary.thread(), { role: 'user', content })
  expect([said.status, said.json.detail[0].loc]).toEqual([422, ['body', 'content']])
  const messages = [
    { role: 'user', content: 'x' },
    { role: 'user', content },
  ]
  const asked = await primary.post('/v1/chat/completions', { assistant_id: primary.assistant('Echo'), messages })
  expect([asked.status, asked.json.detail[0].loc]).toEqual([422, ['body', 'messages', 1, 'content']])
})

test('all four roles are stored, a posted assistant message with its meta_data and sources', async () => {
  const thread = await primary.thread()
  const call = { id: 'call_1', type: 'function', function: { name: 'f', arguments: '{}' } } as const
  await primary.say(thread, { role: 'system', content: 's' })
  await primary.say(thread, { role: 'user', content: 'u' })
  const assistant = await primary.say(thread, { role: 'assistant', content: 'a', tool_calls: [call] })
  expect(assistant.json).toMatchObject({ meta_data: {}, sources: [], tool_calls: [call] })
  const tool = await primary.say(thread, { role: 'tool', content: 't', tool_call_id: 'call_1' })
  expect(tool.json.tool_call_id).toBe('call_1')
  const late = await primary.say(thread, { role: 'system', content: 'late' })
  expect(late.status).toBe(201)
})

test('empty content has its own error code, missing content is a validation error', async () => {
  const thread = await primary.thread()
  const empty = await primary.say(thread, { role: 'user', content: '' })
  expect([empty.status, empty.json]).toEqual([
    400,
    { error_code: 'message_content_empty', detail: 'Message content cannot be empty' },
  ])
  const blank = await primary.say(thread, { role: 'user', content: ' ' })
  expect(blank.status).toBe(201)
  const missing = await primary.post(`/v1/threads/${thread}/messages`, { role: 'user' })
  expect(missing.json).toMatchObject({
    error_code: 'validation_error',
    detail: [{ loc: ['body', 'content'], type: 'missing' }],
  })
  const both = await primary.post(`/v1/threads/${thread}/messages`, { role: 'users', content: '' })
  expect(both.json.detail.map((fault: { loc: string[] }) => fault.loc[1])).toEqual(['role', 'content'])
})

test('a tool message needs a matching call before it, and may answer it twice', async () => {
  const thread = await primary.thread()
  const call = { id: 'call_9', type: 'function', function: { name: 'f', arguments: '{}' } } as const
  const orphan = await primary.say(thread, { role: 'tool', content: 'r', tool_call_id: 'call_9' })
  expect([orphan.status, orphan.json.error_code]).toEqual([400, 'tool_message_has_no_matching_tool_call'])
  const without = await primary.say(thread, { role: 'tool', content: 'r' })
  expect(without.json.error_code).toBe('tool_message_has_no_matching_tool_call')
  await primary.say(thread, { role: 'user', content: 'u' })
  await primary.say(thread, { role: 'assistant', content: 'a', tool_calls: [call] })
  expect((await primary.say(thread, { role: 'tool', content: 'r', tool_call_id: 'call_8' })).status).toBe(400)
  expect((await primary.say(thread, { role: 'tool', content: 'r', tool_call_id: 'call_9' })).status).toBe(201)
  expect((await primary.say(thread, { role: 'tool', content: 'r', tool_call_id: 'call_9' })).status).toBe(201)
  const other = await primary.thread()
  expect((await primary.say(other, { role: 'tool', content: 'r', tool_call_id: 'call_9' })).status).toBe(400)
})

test('a thread that a completion made is closed to create-message but can be read and continued', async () => {
  const body = { assistant_id: primary.assistant('Echo'), messages: [{ role: 'user', content: 'hi' }] }
  const answer = await primary.post('/v1/chat/completions', body)
  const thread = answer.json.thread_id
  const refused = await primary.say(thread, { role: 'user', content: 'more' })
  expect([refused.status, refused.json.error_code, refused.reason]).toEqual([
    400,
    'bad_request',
    'closed-completion-thread',
  ])
  const page = await primary.get(`/v1/threads/${thread}/messages`)
  expect(page.json.items.map((item: { role: string }) => item.role)).toEqual(['assistant', 'user'])
  const next = await primary.post(`/v1/chat/completions?thread_id=${thread}`, body)
  expect(next.json.thread_id).toBe(thread)
  expect((await primary.get(`/v1/threads/${thread}/messages`)).json.items).toHaveLength(4)
})

test('another tenant, another world and a made-up id all see no thread', async () => {
  const thread = await primary.thread()
  const world = mock.world()
  const strangers = [mockClient(mock.main, mock, 'secondary'), mockClient(world, mock)]
  for (const stranger of strangers) {
    const list = await stranger.get(`/v1/threads/${thread}/messages`)
    expect([list.status, list.json]).toEqual([404, { error_code: 'thread_not_found', detail: 'Thread not found' }])
  }
  for (const id of ['b5b1a0e4-2f0e-4f5c-9d38-0d3b7f4a0000', 'x', '%2e%2e', "' or 1=1", '__proto__']) {
    const list = await primary.get(`/v1/threads/${encodeURIComponent(id)}/messages`)
    expect([list.status, list.json.error_code]).toEqual([404, 'thread_not_found'])
  }
})

test('stamps are strictly later within a thread even when the clock stands still', async () => {
  const thread = await primary.thread()
  for (let index = 0; index < 20; index += 1) await primary.say(thread, { role: 'user', content: `m${index}` })
  await primary.post(`/v1/threads/${thread}/run`, {})
  const { items } = (await primary.get(`/v1/threads/${thread}/messages`)).json
  const timestamps = items.map((item: { created_at: string }) => item.created_at)
  expect(new Set(timestamps).size).toBe(21)
  expect(timestamps).toEqual([...timestamps].sort().reverse())
})

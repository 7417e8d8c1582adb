/** Rules of runs and completions, whole and streamed. */
import { expect, test } from 'vitest'
import { mockClient } from '../../test/support/mock-client.ts'
import { createMock } from '../mock.ts'

const mock = await createMock({ clock: { mode: 'frozen' } })
const primary = mockClient(mock.main, mock)
const hi = { role: 'user', content: 'hi' } as const

test('a run needs a user message', async () => {
  const thread = await primary.thread()
  await primary.say(thread, { role: 'system', content: 'be kind' })
  for (const path of ['run', 'run/stream']) {
    const refused = await primary.post(`/v1/threads/${thread}/${path}`, {})
    expect([refused.status, refused.json.error_code, refused.reason]).toEqual([400, 'bad_request', 'no-user-message'])
  }
  await primary.say(thread, hi)
  expect((await primary.post(`/v1/threads/${thread}/run`, {})).status).toBe(200)
})

test('a run answers with the message that is then listed, valid for the schema of its assistant', async () => {
  const thread = await primary.thread('Legal assistant')
  await primary.say(thread, { role: 'user', content: 'Can I sue?' })
  const answer = await primary.post(`/v1/threads/${thread}/run`, '')
  expect(answer.json).toMatchObject({
    thread_id: thread,
    role: 'assistant',
    meta_data: { type: '53aa66b7-b874-407f-967c-3a959c919d62', legal_advice: true },
  })
  expect(answer.json.sources[0].meta_data).toEqual({ document_title: expect.any(String), section: expect.any(String) })
  expect((await primary.get(`/v1/threads/${thread}/messages?limit=1`)).json.items).toEqual([answer.json])
})

test('a streamed run needs a thread that ends on a user or tool message; a whole run does not', async () => {
  const thread = await primary.thread()
  await primary.say(thread, hi)
  await primary.post(`/v1/threads/${thread}/run`, {})
  const refused = await primary.post(`/v1/threads/${thread}/run/stream`, {})
  expect([refused.status, refused.reason]).toEqual([400, 'no-message-to-answer'])
  expect((await primary.post(`/v1/threads/${thread}/run`, {})).status).toBe(200)
})

test('a tool request must be answered before the next run, then its result is in the answer', async () => {
  const thread = await primary.thread('Weather desk')
  await primary.say(thread, { role: 'user', content: 'How is the weather?' })
  const asked = await primary.post(`/v1/threads/${thread}/run`, {})
  const [call] = asked.json.tool_calls
  expect(call).toMatchObject({
    id: expect.stringMatching(/^call_/),
    type: 'function',
    function: { name: 'get_weather' },
  })
  expect(JSON.parse(call.function.arguments)).toEqual({ place: 'Vienna' })
  const early = await primary.post(`/v1/threads/${thread}/run`, {})
  expect([early.status, early.reason]).toEqual([400, 'open-tool-calls'])
  await primary.say(thread, { role: 'tool', content: 'sunny', tool_call_id: call.id })
  const answer = await primary.post(`/v1/threads/${thread}/run`, {})
  expect(answer.json.content).toBe('The tool says: sunny')
  expect(answer.json.tool_calls).toBeUndefined()
})

test('a run that rules tools out gets the text of the turn alone, whole and streamed', async () => {
  const thread = await primary.thread('Weather desk')
  await primary.say(thread, { role: 'user', content: 'How is the weather?' })
  const chunks = await primary.stream(`/v1/threads/${thread}/run/stream`, { tool_choice: 'none' })
  expect(chunks.map(({ delta }) => delta.content).join('')).toBe('Let me look that up.')
  expect(JSON.stringify(chunks)).not.toContain('tool_calls')
  await primary.say(thread, { role: 'user', content: 'And the weather tomorrow?' })
  const whole = await primary.post(`/v1/threads/${thread}/run`, { tool_choice: 'none' })
  expect([whole.status, whole.json.tool_calls]).toEqual([200, undefined])
  await primary.say(thread, { role: 'user', content: 'And the weather then?' })
  expect((await primary.post(`/v1/threads/${thread}/run`, { tool_choice: 'auto' })).json.tool_calls).toHaveLength(1)
})

test('joined deltas are the stored message, in both variants, and the ids agree', async () => {
  const content = 'Zwölf \u{1f469}\u200d\u{1f680} Boxkämpfer jagen Viktor quer über den großen Sylter Deich. '.repeat(5)
  const body = { assistant_id: primary.assistant('Echo'), messages: [{ role: 'user', content }] }
  const text = await primary.stream('/v1/chat/completions/stream', body)
  const blocks = await primary.stream('/v1/chat/completions/events/stream', body)
  const stored = async (line: { thread_id: string }) =>
    (await primary.get(`/v1/threads/${line.thread_id}/messages?limit=1`)).json.items[0]
  const ofText = await stored(text[0])
  expect(text.map((line) => line.delta.content).join('')).toBe(ofText.content)
  const parts = blocks.flatMap((line) => line.delta.content_blocks)
  const textParts = parts.filter((block) => block.type === 'text')
  expect(textParts.map((block) => block.text).join('')).toBe((await stored(blocks[0])).content)
  expect(
    parts
      .filter((block) => block.type === 'reasoning')
      .map((block) => block.reasoning)
      .join(''),
  ).not.toBe('')
  for (const lines of [text, blocks]) {
    const message = await stored(lines[0])
    expect(new Set(lines.map((line) => `${line.message_id} ${line.thread_id} ${line.delta.role}`))).toEqual(
      new Set([`${message.id} ${message.thread_id} assistant`]),
    )
    expect(lines.flatMap((line) => line.delta.sources)).toEqual(message.sources)
    const timestamps = lines.map((line) => line.created_at)
    expect(timestamps).toEqual([...new Set(timestamps)].sort())
    expect(message.created_at >= (timestamps.at(-1) ?? '')).toBe(true)
  }
})

test('no chunk border falls inside a surrogate pair and no delta is empty', async () => {
  const body = {
    assistant_id: primary.assistant('Echo'),
    messages: [{ role: 'user', content: '\u{1f600}'.repeat(300) }],
  }
  const lines = await primary.stream('/v1/chat/completions/stream', body)
  expect(lines.length).toBeGreaterThan(10)
  for (const line of lines) {
    expect(line.delta.content).not.toBe('')
    expect(line.delta.content.isWellFormed?.() ?? true).toBe(true)
  }
})

test('a whole answer and a streamed one to the same thread are the same text', async () => {
  const body = { assistant_id: primary.assistant('Legal assistant'), user_data: { licence: 'A' }, messages: [hi] }
  const whole = await primary.post('/v1/chat/completions', body)
  const lines = await primary.stream('/v1/chat/completions/stream', body)
  expect(lines.map((line) => line.delta.content).join('')).toBe(whole.json.content)
})

test('an assistant without streaming refuses every stream and still answers whole', async () => {
  const body = { assistant_id: primary.assistant('Whole answers only'), messages: [hi] }
  for (const path of ['/v1/chat/completions/stream', '/v1/chat/completions/events/stream']) {
    const refused = await primary.post(path, body)
    expect([refused.status, refused.json.error_code]).toEqual([400, 'engine_does_not_support_streaming'])
  }
  expect((await primary.post('/v1/chat/completions', body)).status).toBe(200)
})

test('unknown and foreign assistants are not available, unknown threads of a completion not found', async () => {
  const foreign = mockClient(mock.main, mock, 'secondary').assistant('Echo next door')
  for (const assistant_id of [foreign, 'b5b1a0e4-2f0e-4f5c-9d38-0d3b7f4a0000']) {
    const refused = await primary.post('/v1/chat/completions', { assistant_id, messages: [hi] })
    expect([refused.status, refused.json.error_code]).toEqual([403, 'assistant_not_available'])
  }
  const body = { assistant_id: primary.assistant('Echo'), messages: [hi] }
  for (const id of ['b5b1a0e4-2f0e-4f5c-9d38-0d3b7f4a0000', 'nonsense']) {
    const refused = await primary.post(`/v1/chat/completions?thread_id=${id}`, body)
    expect([refused.status, refused.json.error_code]).toEqual([404, 'resource_not_found'])
  }
})

test('a refused completion leaves nothing behind', async () => {
  const thread = (
    await primary.post('/v1/chat/completions', { assistant_id: primary.assistant('Echo'), messages: [hi] })
  ).json.thread_id
  const before = (await primary.get(`/v1/threads/${thread}/messages`)).text
  const messages = [hi, { role: 'tool', content: 'x', tool_call_id: 'call_none' }]
  const refused = await primary.post(`/v1/chat/completions?thread_id=${thread}`, {
    assistant_id: primary.assistant('Echo'),
    messages,
  })
  expect(refused.json).toMatchObject({
    error_code: 'validation_error',
    detail: [{ loc: ['body', 'messages', 1, 'tool_call_id'] }],
  })
  expect((await primary.get(`/v1/threads/${thread}/messages`)).text).toBe(before)
})

test('a completion may carry a whole tool round trip', async () => {
  const messages = [
    { role: 'user', content: 'weather?' },
    {
      role: 'assistant',
      content: '…',
      tool_calls: [{ id: 'c1', type: 'function', function: { name: 'f', arguments: '{}' } }],
    },
    { role: 'tool', content: 'rain', tool_call_id: 'c1' },
  ]
  const answer = await primary.post('/v1/chat/completions', {
    assistant_id: primary.assistant('Weather desk'),
    messages,
  })
  expect(answer.json.content).toBe('The tool says: rain')
})

/** Laws of validation errors, as a client meets them. */
import { expect, test } from 'vitest'
import { mockClient } from '../../test/support/mock-client.ts'
import { createMock } from '../mock.ts'

const mock = await createMock({ clock: { mode: 'frozen' } })
const primary = mockClient(mock.main, mock)
const places = (json: { detail: readonly { loc: readonly unknown[]; type: string }[] }) =>
  json.detail.map(({ loc, type }) => [loc.join('.'), type])

test('everything wrong in a body is reported at once, in document order, missing fields last in their object', async () => {
  const body =
    '{"user_id":7,"messages":[{"role":"user"},{"content":1,"role":"bot"},[],{"role":"user","content":""}],"user_data":[]}'
  const { status, json, reason } = await primary.post('/v1/chat/completions', body)
  expect([status, json.error_code, reason]).toEqual([422, 'validation_error', 'invalid-fields'])
  expect(places(json)).toEqual([
    ['body.user_id', 'string_type'],
    ['body.messages.0.content', 'missing'],
    ['body.messages.1.content', 'string_type'],
    ['body.messages.1.role', 'literal_error'],
    ['body.messages.2', 'model_type'],
    ['body.messages.3.content', 'string_too_short'],
    ['body.user_data', 'model_type'],
    ['body.assistant_id', 'missing'],
  ])
  expect(json.detail[2].loc[2]).toBe(1)
  for (const fault of json.detail) expect(fault.message).toMatch(/\w/)
})

test('a field is reported once, a UUID as a UUID', async () => {
  for (const assistant_id of [
    'x',
    '',
    'urn:uuid:22f18751-1b47-4bcb-9b6c-23a00da66805',
    '22f187511b474bcb9b6c23a00da66805',
  ]) {
    const { json } = await primary.post('/v1/chat/completions', {
      assistant_id,
      messages: [{ role: 'user', content: 'x' }],
    })
    expect(places(json)).toEqual([['body.assistant_id', 'uuid_parsing']])
  }
})

test('a completion without a user message is a validation error at messages', async () => {
  const assistant_id = primary.assistant('Echo')
  for (const messages of [[], [{ role: 'system', content: 'x' }]]) {
    const { json } = await primary.post('/v1/chat/completions', { assistant_id, messages })
    expect(places(json)).toEqual([['body.messages', 'too_short']])
  }
})

test('what the assistant requires is reported beside what the schema finds', async () => {
  const assistant_id = primary.assistant('Legal assistant')
  const messages = [{ role: 'user', content: 'x' }]
  const ask = async (more: object) =>
    (await primary.post('/v1/chat/completions', { assistant_id, messages, ...more })).json
  expect(places(await ask({}))).toEqual([['body.user_data', 'missing']])
  expect(places(await ask({ user_data: {} }))).toEqual([['body.user_data.licence', 'missing']])
  expect(places(await ask({ user_data: { licence: 7 } }))).toEqual([['body.user_data.licence', 'string_type']])
  expect(places(await ask({ user_data: null, user_id: 'x' }))).toEqual([
    ['body.user_data', 'model_type'],
    ['body.user_id', 'uuid_parsing'],
  ])
  expect((await ask({ user_data: { licence: 'A-1' } })).role).toBe('assistant')
})

test('broken bodies are validation errors at the body', async () => {
  const thread = await primary.thread()
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
  const bodies: readonly (readonly [string, string])[] = [
    ['', 'missing'],
    ['{', 'json_invalid'],
    ["{'role':'user'}", 'json_invalid'],
    ['{"role":"user","content":"x"}{}', 'json_invalid'],
    ['{"role":"user","content":NaN}', 'json_invalid'],
    ['\ufeff{"role":"user","content":"x"}', 'json_invalid'],
    [deep, 'too_complex'],
    [`{"role":"user","content":"x","y":${deep}}`, 'too_complex'],
    [`[${'0,'.repeat(60_000)}0]`, 'too_complex'],
    ['null', 'model_type'],
    ['[]', 'model_type'],
    ['"x"', 'model_type'],
    [`"${'x'.repeat(1_048_576)}"`, 'too_long'],
  ]
  for (const [body, type] of bodies) {
    const { status, json } = await primary.post(`/v1/threads/${thread}/messages`, body)
    expect([status, json.error_code, places(json)]).toEqual([422, 'validation_error', [['body', type]]])
  }
})

test('bytes that are not UTF-8 are no JSON', async () => {
  const thread = await primary.thread()
  const body = Buffer.concat([Buffer.from('{"role":"user","content":"'), Buffer.from([0xc3, 0x28]), Buffer.from('"}')])
  const headers = { 'api-key': 'acs-demo-primary' }
  const response = await mock.fetch(`/v1/threads/${thread}/messages`, { method: 'POST', headers, body })
  expect(await response.json()).toMatchObject({ error_code: 'validation_error', detail: [{ type: 'json_invalid' }] })
})

test('prototype keys and unknown fields are ignored', async () => {
  const thread = await primary.thread()
  const body =
    '{"__proto__":{"role":"tool"},"constructor":{"prototype":{"x":1}},"role":"user","content":"x","id":"mine","extra":1}'
  const said = await primary.post(`/v1/threads/${thread}/messages`, body)
  expect([said.status, said.json.role]).toEqual([201, 'user'])
  expect(said.json.id).not.toBe('mine')
  expect(said.text).not.toContain('extra')
  expect(({} as { x?: number }).x).toBeUndefined()
})

test('the message of a fault names every type that fits, and a number too long to be one is still a number', async () => {
  const thread = await primary.thread()
  const run = await primary.post(`/v1/threads/${thread}/run`, { tool_choice: 5 })
  expect(run.json.detail).toMatchObject([
    { loc: ['body', 'tool_choice'], message: 'must be a string or an object', type: 'string_type' },
  ])
  const page = await primary.get(`/v1/threads/${thread}/messages?limit=99999999999999999999`)
  expect(page.json.detail).toMatchObject([
    { loc: ['query', 'limit'], message: 'must be 1000 or less', type: 'less_than_equal' },
  ])
})

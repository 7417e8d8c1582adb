/** Tests that the mock says why it answered an exchange so, and what a refused request came close to. */
import { expect, test } from 'vitest'
import { mockClient } from '../../test/support/mock-client.ts'
import { createMock, type Mock } from '../mock.ts'

/** Why the latest exchange of the default world was answered so. */
async function whyOf(mock: Mock) {
  const response = await mock.fetch(`/_acs/worlds/default/journal/${mock.journal.total()}`)
  // biome-ignore lint/suspicious/noExplicitAny: a test reads a view of many shapes
  return ((await response.json()) as any).why
}

test('a refusal has its rule, its place in the contract and its correction', async () => {
  const mock = await createMock()
  await mockClient(mock.main, mock).get('/v1/threads/nothing/messages')
  expect(await whyOf(mock)).toMatchObject({
    refusal: { reason: 'unknown-thread', code: 'thread_not_found', section: 'Errors', fix: expect.any(String) },
    near: 'The world "default" has no threads.',
    script: null,
    faults: [],
  })
  expect((await mock.fetch('/_acs/worlds/default/journal/9')).status).toBe(404)
})

test('an answer of an assistant names the turn of its script', async () => {
  const mock = await createMock()
  const client = mockClient(mock.main, mock)
  const said = (content: string) => ({
    assistant_id: client.assistant('Weather desk'),
    messages: [{ role: 'user', content }],
  })
  await client.post('/v1/chat/completions', said('weather'))
  expect(await whyOf(mock)).toMatchObject({
    refusal: null,
    script: { assistant: 'Weather desk', turn: 2, when: { last_role: 'user', user_matches: 'weather' } },
  })
  await client.post('/v1/chat/completions', said('hello'))
  expect((await whyOf(mock)).script).toEqual({ assistant: 'Weather desk', turn: 3, when: null })
})

test('a fault names what armed it', async () => {
  const mock = await createMock()
  mock.faults.add({ fault: 'rate_limit_gateway', times: 1 })
  await mockClient(mock.main, mock).get('/v1/assistants')
  expect((await whyOf(mock)).faults).toMatchObject([{ by: 'rule-1', state: 'applied', rule: { times: 1 } }])
})

test.for([
  ['/v1/thread/abc/messages', {}, 'The nearest operation is GET /v1/threads/{thread_id}/messages.'],
  [
    '/v1/assistants',
    { 'api-key': 'acs-demo-primari' },
    'It differs from a key of the tenant "primary" in one character.',
  ],
  ['/v1/assistants', { 'api-key': 'something else' }, null],
  ['/a/path/of/another/service', {}, null],
] as const)('GET %s with %j is near: %s', async ([path, headers, near]) => {
  const mock = await createMock()
  await mockClient(mock.main, mock).get(path, headers)
  expect((await whyOf(mock)).near).toBe(near)
})

test('a thread of another world, of another tenant, or with nearly the same id is found', async () => {
  const mock = await createMock()
  const client = mockClient(mock.main, mock)
  const other = mock.world({ name: 'other' }).seedThread({ messages: [] })
  await client.get(`/v1/threads/${other.id}/messages`)
  expect((await whyOf(mock)).near).toBe('The world "other" has this thread; the request went to "default".')
  const id = await client.thread()
  const slip = `${id.slice(0, -1)}${id.endsWith('0') ? '1' : '0'}`
  await client.get(`/v1/threads/${slip}/messages`)
  expect((await whyOf(mock)).near).toBe(`A similar thread id exists: ${id}.`)
  await mockClient(mock.main, mock, 'secondary').get(`/v1/threads/${id}/messages`)
  expect((await whyOf(mock)).near).toBe('The thread belongs to the tenant "primary".')
})

test('an assistant of another tenant, and the tool calls that wait, are named', async () => {
  const mock = await createMock()
  const client = mockClient(mock.main, mock)
  const foreign = mockClient(mock.main, mock, 'secondary').assistant('Echo next door')
  await client.post('/v1/chat/completions', { assistant_id: foreign, messages: [{ role: 'user', content: 'x' }] })
  expect((await whyOf(mock)).near).toBe('"Echo next door" is an assistant of the tenant "secondary".')
  const thread = await client.thread('Weather desk')
  await client.say(thread, { role: 'user', content: 'weather' })
  const { json } = await client.post(`/v1/threads/${thread}/run`, {})
  await client.post(`/v1/threads/${thread}/messages`, { role: 'tool', content: 'x', tool_call_id: 'call_0' })
  expect((await whyOf(mock)).near).toBe(`The tool call ${json.tool_calls[0].id} waits for an answer.`)
})

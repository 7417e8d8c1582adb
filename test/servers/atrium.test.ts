/** Tests Atrium by plain fetch: the rules of the contract, and its own choices where the contract is silent. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Atrium, startAtrium } from './atrium/index.ts'
import { asJson, asList, joined, json, lines, Wire } from './wire.ts'

const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/
const question = { role: 'user', content: 'Where is the exit?' }
const unknownId = '00000000-0000-4000-8000-000000000000'

let atrium: Atrium
let wire: Wire
let concierge: string

beforeAll(async () => {
  atrium = await startAtrium()
  wire = new Wire(atrium.profile)
  concierge = await wire.assistant((record) => record.name === 'Concierge')
})

afterAll(() => atrium.close())

const completion = (fields: object = {}) => ({ assistant_id: concierge, messages: [question], ...fields })

test('a completion answers with an assistant message in the shape of the contract', async () => {
  const answer = json(await wire.post('/v1/chat/completions', completion({ anything: 1 })))
  expect(answer).toMatchObject({ role: 'assistant', meta_data: { topic: expect.any(String) } })
  expect(answer.created_at).toMatch(timestamp)
  expect(asList(answer.sources)[0]).toMatchObject({ meta_data: { document_title: 'Guide', section: '2.1' } })
})

test('a missing assistant_id is a validation error that names its place', async () => {
  const received = await wire.post('/v1/chat/completions', { messages: [question] })
  expect(received.status).toBe(422)
  expect(json(received)).toMatchObject({
    error_code: 'validation_error',
    detail: [{ loc: ['body', 'assistant_id'], type: 'missing', message: 'Field required' }],
  })
})

test('an id may be written without hyphens and in upper case', async () => {
  const assistant_id = concierge.replaceAll('-', '').toUpperCase()
  expect((await wire.post('/v1/chat/completions', completion({ assistant_id }))).status).toBe(200)
})

test('the deltas of a stream join to the stored message and arrive in pieces', async () => {
  const received = await wire.post('/v1/chat/completions/stream', completion())
  const chunks = lines(received)
  const threadId = chunks[0]?.thread_id
  const page = json(await wire.send(`/v1/threads/${threadId}/messages`))
  const newest = asList(page.items)[0]
  expect(received.headers.get('content-type')).toBe('application/x-ndjson')
  expect(received.pieces).toBeGreaterThan(1)
  expect(newest).toMatchObject({ id: chunks[0]?.message_id, content: joined(chunks) })
})

test('the events stream carries content blocks, a reasoning first', async () => {
  const chunks = lines(await wire.post('/v1/chat/completions/events/stream', completion()))
  const blocks = chunks.flatMap((chunk) => asList(asJson(chunk.delta).content_blocks))
  expect(blocks[0]).toMatchObject({ type: 'reasoning', reasoning: expect.any(String) })
  expect(blocks.length).toBe(chunks.length)
})

test('field errors of the events stream keep the shape of the framework', async () => {
  const body = json(await wire.post('/v1/chat/completions/events/stream', { messages: [question] }))
  expect(body).toEqual({ detail: [{ type: 'missing', loc: ['body', 'assistant_id'], msg: 'Field required' }] })
})

test('pages run newest first without gaps and end with a null cursor', async () => {
  const threadId = await wire.openThread(concierge)
  for (const content of ['1', '2', '3', '4', '5']) {
    await wire.post(`/v1/threads/${threadId}/messages`, { role: 'user', content })
  }
  const seen: unknown[] = []
  let cursor: unknown = ''
  while (cursor !== null) {
    const query = new URLSearchParams({ limit: '2', cursor: String(cursor) })
    const page = json(await wire.send(`/v1/threads/${threadId}/messages?${query}`))
    seen.push(...asList(page.items).map((item) => item.content))
    cursor = page.cursor
  }
  expect(seen).toEqual(['5', '4', '3', '2', '1'])
})

test('a thread of a chat completion takes no posted message', async () => {
  const { thread_id } = json(await wire.post('/v1/chat/completions', completion()))
  expect((await wire.post(`/v1/threads/${thread_id}/messages`, question)).status).toBe(403)
  const again = await wire.post(`/v1/chat/completions?thread_id=${thread_id}`, completion())
  expect(json(again).thread_id).toBe(thread_id)
})

test('a tool message needs a tool call, and a run needs the tool message', async () => {
  const scout = await wire.assistant((record) => record.name === 'Scout')
  const run = { assistant_id: scout }
  const threadId = await wire.openThread(scout)
  const add = (body: object) => wire.post(`/v1/threads/${threadId}/messages`, body)
  const orphan = await add({ role: 'tool', content: '12 °C', tool_call_id: 'call_x' })
  expect(json(orphan).error_code).toBe('tool_message_has_no_matching_tool_call')
  await add({ role: 'user', content: atrium.profile.tools?.prompt })
  const asking = json(await wire.post(`/v1/threads/${threadId}/run`, run))
  expect((await wire.post(`/v1/threads/${threadId}/run`, run)).status).toBe(422)
  await add({ role: 'tool', content: '12 °C', tool_call_id: asList(asking.tool_calls)[0]?.id })
  const streamed = lines(await wire.post(`/v1/threads/${threadId}/run/stream`, run))
  expect(joined(streamed)).toContain('The tool has reported back')
})

test('an empty message and an unknown thread have the codes of the contract', async () => {
  const threadId = await wire.openThread(concierge)
  const empty = await wire.post(`/v1/threads/${threadId}/messages`, { role: 'user', content: '' })
  expect(json(empty)).toEqual({ error_code: 'message_content_empty', detail: 'Message content cannot be empty' })
  const lost = await wire.post(`/v1/threads/${unknownId}/messages`, question)
  expect(json(lost).error_code).toBe('thread_not_found')
})

test('an assistant that cannot stream refuses a streamed run and answers a whole one', async () => {
  const assistant_id = await wire.assistant((record) => record.streaming === false)
  const threadId = await wire.openThread(assistant_id)
  await wire.post(`/v1/threads/${threadId}/messages`, question)
  const refused = await wire.post(`/v1/threads/${threadId}/run/stream`, { assistant_id })
  expect(json(refused).error_code).toBe('engine_does_not_support_streaming')
  expect(json(await wire.post(`/v1/threads/${threadId}/run`, { assistant_id })).role).toBe('assistant')
})

test('a required licence is asked for inside user_data', async () => {
  const assistant_id = await wire.assistant((record) => record.name === 'Counsel')
  const refused = json(await wire.post('/v1/chat/completions', completion({ assistant_id, user_data: {} })))
  expect(asList(refused.detail)[0]?.loc).toEqual(['body', 'user_data', 'licence'])
  const extra = asJson(asJson(atrium.profile.assistants[assistant_id]).body)
  const answer = json(await wire.post('/v1/chat/completions', completion({ assistant_id, ...extra })))
  expect(asJson(answer.meta_data)).toMatchObject({ legal_advice: false, intent: 'question' })
})

test('a granted upload takes the bytes, and its status comes to completed', async () => {
  const headers = { 'user-id': 'anna@example.org' }
  const grant = json(await wire.send('/v1/files/signed-url?filename=a.txt&persist=yes', { headers }))
  const put = await fetch(String(grant.file_url), {
    method: 'PUT',
    body: 'abc',
    headers: { 'content-type': 'text/plain' },
  })
  expect(put.status).toBe(200)
  await wire.send(`/v1/files/${grant.file_id}/status`)
  expect(json(await wire.send(`/v1/files/${grant.file_id}/status`)).status).toBe('completed')
})

test('tenants do not see each other, and a missing key gets the answer of the framework', async () => {
  const { thread_id } = json(await wire.post('/v1/chat/completions', completion()))
  const secondary = { tenant: 'secondary' } as const
  expect(json(await wire.send(`/v1/threads/${thread_id}/messages`, secondary)).error_code).toBe('thread_not_found')
  const foreign = json(await wire.post('/v1/chat/completions', completion(), secondary))
  expect(foreign.error_code).toBe('assistant_not_available')
  const keyless = await wire.send('/v1/assistants', { tenant: null })
  expect([keyless.status, json(keyless)]).toEqual([401, { detail: 'Not authenticated' }])
})

test('the throttled key is refused when its quota is used up', async () => {
  const statuses: number[] = []
  for (let sent = 0; sent < (atrium.profile.throttle?.requests ?? 0); sent += 1) {
    statuses.push((await wire.send('/v1/tenants/my-api-keys', { tenant: 'throttled' })).status)
  }
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
})

test('what the profile says about provoking an error is true', async () => {
  const provoke = atrium.profile.provoke
  const keys = json(await wire.send('/v1/tenants/my-api-keys', { ...provoke.tenant_not_found }))
  expect(keys.error_code).toBe('tenant_not_found')
  const late = await wire.post('/v1/chat/completions', completion(), { ...provoke.api_timeout_error })
  expect([late.status, json(late).error_code]).toEqual([504, 'api_timeout_error'])
})

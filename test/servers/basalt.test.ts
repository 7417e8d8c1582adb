/** Tests Basalt by plain fetch: the rules of the contract, and its own choices where the contract is silent. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Basalt, startBasalt } from './basalt/index.ts'
import { asJson, asList, joined, json, lines, Wire } from './wire.ts'

const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/
const question = { role: 'user', content: 'Where is the exit?' }
const unknownId = '00000000-0000-4000-8000-000000000000'

let basalt: Basalt
let wire: Wire
let assistant: string

beforeAll(async () => {
  basalt = await startBasalt()
  wire = new Wire(basalt.profile)
  assistant = await wire.assistant((record) => record.name === 'Desk')
})

afterAll(() => basalt.close())

const completion = (fields: object = {}) => ({ assistant_id: assistant, messages: [question], ...fields })

test('a completion answers with an assistant message, gzipped and with status 201', async () => {
  const received = await wire.post('/v1/chat/completions', completion())
  const answer = json(received)
  expect([received.status, received.headers.get('content-encoding')]).toEqual([201, 'gzip'])
  expect(answer).toMatchObject({ role: 'assistant', meta_data: { desk: { code: 'D-18' } } })
  expect(answer.created_at).toMatch(timestamp)
})

test('a missing assistant_id is a validation error with status 400', async () => {
  const received = await wire.post('/v1/chat/completions', { messages: [question] })
  expect([received.status, json(received).error_code]).toEqual([400, 'validation_error'])
  expect(asList(json(received).detail)).toEqual([
    { loc: ['body', 'assistant_id'], message: 'must not be null', type: 'NotNull' },
  ])
})

test('a completion without a user message is a validation error', async () => {
  const received = await wire.post('/v1/chat/completions', completion({ messages: [{ role: 'system', content: 'x' }] }))
  expect(asList(json(received).detail)[0]?.loc).toEqual(['body', 'messages'])
})

test('a stream has CRLF between its lines, none behind the last, and joins to the stored message', async () => {
  const received = await wire.post('/v1/chat/completions/stream', completion())
  const chunks = lines(received)
  const page = json(await wire.send(`/v1/threads/${chunks[0]?.thread_id}/messages`))
  const newest = asList(page.items)[0]
  expect(received.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8')
  expect(received.text.split('\r\n').length).toBe(chunks.length)
  expect(received.text.endsWith('}')).toBe(true)
  expect(newest).toMatchObject({ id: chunks[0]?.message_id, content: joined(chunks) })
})

test('the first delta is empty, and sources come with the last one alone', async () => {
  const chunks = lines(await wire.post('/v1/chat/completions/stream', completion()))
  const counts = chunks.map((chunk) => asList(asJson(chunk.delta).sources).length)
  expect(asJson(chunks[0]?.delta).content).toBe('')
  expect(counts.filter((count) => count > 0)).toEqual([counts.at(-1)])
})

test('an assistant that cannot stream gives one chunk to a completion and refuses a streamed run', async () => {
  const ledger = await wire.assistant((record) => record.streaming === false)
  const chunks = lines(await wire.post('/v1/chat/completions/stream', completion({ assistant_id: ledger })))
  expect(chunks.length).toBe(1)
  const threadId = await wire.openThread(ledger)
  await wire.post(`/v1/threads/${threadId}/messages`, question)
  const refused = json(await wire.post(`/v1/threads/${threadId}/run/stream`, {}))
  expect(refused.error_code).toBe('engine_does_not_support_streaming')
  expect((await wire.post(`/v1/threads/${threadId}/run`, {})).status).toBe(202)
})

test('a chunk of the events stream holds several blocks, also of unknown types', async () => {
  const received = await wire.post('/v1/chat/completions/events/stream', completion())
  const blocks = lines(received).map((chunk) => asList(asJson(chunk.delta).content_blocks).map((block) => block.type))
  expect(received.status).toBe(202)
  expect(blocks.slice(0, 3)).toEqual([[], ['plan', 'reasoning', 'reasoning'], ['answer', 'usage']])
})

test('pages run newest first, limits are clamped, and a full last page leads to an empty one', async () => {
  const threadId = await wire.openThread(assistant)
  for (const content of ['1', '2', '3', '4'])
    await wire.post(`/v1/threads/${threadId}/messages`, { role: 'user', content })
  const read = async (query: string) => json(await wire.send(`/v1/threads/${threadId}/messages?${query}`))
  const first = await read('limit=2')
  const second = await read(`limit=2&cursor=${first.cursor}`)
  const third = await read(`limit=2&cursor=${second.cursor}`)
  const contents = [first, second, third].map((page) => asList(page.items).map((item) => item.content))
  expect(contents).toEqual([['4', '3'], ['2', '1'], []])
  expect('cursor' in third).toBe(false)
  expect(asList((await read('limit=0')).items).length).toBe(1)
})

test('a cursor of one thread is refused on another', async () => {
  const [one, other] = [await wire.openThread(assistant), await wire.openThread(assistant)]
  await wire.post(`/v1/threads/${one}/messages`, question)
  const { cursor } = json(await wire.send(`/v1/threads/${one}/messages?limit=1`))
  const refused = await wire.send(`/v1/threads/${other}/messages?cursor=${cursor}`)
  expect([refused.status, json(refused).error_code]).toEqual([400, 'invalid_cursor'])
})

test('a thread of a chat completion is not found for posted messages', async () => {
  const { thread_id } = json(await wire.post('/v1/chat/completions', completion()))
  const refused = await wire.post(`/v1/threads/${thread_id}/messages`, question)
  expect([refused.status, json(refused).error_code]).toEqual([400, 'thread_not_found'])
})

test('a system message is accepted at the start of a thread and refused later', async () => {
  const threadId = await wire.openThread(assistant)
  const statuses: number[] = []
  for (const role of ['system', 'user', 'system']) {
    statuses.push((await wire.post(`/v1/threads/${threadId}/messages`, { role, content: 'Be brief.' })).status)
  }
  expect(statuses).toEqual([201, 201, 409])
})

test('two tools are asked for at once, and a run waits for both answers', async () => {
  const comparer = await wire.assistant((record) => record.name === 'Comparer')
  const threadId = await wire.openThread(comparer)
  const add = (body: object) => wire.post(`/v1/threads/${threadId}/messages`, body)
  await add({ role: 'user', content: basalt.profile.tools?.prompt })
  const asking = json(await wire.post(`/v1/threads/${threadId}/run`, {}))
  const calls = asList(asking.tool_requests).map((request) => request.call_id)
  await add({ role: 'tool', content: '1.04', tool_call_id: calls[0] })
  expect((await wire.post(`/v1/threads/${threadId}/run`, {})).status).toBe(409)
  await add({ role: 'tool', content: '0.09', tool_call_id: calls[1] })
  const orphan = json(await add({ role: 'tool', content: '0.09', tool_call_id: 'rq-unknown' }))
  expect(orphan.error_code).toBe('tool_message_has_no_matching_tool_call')
  expect(joined(lines(await wire.post(`/v1/threads/${threadId}/run/stream`, {})))).toContain('Dear customer')
})

test('an upload goes to another port, and its file can be attached', async () => {
  const headers = { 'user-id': 'anna@example.org' }
  const grant = json(await wire.send('/v1/files/signed-url?filename=a.pdf&persist=false', { headers }))
  const url = new URL(String(grant.file_url))
  expect(url.port).not.toBe(new URL(basalt.url).port)
  expect((await fetch(url, { method: 'PUT', body: '%PDF' })).status).toBe(204)
  const attachments = [{ file_id: grant.file_id }]
  const threadId = await wire.openThread(assistant)
  const added = json(await wire.post(`/v1/threads/${threadId}/messages`, { ...question, attachments }))
  expect(added).toMatchObject({ role: 'user', thread_id: threadId, attachments })
  const refused = await wire.send('/v1/files/signed-url?filename=a.pdf', { headers: { 'user-id': 'a/b' } })
  expect(refused.status).toBe(400)
})

test('tenants share one assistant and nothing else', async () => {
  const secondary = { tenant: 'secondary' } as const
  const shared = await wire.assistant((record) => record.name === 'Shared desk')
  expect(await wire.assistant((record) => record.name === 'Shared desk', 'secondary')).toBe(shared)
  expect(await wire.assistant((record) => record.name === 'Desk', 'secondary')).not.toBe(assistant)
  const foreign = json(await wire.post('/v1/chat/completions', completion(), secondary))
  expect(foreign.error_code).toBe('assistant_not_available')
  const threadId = await wire.openThread(assistant)
  expect(json(await wire.send(`/v1/threads/${threadId}/messages`, secondary)).error_code).toBe('thread_not_found')
})

test('a missing key and an unknown thread get the error body of the contract', async () => {
  const keyless = await wire.send('/v1/assistants', { tenant: null })
  expect([keyless.status, json(keyless).error_code]).toEqual([400, 'credentials_missing'])
  const lost = await wire.post(`/v1/threads/${unknownId}/run`, {})
  expect(json(lost)).toMatchObject({ error_code: 'thread_not_found', detail: 'Thread not found' })
})

test('the throttled key is refused when its quota is used up', async () => {
  const codes: unknown[] = []
  for (let sent = 0; sent < (basalt.profile.throttle?.requests ?? 0); sent += 1) {
    codes.push(json(await wire.send('/v1/tenants/my-api-keys', { tenant: 'throttled' })).error_code)
  }
  expect(codes[0]).toBeUndefined()
  expect(codes).toContain('rate_limit_gateway')
})

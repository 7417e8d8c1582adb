/** Tests the admin API: it does what the library does, and admits nobody else. */
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { mockClient } from '../../test/support/mock-client.ts'
import { createMock, type Mock } from '../mock.ts'
import { createAdmin } from './admin.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape
type Answer = any

async function ask(mock: Mock, line: string, body?: unknown): Promise<Answer> {
  const [method = '', path = ''] = line.split(' ')
  const response = await mock.fetch(`/_acs${path}`, {
    method,
    ...(body === undefined ? null : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  return response.headers.get('content-type') === 'application/json' ? JSON.parse(text) : text
}

test('worlds are made, forked, remembered, set back, emptied and destroyed', async () => {
  const mock = await createMock({ clock: { mode: 'frozen' } })
  const made = await ask(mock, 'POST /worlds', {
    name: 'a',
    seed: 7,
    mode: 'stepped',
    start_at: '2030-01-01T00:00:00Z',
  })
  expect(made).toMatchObject({ name: 'a', seed: 7, path: '/w/a', clock: { mode: 'stepped' }, threads: 0 })
  const seeded = await ask(mock, 'POST /worlds/a/threads', { messages: [{ role: 'user', content: 'Hello' }] })
  expect(seeded.messages[0]).toMatchObject({ thread_id: seeded.id, content: 'Hello' })
  const { snapshot } = await ask(mock, 'POST /worlds/a/snapshots')
  expect((await ask(mock, 'POST /worlds/a/fork', { name: 'b' })).threads).toBe(1)
  expect((await ask(mock, 'POST /worlds/a/reset')).threads).toBe(0)
  expect((await ask(mock, 'POST /worlds/a/restore', { snapshot })).threads).toBe(1)
  expect((await ask(mock, 'GET /worlds')).map(({ name }: { name: string }) => name)).toEqual(['default', 'a', 'b'])
  expect(await ask(mock, 'DELETE /worlds/b')).toEqual({ destroyed: 'b' })
  expect((await ask(mock, 'GET /worlds/b')).error_code).toBe('resource_not_found')
  expect((await ask(mock, 'DELETE /worlds/default')).detail[0].message).toBe('the default world cannot be deleted')
})

test('a world shows the factor of its scaled clock, as its clock does', async () => {
  const mock = await createMock()
  const made = await ask(mock, 'POST /worlds', { name: 'fast', mode: 'scaled', factor: 5 })
  expect(made.clock).toEqual({ mode: 'scaled', factor: 5, now: expect.any(String) })
  const [main, fast] = await ask(mock, 'GET /worlds')
  expect([Object.keys(main.clock), fast.clock.factor]).toEqual([['mode', 'now'], 5])
})

test('a clock is read, frozen, moved by time and to the next chunk', async () => {
  const mock = await createMock()
  const clock = (body: unknown) => ask(mock, 'POST /worlds/default/clock', body)
  expect(await clock({ mode: 'stepped', start_at: '2030-01-01T00:00:00Z' })).toEqual({
    world: 'default',
    mode: 'stepped',
    now: '2030-01-01T00:00:00.000000Z',
  })
  expect((await clock({ advance_ms: 1500 })).now).toBe('2030-01-01T00:00:01.500000Z')
  expect((await clock({ to_next: true })).moved).toBe(false)
  const primary = mockClient(mock.main, mock)
  const stream = primary.post('/v1/chat/completions/stream', {
    assistant_id: primary.assistant('Slow echo'),
    messages: [{ role: 'user', content: 'x' }],
  })
  while (mock.journal.total() === 0) await clock({ to_next: true })
  expect((await stream).status).toBe(200)
  expect((await clock({ mode: 'real' })).mode).toBe('real')
  expect((await clock({ advance_ms: 5 })).detail[0].message).toContain('cannot be advanced')
  expect((await clock({ mode: 'slow' })).detail[0].loc).toEqual(['body', 'mode'])
})

test('fault rules are added, counted and removed', async () => {
  const mock = await createMock()
  const rule = await ask(mock, 'POST /faults/rules', { fault: 'bad_request', match: { tenant: 'primary' }, times: 1 })
  await mockClient(mock.main, mock).get('/v1/tenants/my-api-keys')
  expect((await ask(mock, 'GET /faults/rules'))[0]).toMatchObject({ id: rule.id, counts: { chosen: 1, applied: 1 } })
  const catalogue = await ask(mock, 'GET /faults')
  expect(catalogue.find(({ name }: { name: string }) => name === 'bad_request').counts.applied).toBe(1)
  expect(await ask(mock, `DELETE /faults/rules/${rule.id}`)).toEqual({ removed: rule.id })
  expect(await ask(mock, 'DELETE /faults/rules')).toEqual([])
  expect((await ask(mock, 'POST /faults/rules', { fault: 'stal' })).detail[0]).toMatchObject({
    loc: ['body', 'fault'],
    message: expect.stringMatching(/^no fault is called "stal"/),
  })
  expect((await ask(mock, 'POST /faults/rules', { fault: 'stall', match: { user: 'x' } })).detail[0].loc).toEqual([
    'body',
    'match',
    'user',
  ])
})

test('the journal is queried, waited for, exported and cleared', async () => {
  const mock = await createMock()
  const waiting = ask(mock, 'GET /worlds/default/journal/wait?operation=createThread&count=2')
  const primary = mockClient(mock.main, mock)
  await primary.thread()
  await primary.get('/v1/nowhere')
  await primary.thread()
  expect(await waiting).toMatchObject({ met: true, exchanges: [{ number: 1 }, { number: 3 }] })
  expect(await ask(mock, 'GET /worlds/default/journal/wait?status=418&timeout_ms=1')).toEqual({
    met: false,
    exchanges: [],
  })
  const [entry] = await ask(mock, 'GET /worlds/default/journal?status=404')
  expect(entry).toMatchObject({ request: { target: '/v1/nowhere' }, reason: 'unknown-route' })
  expect(JSON.stringify(entry)).not.toContain('acs-demo')
  expect((await ask(mock, 'GET /worlds/default/journal?format=trace')).split('\n')).toHaveLength(6)
  expect(await ask(mock, 'GET /worlds/default/journal?format=curl&status=404')).toBe(
    "curl -X GET 'http://acs.mock/v1/nowhere' -H 'x-acs-world: default' -H \"api-key: ${ACS_KEY_PRIMARY}\"\n",
  )
  expect((await ask(mock, 'GET /worlds/default/journal?format=har')).log.entries).toHaveLength(3)
  expect((await ask(mock, 'GET /worlds/default/journal?format=xml')).detail[0].loc).toEqual(['query', 'format'])
  expect(await ask(mock, 'DELETE /worlds/default/journal')).toEqual({ cleared: true })
})

test('everything that is wrong with a request is told at once, in the error body of the contract', async () => {
  const mock = await createMock()
  const { error_code, detail } = await ask(mock, 'POST /worlds', { nam: 'x', seed: 'one' })
  expect(error_code).toBe('validation_error')
  expect(detail).toEqual([
    { loc: ['body', 'nam'], message: 'is unknown; did you mean "name"?', type: 'extra_forbidden' },
    { loc: ['body', 'seed'], message: 'must be a number', type: 'number_type' },
  ])
  expect((await ask(mock, 'POST /worlds', '{')).detail[0].type).toBe('json_invalid')
  expect((await ask(mock, 'POST /worlds', '[]')).detail[0].type).toBe('model_type')
  expect((await ask(mock, 'POST /worlds', { name: 'no spaces' })).detail[0].message).toContain('not a valid world name')
  expect((await ask(mock, 'PUT /worlds')).error_code).toBe('method_not_allowed')
  expect((await ask(mock, 'GET /nowhere')).error_code).toBe('resource_not_found')
  expect(
    (await ask(mock, 'POST /worlds/default/threads', { messages: [{ role: 'tool', content: 'x' }] })).error_code,
  ).toBe('validation_error')
})

test('threads, messages and files are changed by the rules', async () => {
  const mock = await createMock()
  const { id, messages } = await ask(mock, 'POST /worlds/default/threads', {
    messages: [{ role: 'user', content: 'x' }],
  })
  const message = `/worlds/default/threads/${id}/messages/${messages[0].id}`
  expect(await ask(mock, `POST ${message}`, { content: 'y' })).toEqual({ edited: 'default' })
  expect((await ask(mock, `POST ${message}`, { content: '' })).detail[0]).toMatchObject({ loc: ['body', 'content'] })
  const file = await ask(mock, 'POST /worlds/default/files', { filename: 'a.txt' })
  await ask(mock, `POST /worlds/default/files/${file.id}`, { filename: 'b.txt' })
  expect(mock.main.export()).toMatchObject({
    threads: [{ messages: [{ content: 'y' }] }],
    files: [{ filename: 'b.txt' }],
  })
  await ask(mock, `DELETE ${message}`)
  expect((await ask(mock, `GET /worlds/default/contents?thread=${id}`)).messages).toEqual([])
  await ask(mock, `DELETE /worlds/default/threads/${id}`)
  await ask(mock, `DELETE /worlds/default/files/${file.id}`)
  expect(mock.main.export()).toMatchObject({ threads: [], files: [] })
  expect((await ask(mock, `DELETE /worlds/default/threads/${id}`)).error_code).toBe('validation_error')
})

test('the directory shows every path with its fields', async () => {
  const directory: { request: string }[] = await ask(await createMock(), 'GET ')
  expect(directory.map(({ request }) => request)).toContain('POST /_acs/worlds/{world}/clock')
  expect(directory).toHaveLength(34)
})

test('without a token only this machine is let in, and no web page on it', async () => {
  const admin = createAdmin(await createMock())
  const status = async (remoteAddress: string, headers: Record<string, string>, token: string | null = null) => {
    const request = { method: 'GET', target: '/_acs/worlds', headers, body: new Uint8Array(), remoteAddress }
    return (await admin.handle(request, token)).status
  }
  const local = { host: 'localhost:4010' }
  expect(await status('127.0.0.1', local)).toBe(200)
  expect(await status('::1', { host: '[::1]:4010' })).toBe(200)
  expect(await status('10.0.0.7', local)).toBe(401)
  expect(await status('127.0.0.1', { host: 'evil.example' })).toBe(401)
  expect(await status('127.0.0.1', { ...local, origin: 'https://evil.example' })).toBe(401)
  expect(await status('127.0.0.1', { ...local, 'x-forwarded-for': '10.0.0.7' })).toBe(401)
  expect(await status('127.0.0.1', local, 'secret')).toBe(401)
  expect(await status('10.0.0.7', { host: 'mock', authorization: 'Bearer secret' }, 'secret')).toBe(200)
  expect(await status('10.0.0.7', { host: 'mock', authorization: 'Bearer secre' }, 'secret')).toBe(401)
})

test('whoever is kept out is told why', async () => {
  const admin = createAdmin(await createMock())
  const detail = async (remoteAddress: string, headers: Record<string, string>, token: string | null = null) => {
    const request = { method: 'GET', target: '/_acs', headers, body: new Uint8Array(), remoteAddress }
    return JSON.parse(String((await admin.handle(request, token)).body)).detail
  }
  const local = { host: 'localhost:4010' }
  expect(await detail('10.0.0.7', local)).toMatch(/^The request comes from another machine\. Without --admin-token/)
  expect(await detail('127.0.0.1', { host: 'evil.example' })).toMatch(/^The header host does not name/)
  expect(await detail('127.0.0.1', { ...local, origin: 'http://evil.example' })).toMatch(/^The header origin names/)
  expect(await detail('127.0.0.1', { ...local, 'sec-fetch-site': 'same-site' })).toMatch(/^The header sec-fetch-site/)
  expect(await detail('127.0.0.1', { ...local, via: '1.1 proxy' })).toMatch(/^The header via says/)
  expect(await detail('127.0.0.1', local, 'secret')).toMatch(/^The header authorization does not hold the admin token/)
})

test('over a socket it answers without CORS headers, preflights included', async () => {
  await using mock = await createMock()
  const { url } = await mock.listen()
  const listed = await fetch(`${url}/_acs/worlds`)
  expect([listed.status, listed.headers.get('access-control-allow-origin')]).toEqual([200, null])
  const preflight = await fetch(`${url}/_acs/worlds`, { method: 'OPTIONS' })
  expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([405, null])
  await using guarded = await createMock()
  const other = await guarded.listen({ adminToken: 'secret' })
  expect((await fetch(`${other.url}/_acs`)).status).toBe(401)
  expect((await fetch(`${other.url}/_acs`, { headers: { authorization: 'Bearer secret' } })).status).toBe(200)
})

test('a request that a browser marks as made by another site is kept out, whatever else it lacks', async () => {
  const mock = await createMock()
  const admin = createAdmin(mock)
  const from = async (site: string) => {
    const headers = { host: 'localhost:1', 'sec-fetch-site': site }
    const request = { method: 'GET', target: '/_acs', headers, body: new Uint8Array(), remoteAddress: '127.0.0.1' }
    return (await admin.handle(request, null)).status
  }
  expect(await Promise.all(['cross-site', 'same-site', 'none', 'same-origin'].map(from))).toEqual([401, 401, 200, 200])
})

test.each([
  ['GET /nope', 'the admin API has no path "/_acs/nope"; GET /_acs lists all paths'],
  [
    'GET /worlds/default/clok',
    'the admin API has no path "/_acs/worlds/default/clok"; did you mean "/_acs/worlds/default/clock"?',
  ],
  ['GET /worlds/none/clock', 'there is no world "none"; known: default'],
  ['POST /worlds/defaul/reset', 'there is no world "defaul"; did you mean "default"?'],
  ['POST /worlds/default/restore', 'there is no snapshot "s"; none is known', { snapshot: 's' }],
  ['DELETE /faults/rules/x', 'there is no fault rule "x"; known: rule-1'],
  ['GET /worlds/default/contents?thread=x', 'there is no thread "x"; none is known'],
  ['GET /worlds/default/journal/9', 'there is no exchange "9"; known: 1 to 2'],
] as const)('%s is answered with what there is not', async (request, detail, body?: object) => {
  const mock = await createMock()
  mock.faults.add({ fault: 'tenant_not_found' })
  for (let call = 0; call < 2; call += 1) await mock.fetch('/v1/assistants')
  expect(await ask(mock, request, body)).toEqual({ error_code: 'resource_not_found', detail })
})

test('fault rules are listed for one world, and outlive its reset', async () => {
  const mock = await createMock()
  const world = mock.world({ name: 't4' })
  mock.faults.add({ fault: 'tenant_not_found' })
  world.faults.add({ fault: 'tenant_not_found' })
  expect(await ask(mock, 'POST /worlds/t4/reset')).toMatchObject({ fault_rules: 1 })
  expect(await ask(mock, 'GET /faults/rules?world=t4')).toMatchObject([{ id: 'rule-2', match: { world: 't4' } }])
  expect(await ask(mock, 'GET /faults/rules')).toHaveLength(2)
})

test('a seeded message has only the fields of a message, each of its type', async () => {
  const mock = await createMock()
  const user = { role: 'user', content: 'x' }
  const refused = async (message: unknown) =>
    (await ask(mock, 'POST /worlds/default/threads', { messages: [user, message] })).detail?.[0]?.loc.join('/')
  expect(await refused({ ...user, file_ids: 'a' })).toBe('body/messages/1/file_ids')
  expect(await refused({ ...user, file_ids: [1] })).toBe('body/messages/1/file_ids')
  expect(await refused({ ...user, meta_data: false })).toBe('body/messages/1/meta_data')
  expect(await refused({ ...user, sources: {} })).toBe('body/messages/1/sources')
  expect(await refused({ role: 'tool', content: 'x', tool_call_id: {} })).toBe('body/messages/1/tool_call_id')
  expect(await refused({ role: 'assistant', content: 'x', tool_calls: [{}] })).toBe('body/messages/1/tool_calls/0/id')
  expect(await refused({ role: 'assistant', content: 'x', tool_calls: 7 })).toBe('body/messages/1/tool_calls')
  expect(await refused({ ...user, colour: 'red' })).toBe('body/messages/1/colour')
  expect(await refused(null)).toBe('body/messages/1/role')
  const answer = { role: 'assistant', content: 'x' }
  expect(await refused({ ...answer, meta_data: {}, sources: [], file_ids: [] })).toBeUndefined()
  expect(await refused({ ...answer, sources: [{ content: 1, meta_data: {} }] })).toBe(
    'body/messages/1/sources/0/content',
  )
  for (const field of ['meta_data', 'sources', 'tool_calls', 'tool_call_id'])
    expect(await refused({ ...user, [field]: { meta_data: {}, tool_call_id: 'call_1' }[field] ?? [] })).toBe(
      `body/messages/1/${field}`,
    )
  expect(await refused({ ...user, content: '\ud800' })).toBe('body/messages/1/content')
  expect(await refused({ ...user, created_at: '1600-01-01T00:00:00Z' })).toBe('body/messages/1/created_at')
  expect(await refused({ ...user, created_at: '2025-02-30T00:00:00Z' })).toBe('body/messages/1/created_at')
  const file = { filename: 'a.txt' }
  expect(await refused({ ...user, files: [{ ...file, user_id: 'a b' }] })).toBe('body/messages/1/files/0/user_id')
  expect(await refused({ ...user, files: [{ filename: '' }] })).toBe('body/messages/1/files/0/filename')
})

test('a world that nobody has named yet can be seeded and waited on, and an unfit name says what fits', async () => {
  const mock = await createMock()
  const seeded = await ask(mock, 'POST /worlds/early/threads', { messages: [{ role: 'user', content: 'Hello' }] })
  expect(seeded.messages).toHaveLength(1)
  expect(await ask(mock, 'GET /worlds/earlier/journal/wait?timeout_ms=1')).toEqual({ met: false, exchanges: [] })
  const refused = await ask(mock, 'POST /worlds/a%20b/threads', {})
  expect(refused.detail[0].message).toContain('use 1 to 64 of the characters A-Z a-z 0-9 . _ -')
})

test('the journal is filtered by thread, body, header and since, and shows bodies as values', async () => {
  const mock = await createMock()
  const { id } = await ask(mock, 'POST /worlds/default/threads', {})
  const headers = { 'api-key': 'acs-demo-primary', 'x-request-id': 'one' }
  const body = '{"role":"user","content":"my parcel"}'
  await mock.fetch(`/v1/threads/${id}/messages`, { method: 'POST', headers, body })
  const found = async (query: string) => (await ask(mock, `GET /worlds/default/journal?${query}`)).length
  expect(await Promise.all([`thread=${id}`, 'body=parcel', 'header=x-request-id:%20one'].map(found))).toEqual([1, 1, 1])
  expect(await Promise.all([`thread=${randomUUID()}`, 'body=letter', 'header=x-trace', 'since=1'].map(found))).toEqual([
    0, 0, 0, 0,
  ])
  const [entry] = await ask(mock, 'GET /worlds/default/journal')
  expect([entry.request.json.content, entry.response.json.thread_id]).toEqual(['my parcel', id])
  expect((await ask(mock, 'GET /worlds/default/journal?since=soon')).detail[0].loc).toEqual(['query', 'since'])
})

test('a world is exported and imported into another one, and what does not fit is told with its place', async () => {
  const mock = await createMock({ clock: { mode: 'frozen' } })
  const messages = [{ role: 'user', content: 'Hello', created_at: '2025-12-01T00:00:00Z' }]
  const { id } = await ask(mock, 'POST /worlds/default/threads', { messages })
  const file = await ask(mock, 'POST /worlds/default/files', { filename: 'a.txt', content: 'x' })
  const state = await ask(mock, 'GET /worlds/default/state')
  expect(state.threads).toMatchObject([{ id, messages: [{ created_at: '2025-12-01T00:00:00.000001Z' }] }])
  expect(state.files).toMatchObject([{ id: file.id }])
  expect(await ask(mock, 'POST /worlds/copy/state', state)).toMatchObject({ threads: 1, files: 1 })
  expect(await ask(mock, 'GET /worlds/copy/state')).toEqual({ ...state, name: 'copy' })
  const refused = await ask(mock, 'POST /worlds/copy/state', { ...state, threads: [{}] })
  expect(refused.detail[0].message).toContain('threads[0].id must be a string')
})

test('a HEAD is answered as a GET without its body, and a seed tells its ids in the words of the wire', async () => {
  const mock = await createMock()
  for (const path of ['/_acs', '/_acs/worlds', '/_acs/nowhere']) {
    const [head, whole] = [await mock.fetch(path, { method: 'HEAD' }), await mock.fetch(path)]
    expect([head.status, await head.text()]).toEqual([whole.status, ''])
  }
  const events = await mock.fetch('/_acs/events', { method: 'HEAD' })
  expect([events.status, await events.text()]).toEqual([405, ''])
  const seeded = await ask(mock, 'POST /worlds/default/threads', {})
  expect(Object.keys(seeded)).toEqual(['id', 'assistant_id', 'messages'])
})

test('a body that is nested without bound leaves the journal readable in every form', async () => {
  const mock = await createMock()
  const body = '['.repeat(100_000) + ']'.repeat(100_000)
  await mock.fetch('/v1/threads', { method: 'POST', headers: { 'api-key': 'acs-demo-primary' }, body })
  const [entry] = await ask(mock, 'GET /worlds/default/journal')
  expect(entry).toMatchObject({ reason: 'body-too-complex', request: { body: { utf8: body } } })
  expect(entry.request).not.toHaveProperty('json')
  expect(await ask(mock, 'GET /worlds/default/journal/1')).toMatchObject({ number: 1 })
  for (const format of ['trace', 'har', 'curl']) {
    const shown = await ask(mock, `GET /worlds/default/journal?format=${format}`)
    expect(shown, format).not.toHaveProperty('error_code')
  }
})

test('a wrong method is told which ones there are', async () => {
  const mock = await createMock()
  const allowed = async (method: string, path: string) => {
    const { status, headers } = await mock.fetch(`/_acs${path}`, { method })
    return [status, headers.get('allow')]
  }
  expect(await allowed('PUT', '/worlds')).toEqual([405, 'GET, HEAD, POST'])
  expect(await allowed('GET', '/worlds/default/reset')).toEqual([405, 'POST'])
  expect(await allowed('POST', '/events')).toEqual([405, 'GET'])
})

test('a body that is nested without bound is refused with the bound', async () => {
  const mock = await createMock()
  for (const depth of [200, 100_000]) {
    const nested = '['.repeat(depth) + ']'.repeat(depth)
    const body = `{"messages":[{"role":"assistant","content":"Hello","meta_data":{"a":${nested}}}]}`
    const { detail } = await ask(mock, 'POST /worlds/default/threads', body)
    expect(detail).toEqual([{ loc: ['body'], message: 'must be nested at most 128 deep', type: 'too_complex' }])
  }
})

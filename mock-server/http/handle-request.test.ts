/** Laws of the engine: routes, keys, quotas, worlds by header, path and key, faults that come in. */
import { expect, test } from 'vitest'
import { operations } from '../../spec/index.ts'
import { mockClient } from '../../test/support/mock-client.ts'
import { createMock } from '../mock.ts'
import { reasons } from '../reasons/reasons.ts'

test('a missing and an unknown key are refused alike, on every operation', async () => {
  const mock = await createMock()
  for (const [id, operation] of Object.entries(operations)) {
    if (operation.path === null) continue
    for (const headers of [
      {},
      { 'api-key': '' },
      { 'api-key': 'nope' },
      { 'api-key': 'acs-demo-primary, acs-demo-primary' },
    ]) {
      const path = operation.path.replace(/\{\w+\}/, 'x')
      const response = await mock.fetch(path, { method: operation.method, headers })
      const body = await response.json()
      expect([id, response.status, body]).toEqual([
        id,
        401,
        { error_code: 'unauthorized', detail: 'Missing or unknown API key' },
      ])
    }
  }
})

test('unknown routes and wrong methods are told apart', async () => {
  const mock = await createMock()
  const primary = mockClient(mock.main, mock)
  for (const path of [
    '/',
    '/v1',
    '/v1/',
    '/v1/assistants/',
    '/v2/assistants',
    '/v1/threads/a/b',
    '//v1/assistants',
    '/v1/%zz',
  ]) {
    const answer = await primary.get(path)
    expect([path, answer.status, answer.json.error_code]).toEqual([path, 404, 'resource_not_found'])
  }
  const wrong = await primary.post('/v1/assistants', {})
  expect([wrong.status, wrong.json.error_code, wrong.headers.get('allow')]).toEqual([
    405,
    'method_not_allowed',
    'GET, HEAD, OPTIONS',
  ])
  expect((await primary.get('/v1/%61ssistants')).status).toBe(200)
})

test('HEAD is GET without a body', async () => {
  const mock = await createMock()
  const headers = { 'api-key': 'acs-demo-primary' }
  const get = await mock.fetch('/v1/assistants', { headers })
  const head = await mock.fetch('/v1/assistants', { method: 'HEAD', headers })
  expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([
    200,
    get.headers.get('content-length'),
    '',
  ])
})

test('a tenant sees its own assistants and keys', async () => {
  const mock = await createMock()
  const primary = mockClient(mock.main, mock)
  const secondary = mockClient(mock.main, mock, 'secondary')
  const names = (json: readonly { name: string }[]) => json.map(({ name }) => name)
  expect(names((await primary.get('/v1/assistants')).json)).toContain('Legal assistant')
  expect(names((await secondary.get('/v1/assistants')).json)).toEqual(['Echo next door'])
  const id = secondary.assistant('Echo next door')
  expect((await secondary.get(`/v1/assistants/${id}`)).json.id).toBe(id)
  for (const other of [id, 'x', 'b5b1a0e4-2f0e-4f5c-9d38-0d3b7f4a0000']) {
    const refused = await primary.get(`/v1/assistants/${other}`)
    expect([refused.status, refused.json]).toEqual([
      403,
      { error_code: 'assistant_not_available', detail: 'Assistant not available to the tenant' },
    ])
  }
  const tenant = (await secondary.get('/v1/tenants/my-api-keys')).json
  expect(tenant.api_keys.map((key: { api_key: string }) => key.api_key)).toEqual(['acs-demo-secondary'])
})

test("a quota is spent by limited operations only and comes back on the world's clock", async () => {
  const mock = await createMock({ clock: { mode: 'frozen' } })
  const throttled = mockClient(mock.main, mock, 'throttled')
  for (let call = 0; call < 20; call += 1) expect((await throttled.get('/v1/assistants')).status).toBe(200)
  for (let call = 0; call < 5; call += 1) expect((await throttled.get('/v1/tenants/my-api-keys')).status).toBe(200)
  mock.clock.advance(20_500)
  const refused = await throttled.get('/v1/tenants/my-api-keys')
  expect([refused.status, refused.json, refused.headers.get('retry-after')]).toEqual([
    429,
    { error_code: 'rate_limit_gateway', detail: 'Rate limit exceeded' },
    '40',
  ])
  mock.clock.advance(39_500)
  expect((await throttled.get('/v1/tenants/my-api-keys')).status).toBe(200)
})

test.each([
  [{ mode: 'scaled', factor: 10 }, '6'],
  [{ mode: 'scaled', factor: 1000 }, '1'],
  [{ mode: 'scaled', factor: 0.5 }, '120'],
  [{ mode: 'stepped' }, '60'],
] as const)('with the clock %j a spent quota asks for %s seconds', async (clock, seconds) => {
  const mock = await createMock({ clock })
  const throttled = mockClient(mock.main, mock, 'throttled')
  let refused = await throttled.get('/v1/tenants/my-api-keys')
  for (let call = 0; call < 5; call += 1) refused = await throttled.get('/v1/tenants/my-api-keys')
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, seconds])
})

test('a world is named by path, by header or behind the key, and a bad name is refused', async () => {
  const mock = await createMock()
  const key = { 'api-key': 'acs-demo-primary' }
  const made = await mock.fetch('/w/shop/v1/threads', { method: 'POST', headers: key })
  const { id } = (await made.json()) as { id: string }
  const path = `/v1/threads/${id}/messages`
  const status = async (target: string, headers: Readonly<Record<string, string>>) =>
    (await mock.fetch(target, { headers })).status
  expect(await status(`/w/shop${path}`, key)).toBe(200)
  expect(await status(path, { ...key, 'x-acs-world': 'shop' })).toBe(200)
  expect(await status(path, { 'api-key': 'acs-demo-primary@shop' })).toBe(200)
  expect(await status(path, key)).toBe(404)
  expect(await status(`/w/other${path}`, { ...key, 'x-acs-world': 'shop' })).toBe(404)
  for (const name of ['a b', 'x'.repeat(65), 'ä', '../x']) {
    const headers = { ...key, 'x-acs-world': encodeURIComponent(name) }
    expect(await status(path, name.length > 64 ? { ...key, 'x-acs-world': name } : headers)).toBe(422)
  }
})

test('worlds made by name are bounded', async () => {
  const mock = await createMock({ maxWorlds: 3 })
  const statuses: number[] = []
  for (let index = 0; index < 5; index += 1) {
    const headers = { 'api-key': 'acs-demo-primary', 'x-acs-world': `w${index}` }
    statuses.push((await mock.fetch('/v1/threads', { method: 'POST', body: '{}', headers })).status)
  }
  expect(statuses).toEqual([201, 201, 201, 503, 503])
  expect(mock.worlds()).toHaveLength(4)
})

test('an interference refuses, delays or breaks off, and the journal tells', async () => {
  const mock = await createMock({
    clock: { mode: 'stepped' },
    interfere: ({ request }) => {
      if (request.headers['x-fault'] === 'refuse') return { rejection: { reason: 'mock-failure' } }
      if (request.headers['x-fault'] === 'delay') return { delayMs: 50 }
      if (request.headers['x-fault'] === 'reset') return { wrapSink: (sink) => ({ ...sink, head: () => sink.reset() }) }
      return null
    },
  })
  const primary = mockClient(mock.main, mock)
  expect((await primary.get('/v1/assistants', { 'x-fault': 'refuse' })).status).toBe(503)
  await expect(primary.get('/v1/assistants', { 'x-fault': 'reset' })).rejects.toThrow(/fetch failed/)
  const delayed = primary.get('/v1/assistants', { 'x-fault': 'delay' })
  while (!mock.clock.advanceToNext()) await new Promise((resolve) => setImmediate(resolve))
  expect((await delayed).status).toBe(200)
  const [, , entry] = mock.journal.query()
  expect((entry?.endedAtUs ?? 0) - (entry?.startedAtUs ?? 0)).toBe(50_000)
})

test('every reason has a rule, a section and a fix', () => {
  for (const [id, reason] of Object.entries(reasons)) {
    expect(id).toMatch(/^[a-z]+(-[a-z]+)+$/)
    for (const text of [reason.rule, reason.section, reason.fix]) expect(text.length).toBeGreaterThan(5)
  }
})

test('a long page goes out as fast as the client reads, and is whole', async () => {
  const mock = await createMock({ clock: { mode: 'frozen' } })
  const messages = Array.from(
    { length: 20 },
    (_, index) => ({ role: 'user', content: `${index}`.repeat(100_000) }) as const,
  )
  const { id } = mock.main.seedThread({ messages })
  const headers = { 'api-key': 'acs-demo-primary' }
  const unread = await mock.fetch(`/v1/threads/${id}/messages?limit=20`, { headers })
  expect([unread.status, mock.journal.total()]).toEqual([200, 0])
  const text = await unread.text()
  expect(JSON.parse(text).items).toHaveLength(20)
  expect(Number(unread.headers.get('content-length'))).toBe(Buffer.byteLength(text))
  const left = await mock.fetch(`/v1/threads/${id}/messages?limit=20`, { headers })
  await left.body?.cancel()
  expect(mock.journal.query().map(({ outcome }) => outcome)).toEqual(['read-all', 'left'])
  const [whole, part] = mock.journal.query()
  expect(part?.responsePieces.length).toBeLessThan(5)
  expect(Buffer.concat(whole?.responsePieces ?? []).toString()).toBe(text)
})

test('every fault of a field is told in the same order: where, what, which kind', async () => {
  const mock = await createMock()
  const primary = mockClient(mock.main, mock)
  const bodies = [{ user_id: 7, messages: [{ role: 'bot', content: 'x' }] }, '{']
  const answers = bodies.map((body) => primary.post('/v1/chat/completions', body))
  answers.push(primary.get('/v1/files/signed-url?filename=a&filename=b&persist=maybe', { 'user-id': 'u' }))
  const items: object[] = (await Promise.all(answers)).flatMap(({ json }) => json.detail)
  expect([...new Set(items.map((item) => Object.keys(item).join()))]).toEqual(['loc,message,type'])
})

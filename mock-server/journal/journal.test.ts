/** Laws of the journal. */
import { expect, test } from 'vitest'
import { encodings } from '../../test/secrets/encodings.ts'
import { mockClient } from '../../test/support/mock-client.ts'
import { createMock } from '../mock.ts'
import { JournalTimeout } from './journal.ts'
import { createRedaction } from './redaction.ts'

test('an entry tells who asked what, and what became of it', async () => {
  const mock = await createMock({ clock: { mode: 'frozen' } })
  const primary = mockClient(mock.main, mock)
  await primary.post('/v1/threads/x/run', {})
  const [entry] = mock.journal.query()
  expect(entry).toMatchObject({
    number: 1,
    world: 'default',
    method: 'POST',
    target: '/v1/threads/x/run',
    operation: 'runThread',
    tenant: 'primary',
    status: 404,
    reason: 'unknown-thread',
    outcome: 'read-all',
    scenarioFault: null,
    mockFault: null,
  })
  expect(Buffer.concat(entry?.responsePieces ?? []).toString()).toBe(
    '{"error_code":"thread_not_found","detail":"Thread not found"}',
  )
})

test('the journal keeps the latest entries within its limits of number and bytes', async () => {
  const few = await createMock({ journal: { entries: 3 } })
  for (let call = 0; call < 10; call += 1) await few.fetch(`/v1/assistants?call=${call}`)
  expect(few.journal.query().map(({ number, target }) => [number, target.at(-1)])).toEqual([
    [8, '7'],
    [9, '8'],
    [10, '9'],
  ])
  expect(few.journal.total()).toBe(10)
  const small = await createMock({ journal: { bytes: 3000 } })
  const body = 'x'.repeat(400)
  for (let call = 0; call < 10; call += 1) {
    await small.fetch('/v1/threads', { method: 'POST', body, headers: { 'api-key': 'acs-demo-primary' } })
  }
  const kept = small.journal.query()
  expect(kept.reduce((sum, entry) => sum + entry.bytes, 0)).toBeLessThanOrEqual(3000)
  expect(kept.at(-1)?.number).toBe(10)
  const none = await createMock({ journal: { entries: 0 } })
  await none.fetch('/v1/assistants')
  expect([none.journal.query(), none.journal.total()]).toEqual([[], 1])
})

test('a filter by each field finds what fits all of it', async () => {
  const mock = await createMock()
  const primary = mockClient(mock.main, mock)
  const secondary = mockClient(mock.main, mock, 'secondary')
  await primary.thread()
  await secondary.thread()
  await primary.get('/v1/nowhere')
  const count = (filter: Parameters<typeof mock.journal.query>[0]) => mock.journal.query(filter).length
  expect(count({ operation: 'createThread' })).toBe(2)
  expect(count({ operation: 'createThread', tenant: 'primary' })).toBe(1)
  expect(count({ method: 'GET' })).toBe(1)
  expect(count({ status: 404, reason: 'unknown-route' })).toBe(1)
  expect(count({ target: /threads$/ })).toBe(2)
  expect(count({ target: 'nowhere' })).toBe(1)
  expect(count({ outcome: 'left' })).toBe(0)
})

test('a tenant that there is not is refused with each name once, however many exchanges there were', async () => {
  const mock = await createMock()
  for (let call = 0; call < 3; call += 1) await mockClient(mock.main, mock).get('/v1/assistants')
  expect(() => mock.journal.query({ tenant: 'zz' })).toThrow('use one of primary, secondary, throttled')
  expect(() => mock.journal.query({ tenant: 'zz' })).not.toThrow('throttled, ')
})

test('filters by thread, body, header and since find what fits, and add up', async () => {
  const mock = await createMock()
  const primary = mockClient(mock.main, mock)
  const thread = await primary.thread()
  const other = await primary.thread()
  await primary.say(thread, { role: 'user', content: 'Where is my parcel?' })
  await primary.say(other, { role: 'user', content: 'Where is my parcel?' })
  const before = mock.journal.total()
  const assistant_id = primary.assistant('Echo')
  const body = { assistant_id, messages: [{ role: 'user', content: 'hello' }] }
  const born = (await primary.post('/v1/chat/completions', body, { 'x-request-id': 'first-7' })).json.thread_id
  await primary.post(`/v1/chat/completions/stream?thread_id=${born}`, body)
  const count = (filter: Parameters<typeof mock.journal.query>[0]) => mock.journal.query(filter).length
  expect(count({ thread })).toBe(2)
  expect(count({ thread: born.toUpperCase() })).toBe(2)
  expect(count({ body: 'parcel' })).toBe(2)
  expect(count({ body: /parcel\?"/g, thread: other })).toBe(1)
  expect(count({ header: 'X-Request-Id' })).toBe(1)
  expect(count({ header: 'x-request-id: first' })).toBe(1)
  expect(count({ header: 'x-request-id: second' })).toBe(0)
  expect(count({ since: before })).toBe(2)
  expect(count({ since: before, body: 'parcel' })).toBe(0)
  await expect(mock.journal.wait({ since: mock.journal.total() }, { timeoutMs: 1 })).rejects.toThrow('0 of 1')
})

test('an entry gives both bodies as text and as values, and a view has the values beside the bytes', async () => {
  const mock = await createMock({ clock: { mode: 'frozen' } })
  const primary = mockClient(mock.main, mock)
  const thread = await primary.thread()
  const said = await primary.say(thread, { role: 'user', content: 'Grüß Gott' })
  const page = await primary.get(`/v1/threads/${thread}/messages`)
  const chunks = await primary.stream(`/v1/threads/${thread}/run/stream`, {})
  await primary.post(`/v1/threads/${thread}/messages`, '{"role":')
  const [, posted, listed, streamed, broken] = mock.journal.query()
  expect([posted?.json(), posted?.responseJson()]).toEqual([{ role: 'user', content: 'Grüß Gott' }, said.json])
  expect([posted?.text(), posted?.responseText()]).toEqual(['{"role":"user","content":"Grüß Gott"}', said.text])
  expect([listed?.json(), listed?.text(), listed?.responseJson()]).toEqual([undefined, '', page.json])
  expect(streamed?.responseJson()).toEqual(chunks)
  expect([broken?.text(), broken?.json()]).toEqual(['{"role":', undefined])
  const views = JSON.parse(JSON.stringify(mock.journal.view()))
  expect(views[1].request.json).toEqual({ role: 'user', content: 'Grüß Gott' })
  expect(views.map((view: { response: { json: unknown } }) => view.response.json)).toEqual(
    mock.journal.query().map((entry) => entry.responseJson()),
  )
  expect(views[4].request).not.toHaveProperty('json')
})

test('wait gives the entries as soon as there are enough, and says how many came when time is up', async () => {
  const mock = await createMock()
  const primary = mockClient(mock.main, mock)
  const two = mock.journal.wait({ operation: 'createThread' }, { count: 2 })
  await primary.thread()
  await primary.thread()
  expect(await two).toHaveLength(2)
  expect(await mock.journal.wait({ operation: 'createThread' })).toHaveLength(2)
  const late = mock.journal.wait({ operation: 'createThread' }, { count: 3, timeoutMs: 1 })
  await expect(late).rejects.toThrow(JournalTimeout)
  await expect(late).rejects.toThrow('2 of 3')
})

test('a wait ends when its caller leaves, when its world is destroyed and when the mock is closed', async () => {
  const mock = await createMock()
  const abort = new AbortController()
  const left = mock.journal.wait({ status: 418 }, { timeoutMs: 120_000, signal: abort.signal })
  abort.abort()
  await expect(left).rejects.toThrow(JournalTimeout)
  await expect(mock.journal.wait({}, { timeoutMs: 120_000, signal: abort.signal })).rejects.toThrow(JournalTimeout)
  const world = mock.world()
  const destroyed = world.journal.wait({ status: 418 }, { timeoutMs: 120_000 })
  world.destroy()
  await expect(destroyed).rejects.toThrow(JournalTimeout)
  const closed = mock.journal.wait({ status: 418 }, { timeoutMs: 120_000 })
  expect(mock.journal.isAwaited()).toBe(true)
  await mock.close()
  await expect(closed).rejects.toThrow(JournalTimeout)
  expect(mock.journal.isAwaited()).toBe(false)
})

test('a listener of exchanges that fails is warned of, and the answer is the same', async () => {
  const mock = await createMock({
    onExchange() {
      throw new Error('deliberate')
    },
  })
  const warning = new Promise<Error>((resolve) => process.once('warning', resolve))
  expect((await mock.fetch('/v1/assistants')).status).toBe(401)
  expect((await warning).message).toContain('onExchange failed: Error: deliberate')
  expect(mock.journal.total()).toBe(1)
})

test('headers and targets count for the limit of the journal', async () => {
  const mock = await createMock({ journal: { bytes: 100_000 } })
  for (let call = 0; call < 40; call += 1)
    await mock.fetch(`/v1/x?${'y'.repeat(2000)}`, { headers: { padding: 'z'.repeat(8000) } })
  expect(mock.journal.query()).toHaveLength(9)
})

test('a key shows in no form: escaped, encoded, in a query, or cut by the borders of chunks', async () => {
  const mock = await createMock({ clock: { mode: 'frozen' } })
  const secret = 'acs-demo-primary'
  const percent = [...secret].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join('')
  const escaped = [...secret].map((letter) => `\\u00${letter.charCodeAt(0).toString(16).toUpperCase()}`).join('')
  const base64 = ['', 'a', 'ab'].map((before) => Buffer.from(`${before}${secret}:tail`).toString('base64'))
  const headers = { 'api-key': secret, note: base64.join(' ') }
  await mock.fetch(`/v1/assistants?x=${percent}&api_key=sk-of-somebody-else`, { headers })
  const primary = mockClient(mock.main, mock)
  const assistant = JSON.stringify(primary.assistant('Echo'))
  const said = `{"assistant_id":${assistant},"messages":[{"role":"user","content":"my key ${escaped}, again ${secret}"}]}`
  for (const path of ['/v1/chat/completions/stream', '/v1/chat/completions/events/stream']) {
    expect((await mock.fetch(path, { method: 'POST', body: said, headers })).status).toBe(200)
  }
  const cores = [secret, percent, escaped, 'sk-of-somebody-else', ...base64.map((text) => text.slice(4, 20))]
  const texts = [
    JSON.stringify(mock.journal.view()),
    ...(['har', 'trace'] as const).map((form) => mock.journal.export(form)),
  ]
  for (const text of texts) for (const core of cores) expect(text.includes(core), core).toBe(false)
  for (const view of mock.journal.view({ method: 'POST' })) {
    const lines = view.response?.pieces.map((piece) => ('utf8' in piece ? JSON.parse(piece.utf8) : null)) ?? []
    const content = lines.map(({ delta }) => delta.content ?? '').join('')
    const blocks = JSON.stringify(lines.map(({ delta }) => delta.content_blocks))
    expect(lines.length).toBeGreaterThan(2)
    expect(content + blocks).not.toContain('demo-prim')
    if (content !== '') expect(content).toMatch(/^You said: my key [0-9a-f]{16}, again [0-9a-f]{16}$/)
  }
})

test('a key in any of forty encodings becomes a pseudonym in the journal', () => {
  const secret = 'kEy-4f9Qz/81+xY=&7'
  const redaction = createRedaction([secret])
  for (const [name, encode] of Object.entries(encodings)) {
    const encoded = encode(secret)
    const shown = redaction.text(`<<${encoded}>>`)
    expect(shown, name).not.toContain(encoded.slice(-14, -4))
  }
  const text = 'nothing to be found in here: 4f9Qz, {"a":"b\\n"} %20 a0:b1:c2'
  expect(redaction.text(text)).toBe(text)
})

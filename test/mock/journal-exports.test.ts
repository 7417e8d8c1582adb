/** What the journal exports is read by its consumers: the suite's trace reader and judge, a HAR schema, a shell. */
import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { expect, test } from 'vitest'
import { decodeTrace, harToTrace, judge } from '../../conformance/index.ts'
import { createMock, createRecording, type Mock } from '../../mock-server/index.ts'

const key = { 'api-key': 'acs-demo-primary' }

/** A bit of everything: threads, streams, errors, uploads, faults. */
async function traffic(mock: Mock, base: string, headers: Record<string, string> = key): Promise<void> {
  const send = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(base + path, { ...init, headers: { ...headers, ...init.headers } })
    return { response, text: await response.text().catch(() => '') }
  }
  const post = (body: unknown): RequestInit => ({ method: 'POST', body: JSON.stringify(body) })
  const thread = JSON.parse((await send('/v1/threads', post({}))).text).id
  await send(`/v1/threads/${thread}/messages`, post({ role: 'user', content: "ä 'quoted' $HOME" }))
  await send(`/v1/threads/${thread}/run/stream`, post({}))
  await send(`/v1/threads/${thread}/messages?limit=1`)
  await send('/v1/threads/nowhere/run', post({}))
  await send('/v1/chat/completions', post({ messages: [] }))
  await send('/v1/tenants/my-api-keys')
  await send('/v1/assistants')
  const grant = JSON.parse((await send('/v1/files/signed-url?filename=a.txt', { headers: { 'user-id': 'u' } })).text)
  await fetch(grant.file_url, { method: 'PUT', body: 'x', headers: { 'content-type': 'text/plain' } })
  await send('/v1/assistants', { headers: { 'x-acs-fault': 'reset-before-headers' } }).catch(() => null)
  expect(mock.worlds().at(-1)?.journal.total()).toBe(11)
}

test('a trace of the journal is read and judged by the suite, without a key in it', async () => {
  await using mock = await createMock()
  const { url } = await mock.listen()
  await traffic(mock, url)
  const text = mock.journal.export('trace', { outcome: 'read-all' })
  expect(text).not.toContain('acs-demo')
  const trace = decodeTrace(text)
  expect(trace.exchanges).toHaveLength(10)
  expect(trace.header.source).toBe('proxy')
  const judgement = judge(trace)
  expect(
    judgement.verdicts.filter(({ outcome }) => outcome === 'violated').map(({ requirement }) => requirement),
  ).toEqual([])
  expect(judgement.verdicts.filter(({ outcome }) => outcome === 'upheld').length).toBeGreaterThan(40)
  const whole = decodeTrace(mock.journal.export('trace'))
  expect(whole.exchanges.find(({ ending }) => ending === 'cut')?.response).toBeNull()
})

test('a trace blames nobody for injected faults: it leaves out what they did, and says how much', async () => {
  await using mock = await createMock({ clock: { mode: 'frozen' } })
  const names = mock.faults.faultCatalogue().map(({ name }) => name)
  const body = JSON.stringify({
    assistant_id: mock.scenario.tenants[0]?.assistants.find(({ name }) => name === 'Echo')?.id,
    messages: [{ role: 'user', content: 'Grüß Gott, how do streams look?' }],
  })
  const sent = [
    ['GET', '/v1/tenants/my-api-keys', undefined],
    ['POST', '/v1/chat/completions', body],
    ['POST', '/v1/chat/completions/stream', body],
  ] as const
  for (const [method, path, body = null] of sent) {
    for (const name of names) {
      const headers = { ...key, 'x-acs-fault': name }
      await mock
        .fetch(path, { method, body, headers })
        .then((answer) => answer.text(), String)
        .catch(String)
    }
    await (await mock.fetch(path, { method, body, headers: key })).text()
  }
  const entries = mock.journal.query()
  const refused = entries.filter(({ reason }) => reason === 'injected-fault').length
  expect(refused).toBeGreaterThan(15)
  const text = mock.journal.export('trace')
  const trace = decodeTrace(text)
  expect(trace.exchanges).toHaveLength(entries.length - refused)
  const responses = trace.exchanges.filter(({ response }) => response === null).length
  expect(responses).toBeGreaterThan(10)
  expect(JSON.parse(text.split('\n')[0] ?? '').leftOut).toEqual({ exchanges: refused, responses })
  const { verdicts } = judge(trace)
  expect(verdicts.filter(({ outcome }) => outcome === 'violated').map(({ requirement }) => requirement)).toEqual([])
  expect((await createRecording(text)).notes).toEqual([`${responses} exchanges without an answer are not played`])
  const exported = async (filter: string) => {
    const { headers } = await mock.fetch(`/_acs/worlds/default/journal?format=trace${filter}`)
    return headers.get('x-acs-left-out')
  }
  expect(await exported('')).toBe(`injected faults: ${refused} exchanges, ${responses} responses`)
  expect(await exported('&fault=stall')).toBeNull()
})

test('a trace of a world is judged and played, however its requests named the world', async () => {
  const ways: readonly [path: string, headers: Record<string, string>][] = [
    ['/w/p', key],
    ['', { ...key, 'x-acs-world': 'p' }],
    ['', { 'api-key': 'acs-demo-primary@p' }],
    ['/w/default', key],
  ]
  for (const [path, headers] of ways) {
    await using mock = await createMock({ clock: { mode: 'frozen' } })
    const { url } = await mock.listen()
    await traffic(mock, url + path, headers)
    const trace = decodeTrace(mock.find(path === '/w/default' ? 'default' : 'p')?.journal.export('trace') ?? '')
    const { verdicts } = judge(trace)
    expect(verdicts.filter(({ outcome }) => outcome === 'violated').map(({ requirement }) => requirement)).toEqual([])
    expect(verdicts.filter(({ outcome }) => outcome === 'upheld').length).toBeGreaterThan(40)
    const { exchanges, notes } = await createRecording(trace)
    expect(exchanges).toHaveLength(8)
    expect(notes.join()).not.toContain('no operation')
  }
})

test('a HAR of the journal fits the schema of the format and is read back by the suite', async () => {
  await using mock = await createMock()
  const { url } = await mock.listen()
  await traffic(mock, url)
  const text = mock.journal.export('har')
  expect(text).not.toContain('acs-demo')
  const schemas: Record<string, object> = createRequire(import.meta.url)('har-schema')
  const ajv = new (Ajv as unknown as typeof Ajv)({ strict: false, validateSchema: false })
  ;(addFormats as unknown as (ajv: Ajv) => void)(ajv)
  ajv.addMetaSchema(createRequire(import.meta.url)('ajv-draft-04/dist/refs/json-schema-draft-04.json'))
  for (const schema of Object.values(schemas)) ajv.addSchema(schema)
  const validate = ajv.getSchema('har.json#')
  expect(validate?.(JSON.parse(text)), JSON.stringify(validate?.errors)).toBe(true)
  expect(harToTrace(text).exchanges).toHaveLength(11)
})

test('a curl line repeats the request in a shell', async () => {
  await using mock = await createMock()
  const { url } = await mock.listen()
  await traffic(mock, url)
  const lines = mock.journal.export('curl', { operation: 'createMessage' })
  const script = lines.replace(/^curl/, 'curl -s')
  const env = { ...process.env, ACS_KEY_PRIMARY: 'acs-demo-primary' }
  const answer = await new Promise<string>((resolve, reject) => {
    execFile('sh', ['-c', script], { env }, (error, stdout) => (error === null ? resolve(stdout) : reject(error)))
  })
  expect(JSON.parse(answer)).toMatchObject({ role: 'user', content: "ä 'quoted' $HOME" })
})

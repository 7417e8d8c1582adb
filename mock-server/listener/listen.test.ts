/** Laws of the listener, over real sockets. */
import { connect } from 'node:net'
import { expect, test, vi } from 'vitest'
import { mockClient } from '../../test/support/mock-client.ts'
import { createMock, type Mock } from '../mock.ts'
import { arrivingBodies } from '../streams/stalled-streams.ts'

const key = { 'api-key': 'acs-demo-primary' }

/** Sends raw bytes and reads until the mock closes or `until` is seen. */
function raw(port: number, bytes: string | readonly string[], until?: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    let read = ''
    socket.setEncoding('latin1')
    socket.on('data', (piece) => {
      read += piece
      if (until !== undefined && read.includes(until)) socket.destroy()
    })
    socket.on('close', () => resolve(read))
    socket.on('error', (cause: NodeJS.ErrnoException) => (read === '' ? reject(cause) : resolve(read)))
    for (const piece of typeof bytes === 'string' ? [bytes] : bytes) socket.write(piece, 'latin1')
  })
}

async function script(mock: Mock, base: string): Promise<string> {
  const parts: string[] = []
  const call = async (path: string, init: RequestInit = {}) => {
    const request = new Request(base + path, { ...init, headers: { ...key, ...init.headers } })
    const response = base === 'http://acs.mock' ? await mock.fetch(request) : await fetch(request)
    const text = await response.text()
    parts.push(
      `${response.status} ${response.headers.get('content-type')} ${response.headers.get('x-acs-reason')} ${text}`,
    )
    return text
  }
  const post = (body: unknown): RequestInit => ({ method: 'POST', body: JSON.stringify(body) })
  const { id } = JSON.parse(await call('/v1/threads', post({})))
  for (const content of ['ä\u{1f600}', '\ud800', 'x'.repeat(70_000), '']) {
    await call(`/v1/threads/${id}/messages`, post({ role: 'user', content }))
  }
  await call(`/v1/threads/${id}/run/stream`, post({}))
  await call(`/v1/threads/${id}/messages?limit=3`)
  const assistant_id = mockClient(mock.main, mock).assistant('Legal assistant')
  const messages = [{ role: 'user', content: 'x' }]
  await call('/v1/chat/completions/events/stream', post({ assistant_id, messages, user_data: { licence: 'l' } }))
  await call('/v1/chat/completions', post({ assistant_id, messages: [{}] }))
  await call('/v1/assistants', { method: 'DELETE' })
  await call('/v1/nowhere', { method: 'POST', body: '{' })
  return parts.join('\n')
}

test('the socket and mock.fetch give the same bytes', async () => {
  const clock = { mode: 'frozen' } as const
  await using first = await createMock({ clock })
  await using second = await createMock({ clock })
  const { url } = await second.listen()
  expect(await script(second, url)).toBe(await script(first, 'http://acs.mock'))
})

test('a browser may call: preflight, and headers on every answer, errors included', async () => {
  await using mock = await createMock()
  const { url } = await mock.listen()
  const asked = { origin: 'http://app.test', 'access-control-request-method': 'POST' }
  const headers = { ...asked, 'access-control-request-headers': 'api-key,user-id,content-type' }
  const preflight = await fetch(`${url}/v1/threads`, { method: 'OPTIONS', headers })
  expect(preflight.status).toBe(204)
  expect(preflight.headers.get('access-control-allow-headers')).toBe('api-key,user-id,content-type')
  expect(preflight.headers.get('access-control-allow-methods')).toContain('PUT')
  for (const path of ['/v1/assistants', '/v1/nowhere', '/%zz']) {
    const answer = await fetch(url + path, { headers: { origin: 'http://app.test' } })
    expect([path, answer.headers.get('access-control-allow-origin')]).toEqual([path, '*'])
    expect(answer.headers.get('access-control-expose-headers')).toContain('x-acs-reason')
    expect(answer.headers.get('access-control-expose-headers')).toContain('x-acs-recording')
  }
})

test('the first chunk is on the wire before the second exists, each line an HTTP chunk of its own', async () => {
  await using mock = await createMock({ clock: { mode: 'stepped' } })
  const { url, port } = await mock.listen()
  const assistant_id = mockClient(mock.main, mock).assistant('Slow echo')
  const body = JSON.stringify({ assistant_id, messages: [{ role: 'user', content: 'one two three four five six' }] })
  const response = await fetch(`${url}/v1/chat/completions/stream`, { method: 'POST', headers: key, body })
  const reader = (response.body ?? new ReadableStream()).getReader()
  let lines = 0
  while (mock.clock.advanceToNext()) {
    const { value } = await reader.read()
    expect(Buffer.from(value).toString()).toMatch(/^\{[^\n]*\}\n$/)
    lines += 1
  }
  expect(lines).toBeGreaterThan(1)
  expect((await reader.read()).done).toBe(true)
  expect(await raw(port, 'GET /v1/assistants HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n')).toContain('401')
})

test('a client that hangs up ends the work', async () => {
  await using mock = await createMock({ clock: { mode: 'stepped' } })
  const { url } = await mock.listen()
  const assistant_id = mockClient(mock.main, mock).assistant('Slow echo')
  const body = JSON.stringify({ assistant_id, messages: [{ role: 'user', content: 'one two three four five six' }] })
  const abort = new AbortController()
  const init = { method: 'POST', headers: key, body, signal: abort.signal }
  const response = await fetch(`${url}/v1/chat/completions/stream`, init)
  mock.clock.advanceToNext()
  await (response.body ?? new ReadableStream()).getReader().read()
  abort.abort()
  const [entry] = await mock.journal.wait({ operation: 'streamChatCompletion' })
  expect([entry?.outcome, entry?.chunkTimesUs.length]).toEqual(['left', 1])
  expect(mock.clock.advanceToNext()).toBe(false)
})

test('what is no HTTP gets the error body of the contract and the end of the connection', async () => {
  await using mock = await createMock()
  const { port } = await mock.listen()
  const lines = [
    'nonsense\r\n\r\n',
    'GET / HTTP/9.9\r\n\r\n',
    'FOO / HTTP/1.1\r\nhost: x\r\n\r\n',
    'GET /v1/assistants HTTP/1.1\r\nhost: x\r\nbad header\r\n\r\n',
    'POST /v1/threads HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\n{}',
    'POST /v1/threads HTTP/1.1\r\nhost: x\r\ncontent-length: -1\r\n\r\n',
    'POST /v1/threads HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n',
    `GET /v1/assistants HTTP/1.1\r\nhost: x\r\napi-key: ${'a'.repeat(70_000)}\r\n\r\n`,
    `GET /${'a'.repeat(100_000)} HTTP/1.1\r\nhost: x\r\n\r\n`,
  ]
  for (const line of lines) {
    const answer = await raw(port, line)
    expect(answer, line.slice(0, 60)).toMatch(/^HTTP\/1\.1 400 /)
    expect(answer).toContain('{"error_code":"bad_request","detail":"Bad request"}')
  }
  const ended = await raw(port, 'GET /v1/assistants HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n')
  expect(ended).toMatch(/^HTTP\/1\.1 401 /)
})

test('unusual but well-formed requests are answered by the contract', async () => {
  await using mock = await createMock()
  const { port } = await mock.listen()
  const ask = (line: string, more = '') => raw(port, `${line}\r\nhost: x\r\nconnection: close\r\n${more}\r\n`)
  expect(await ask('GET http://elsewhere.test/v1/nowhere HTTP/1.1')).toContain('resource_not_found')
  expect(await ask('PROPFIND /v1/assistants HTTP/1.1')).toContain('method_not_allowed')
  expect(await ask('GET * HTTP/1.1')).toContain('resource_not_found')
  expect(await ask('OPTIONS * HTTP/1.1')).toMatch(/^HTTP\/1\.1 204 /)
  expect(
    await ask(
      'GET /v1/files/signed-url?filename=a.txt HTTP/1.1',
      `api-key: acs-demo-primary\r\nuser-id: ${'u'.repeat(20_000)}\r\n`,
    ),
  ).toContain('string_too_long')
  expect(
    await ask('GET /v1/assistants HTTP/1.1', 'api-key: acs-demo-primary\r\napi-key: acs-demo-primary\r\n'),
  ).toContain('unauthorized')
  expect(
    await ask('POST /v1/threads HTTP/1.1', 'api-key: acs-demo-primary\r\ncontent-type: ;;;\r\ncontent-length: 0\r\n'),
  ).toContain('201 Created')
})

test('a stream to a client of HTTP/1.0 has no chunk framing', async () => {
  await using mock = await createMock()
  const { port } = await mock.listen()
  const assistant_id = mockClient(mock.main, mock).assistant('Echo')
  const body = JSON.stringify({ assistant_id, messages: [{ role: 'user', content: 'old' }] })
  const head = `POST /v1/chat/completions/stream HTTP/1.0\r\nhost: x\r\napi-key: acs-demo-primary\r\ncontent-length: ${body.length}\r\n\r\n`
  const answer = await raw(port, head + body)
  const [, payload] = answer.split('\r\n\r\n')
  const lines = (payload ?? '').trimEnd().split('\n')
  expect(lines.map((line) => JSON.parse(line).delta.content).join('')).toBe('You said: old')
})

test('a body over the limit is refused and the connection goes on', async () => {
  await using mock = await createMock()
  const { url } = await mock.listen()
  const post = (body: string | ReadableStream) =>
    fetch(`${url}/v1/threads`, { method: 'POST', headers: key, body, duplex: 'half' } as RequestInit)
  expect(await (await post('x'.repeat(2_000_000))).json()).toMatchObject({
    error_code: 'validation_error',
    detail: [{ type: 'too_long' }],
  })
  const chunked = new Blob(['x'.repeat(2_000_000)]).stream()
  expect((await post(chunked)).headers.get('x-acs-reason')).toBe('body-too-large')
  expect((await post('{}')).status).toBe(201)
})

test('a body over the limit of the admin API is refused as that, and the connection goes on', async () => {
  await using mock = await createMock()
  const { url } = await mock.listen()
  const create = (body: string) => fetch(`${url}/_acs/worlds`, { method: 'POST', body })
  const refused = await create(JSON.stringify({ name: 'x'.repeat(17 * 2 ** 20) }))
  expect([refused.status, refused.headers.get('x-acs-reason')]).toEqual([400, 'admin-body-too-large'])
  expect(await refused.json()).toMatchObject({
    error_code: 'bad_request',
    detail: expect.stringContaining('larger than 16777216 bytes'),
  })
  expect((await create('{"name":"small"}')).status).toBe(200)
})

test('an upload over the limit is refused while it is still coming in', async () => {
  await using mock = await createMock()
  const { url } = await mock.listen()
  const granted = await fetch(`${url}/v1/files/signed-url?filename=a.txt`, { headers: { ...key, 'user-id': 'u' } })
  const { file_url } = (await granted.json()) as { file_url: string }
  expect(file_url.startsWith(`${url}/v1/uploads/`)).toBe(true)
  const put = (bytes: number) =>
    fetch(file_url, { method: 'PUT', body: Buffer.alloc(bytes), headers: { 'content-type': 'text/csv' } })
  const refused = await put(10_485_761)
  expect(refused.headers.get('x-acs-reason')).toBe('file-too-large')
  expect((await put(10_485_760)).status).toBe(200)
})

test('pages asked for in one breath, and read late, are each their own thread', async () => {
  await using mock = await createMock()
  const { port } = await mock.listen()
  const threads = ['a', 'b', 'c'].map((letter) => {
    const messages = Array.from({ length: 100 }, () => ({ role: 'user', content: letter.repeat(300) }) as const)
    return { letter, id: mock.main.seedThread({ messages }).id }
  })
  const asked = Array.from({ length: 60 }, (_, index) => threads[index % 3] ?? { letter: '', id: '' })
  const lines = asked.map(({ id }, index) => {
    const end = index === 59 ? 'connection: close\r\n' : ''
    return `GET /v1/threads/${id}/messages HTTP/1.1\r\nhost: x\r\napi-key: acs-demo-primary\r\n${end}\r\n`
  })
  const answers = (await raw(port, lines.join(''))).split('HTTP/1.1 200 OK').slice(1)
  expect(answers).toHaveLength(60)
  for (const [index, answer] of answers.entries()) {
    const { items } = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))
    const contents = new Set(items.map((item: { content: string }) => item.content))
    expect([...contents]).toEqual([asked[index]?.letter.repeat(300)])
  }
})

test('a client that sends too slowly is told so and cut off', async () => {
  await using mock = await createMock()
  const { port } = await mock.listen({ requestTimeoutMs: 50 })
  const head = 'POST /v1/threads HTTP/1.1\r\nhost: x\r\napi-key: acs-demo-primary\r\ncontent-length: 100\r\n\r\n{"a"'
  const [slowBody, slowHead] = await Promise.all([raw(port, head), raw(port, 'GET /v1/assistants HTTP/1.1\r\nho')])
  for (const answer of [slowBody, slowHead]) {
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    expect(answer).toContain('x-acs-reason: request-too-slow')
  }
})

test('close ends what runs, and a port in use is a clear failure', async () => {
  await using mock = await createMock({ clock: { mode: 'stepped' } })
  const listener = await mock.listen({ graceMs: 10 })
  await expect(mock.listen({ port: listener.port })).rejects.toThrow(/EADDRINUSE/)
  const assistant_id = mockClient(mock.main, mock).assistant('Slow echo')
  const body = JSON.stringify({ assistant_id, messages: [{ role: 'user', content: 'hi' }] })
  const response = await fetch(`${listener.url}/v1/chat/completions/stream`, { method: 'POST', headers: key, body })
  const text = response.text()
  text.catch(() => {})
  await listener.close()
  await expect(text).rejects.toThrow()
  await expect(fetch(`${listener.url}/v1/assistants`)).rejects.toThrow()
})

test('a client that leaves a journal wait ends it', async () => {
  await using mock = await createMock()
  const { url } = await mock.listen()
  const abort = new AbortController()
  const path = '/_acs/worlds/default/journal/wait?status=418&timeout_ms=120000'
  const answer = fetch(url + path, { signal: abort.signal })
  answer.catch(() => {})
  while (!mock.journal.isAwaited()) await new Promise((resolve) => setImmediate(resolve))
  abort.abort()
  while (mock.journal.isAwaited()) await new Promise((resolve) => setImmediate(resolve))
  await expect(answer).rejects.toThrow()
})

test('a client that hangs up ends a pause that holds a whole page back', async () => {
  await using mock = await createMock({ clock: { mode: 'stepped' } })
  const { url } = await mock.listen()
  const abort = new AbortController()
  const headers = { ...key, 'x-acs-fault': 'stall:3600000' }
  const answer = fetch(`${url}/v1/assistants`, { headers, signal: abort.signal })
  answer.catch(() => {})
  await mock.journal.wait({ operation: 'listAssistants' })
  const [entry] = mock.journal.query()
  expect(entry?.injected[0]?.state).toBe('applied')
  abort.abort()
  await expect(answer).rejects.toThrow()
  const stopped = await fetch(`${url}/v1/nowhere`)
  expect(stopped.status).toBe(404)
  expect(mock.clock.advanceToNext()).toBe(false)
})

test('a request that HTTP or the mock cannot take is refused in the words of the contract', async () => {
  await using mock = await createMock()
  const { port } = await mock.listen()
  const post = 'POST /v1/threads HTTP/1.1\r\napi-key: acs-demo-primary\r\nconnection: close\r\n'
  const refused = async (lines: string, body: string) => {
    const answer = await raw(port, `${post}${lines}\r\n\r\n${body}`)
    const [head = '', json = ''] = answer.split('\r\n\r\n')
    return [head.slice(9, 12), /x-acs-reason: (\S+)/.exec(head)?.[1], JSON.parse(json).error_code]
  }
  const length = 'content-length: 2'
  const chunks = '2\r\n{}\r\n0\r\n\r\n'
  const coding = ['400', 'unknown-coding', 'bad_request']
  expect(await refused(length, '{}')).toEqual(['400', 'no-host-header', 'bad_request'])
  expect(await refused(`host: x\r\nexpect: more\r\n${length}`, '{}')).toEqual([
    '417',
    'unknown-expectation',
    'bad_request',
  ])
  expect(await refused(`host: x\r\ncontent-encoding: gzip\r\n${length}`, '{}')).toEqual(coding)
  expect(await refused('host: x\r\ntransfer-encoding: gzip, chunked', chunks)).toEqual(coding)
  expect(await raw(port, `${post}host: x\r\ntransfer-encoding: chunked\r\n\r\n${chunks}`)).toContain('201 Created')
  expect(await raw(port, `${post}host: x\r\ncontent-encoding: identity\r\n${length}\r\n\r\n{}`)).toContain('201')
  expect(mock.journal.query({ reason: 'unknown-coding' })).toHaveLength(2)
})

test('an upload URL has the host and the scheme that a proxy in front names', async () => {
  await using mock = await createMock()
  const { url } = await mock.listen()
  const grant = async (headers: Record<string, string>) => {
    const answer = await fetch(`${url}/v1/files/signed-url?filename=a.txt`, {
      headers: { ...key, 'user-id': 'u', ...headers },
    })
    const { file_url: fileUrl } = (await answer.json()) as { file_url: string }
    return new URL(fileUrl).origin
  }
  expect(await grant({ 'x-forwarded-host': 'acs.example, inner', 'x-forwarded-proto': 'https' })).toBe(
    'https://acs.example',
  )
  expect(await grant({ 'x-forwarded-host': 'no host/', 'x-forwarded-proto': 'ftp' })).toMatch(/^http:\/\/127\.0\.0\.1:/)
})

test('one origin may call with credentials, when it is named', async () => {
  await using mock = await createMock()
  const { url } = await mock.listen({ corsOrigin: 'http://localhost:5173' })
  const answer = await fetch(`${url}/v1/assistants`, { headers: key })
  expect(answer.headers.get('access-control-allow-origin')).toBe('http://localhost:5173')
  expect(answer.headers.get('access-control-allow-credentials')).toBe('true')
  const asked = await fetch(`${url}/v1/assistants`, {
    method: 'OPTIONS',
    headers: { origin: 'http://localhost:5173', 'access-control-request-method': 'GET' },
  })
  expect(asked.headers.get('access-control-allow-credentials')).toBe('true')
})

test('of several named origins each may call, and another one is told none', async () => {
  await using mock = await createMock()
  const named = ['http://localhost:5173', 'http://localhost:6006']
  const { url } = await mock.listen({ corsOrigin: named })
  for (const method of ['GET', 'OPTIONS']) {
    for (const origin of [...named, 'http://other.example']) {
      const asking = { ...key, origin, 'access-control-request-method': 'GET' }
      const { headers } = await fetch(`${url}/v1/assistants`, { method, headers: asking })
      expect(headers.get('access-control-allow-origin')).toBe(named.includes(origin) ? origin : null)
      expect(headers.get('vary')).toMatch(/^origin\b/i)
    }
  }
  await expect(mock.listen({ corsOrigin: [] })).rejects.toThrow('corsOrigin must name an origin')
})

test('the admin API refuses whoever is not let in before the body has come', async () => {
  await using mock = await createMock()
  const { port } = await mock.listen()
  const head = 'POST /_acs/worlds HTTP/1.1\r\nhost: other.example\r\ncontent-length: 16000000\r\n\r\n'
  expect(await raw(port, head, 'admin-not-allowed')).toContain('401')
})

test('bodies on their way count until they are whole, and those that wait longest are broken off beyond the limit', async () => {
  await using mock = await createMock()
  const { port } = await mock.listen()
  const head = 'POST /v1/threads HTTP/1.1\r\nhost: x\r\ncontent-length: 200000\r\n\r\n'
  const left = connect(port, '127.0.0.1').on('error', () => {})
  left.write(head + 'x'.repeat(100_000))
  await vi.waitFor(() => expect(arrivingBodies.bytes()).toBe(100_000))
  left.destroy()
  await vi.waitFor(() => expect(arrivingBodies.bytes()).toBe(0))
  const waits = raw(port, head + 'x'.repeat(100_000)).catch(() => '')
  await vi.waitFor(() => expect(arrivingBodies.bytes()).toBe(100_000))
  const other = {}
  arrivingBodies.note(other, { bytes: 536_870_000, breakOff: () => {} })
  expect(await waits).toBe('')
  arrivingBodies.drop(other)
  expect(await raw(port, `${head}${'x'.repeat(200_000)}`, '\r\n\r\n')).toContain('HTTP/1.1 4')
  expect(arrivingBodies.bytes()).toBe(0)
})

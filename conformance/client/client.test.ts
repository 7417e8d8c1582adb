/** What the client records is what went over the wire, and an ending says what happened. */
import { Buffer } from 'node:buffer'
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { rawServer, respond } from '../../test/hostile-target/raw-server.ts'
import { recordingClient } from '../../test/hostile-target/recording-client.ts'
import { bytesOf, textOfPieces } from '../trace/bytes.ts'
import type { Exchange } from '../trace/exchange.ts'
import { encodeRecord } from '../trace/trace.ts'

const answer = (body: string | Uint8Array, headers = '', status = '200 OK'): Uint8Array =>
  Buffer.concat([
    Buffer.from(`HTTP/1.1 ${status}\r\n${headers}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n`),
    Buffer.from(body),
  ])
const get = { method: 'GET', path: '/v1/assistants', credential: 'primary', operation: null, intent: null } as const
const post = { ...get, method: 'POST', path: '/v1/threads/x/messages' } as const

test('the recorded request is the bytes of the wire, key and repeated headers included', async () => {
  await using server = await rawServer(respond(answer('{}')))
  const { client, pseudonyms } = recordingClient(server.url)
  await using _ = client
  const exchange = await client.send({
    ...post,
    path: '/v1/a%20b//../%C3%BC?x=1',
    headers: [
      ['X-Twice', 'a'],
      ['x-twice', 'b'],
    ],
    body: '{"é":1}',
  })
  const { method, url, headers, body } = exchange.request
  const target = url.slice(server.url.length)
  const lines = headers.map(([name, value]) => `${name}: ${value}`).join('\r\n')
  const text = body === null ? '' : Buffer.from(bytesOf(body)).toString('latin1')
  const wire = server.received().replace('key-of-primary-1', pseudonyms.of('key-of-primary-1'))
  expect(`${method} ${target} HTTP/1.1\r\n${lines}\r\n\r\n${text}`).toBe(wire)
  expect(exchange.credential).toBe('primary')
})

test('of a file that is sent for its size the trace keeps the beginning, the wire gets all', async () => {
  await using server = await rawServer(respond(answer('{}')))
  const { client } = recordingClient(server.url)
  await using _ = client
  const put = { ...get, method: 'PUT', path: '/upload', headers: [['content-type', 'text/plain']] } as const
  const { request } = await client.send({ ...put, body: 'a'.repeat(1_500_001) })
  expect(request).toMatchObject({ body: { utf8: 'a'.repeat(65_536) }, omittedBytes: 1_434_465 })
  expect(request.headers).toContainEqual(['content-length', '1500001'])
  const whole = await client.send({ ...put, body: 'a'.repeat(1_500_000) })
  expect(whole.request.omittedBytes).toBeUndefined()
  const json = await client.send({ ...post, body: JSON.stringify('a'.repeat(1_500_001)) })
  expect(json.request.omittedBytes).toBeUndefined()
})

test('nothing on the wire tells the suite from another caller', async () => {
  await using server = await rawServer(respond(answer('{}')))
  const { client } = recordingClient(server.url)
  await using _ = client
  await client.send({ ...post, body: '{}' })
  expect(
    server
      .received()
      .replace(/^host: .*\r\n/m, '')
      .replaceAll('\r\n', '\n'),
  ).toMatchInlineSnapshot(`
    "POST /v1/threads/x/messages HTTP/1.1
    connection: keep-alive
    user-agent: node
    accept: */*
    api-key: key-of-primary-1
    content-type: application/json
    content-length: 2
    
    {}"
  `)
})

test('repeated response headers stay apart and keep their case', async () => {
  await using server = await rawServer(respond(answer('{}', 'X-A: 1\r\nx-a: 2\r\n')))
  const { client } = recordingClient(server.url)
  await using _ = client
  const { response } = await client.send(get)
  expect(response?.headers.slice(0, 2)).toEqual([
    ['X-A', '1'],
    ['x-a', '2'],
  ])
})

test.each(['204 No Content', '304 Not Modified'])('%s ends at its head, whatever length it states', async (status) => {
  await using server = await rawServer(respond(Buffer.from(`HTTP/1.1 ${status}\r\nContent-Length: 50\r\n\r\n`)))
  const { client } = recordingClient(server.url)
  await using _ = client
  const upload = { ...get, method: 'PUT', path: '/upload', body: 'a'.repeat(70_000) } as const
  for (const request of [get, upload, get]) {
    const { ending, response } = await client.send(request)
    expect([ending, String(response?.status)]).toEqual(['complete', status.slice(0, 3)])
  }
})

test('ids count in the order of sending, retries and redirects included', async () => {
  await using server = await rawServer((socket, _, count) => {
    socket.write(
      count === 1 ? answer('', 'Location: /v2/assistants\r\n', '307 Temporary Redirect') : answer('{"ok":1}'),
    )
  })
  const { client, seen } = recordingClient(server.url)
  await using _ = client
  const last = await client.send(get)
  expect(seen.map(({ id, request, response }) => [id, request.url.slice(server.url.length), response?.status])).toEqual(
    [
      ['E1', '/v1/assistants', 307],
      ['E2', '/v2/assistants', 200],
    ],
  )
  expect(last.id).toBe('E2')
})

test.each([
  ['origin', 'http://127.0.0.1:1/v1/assistants'],
  ['resource', '/login?next=/v1/assistants'],
])('a redirect to another %s is an answer and not followed', async (_name, location) => {
  await using server = await rawServer(respond(answer('', `Location: ${location}\r\n`, '302 Found')))
  const { client, seen } = recordingClient(server.url)
  await using _ = client
  expect((await client.send(get)).response?.status).toBe(302)
  expect(seen).toHaveLength(1)
})

test.each([
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  ['deflate', deflateRawSync],
  ['br', brotliCompressSync],
])('a %s body is recorded as what it stands for', async (coding, compress) => {
  const body = '{"content":"läuft"}\n'.repeat(500)
  await using server = await rawServer(respond(answer(compress(body), `Content-Encoding: ${coding}\r\n`)))
  const { client } = recordingClient(server.url)
  await using _ = client
  const { response, ending } = await client.send(get)
  expect(ending).toBe('complete')
  expect(textOfPieces(response?.pieces ?? [])).toBe(body)
})

test('a gzip body that breaks off is cut, and what could be read stays', async () => {
  const half = gzipSync('x'.repeat(100_000)).subarray(0, 100)
  await using server = await rawServer(respond(answer(half, 'Content-Encoding: gzip\r\n')))
  const { client } = recordingClient(server.url)
  await using _ = client
  const { ending, failure } = await client.send({ ...get, retry: 'none' })
  expect(ending).toBe('cut')
  expect(failure).toContain('gzip')
})

test('the suite may leave in the middle of a stream', async () => {
  await using server = await rawServer((socket) => {
    socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n{}\n\r\n')
  })
  const { client } = recordingClient(server.url)
  await using _ = client
  const { ending, response } = await client.send({ ...get, abortAfterPieces: 1 })
  expect([ending, response?.pieces.length]).toEqual(['aborted', 1])
})

test('the suite may leave before the answer, and the server still gets the whole request', async () => {
  let arrive = (): void => undefined
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve
  })
  await using server = await rawServer((socket) => {
    arrive()
    socket.write(answer('{}'))
  })
  const { client } = recordingClient(server.url)
  await using _ = client
  const { ending, response } = await client.send({ ...post, body: '{"a":1}', leavesAtOnce: true })
  await arrived
  expect([ending, response]).toEqual(['aborted', null])
  expect(server.received()).toContain('{"a":1}')
})

test('a rate limit is waited for as Retry-After says, and every attempt is an exchange', async () => {
  const limited = answer(
    '{"error_code":"rate_limit_gateway","detail":"Rate limit exceeded"}',
    'Retry-After: 0\r\n',
    '429 x',
  )
  await using server = await rawServer((socket, _, count) => void socket.write(count < 3 ? limited : answer('[]')))
  const { client, seen } = recordingClient(server.url)
  await using _ = client
  expect((await client.send(get)).response?.status).toBe(200)
  expect(seen.map(({ response }) => response?.status)).toEqual([429, 429, 200])
})

test('attempts after bad weather end with the budget, and the last answer stays', async () => {
  const away = answer('{"error_code":"internal_service_error","detail":"x"}', '', '503 x')
  await using server = await rawServer(respond(away))
  const { client, seen } = recordingClient(server.url, { meter: { maxExchanges: 2 } })
  await using _ = client
  expect((await client.send(get)).response?.status).toBe(503)
  expect(seen).toHaveLength(2)
  await expect(client.send(get)).rejects.toThrow('the cap of 2 is reached')
})

test.each([
  ['a connection that breaks once', 1, [undefined, 200]],
  ['one that always breaks, as the answer to malformed bytes may', 9, [undefined, undefined]],
])('a raw request is sent once more after %s', async (_, broken, statuses) => {
  await using server = await rawServer((socket, _request, count) => {
    if (count <= broken) socket.destroy()
    else socket.end(answer('{}'))
  })
  const { client, seen } = recordingClient(server.url)
  await using _client = client
  const failed: Exchange[] = []
  await client.sendRaw({ ...get, onFailedAttempt: (exchange) => failed.push(exchange) })
  expect(seen.map(({ response }) => response?.status)).toEqual(statuses)
  expect(failed).toEqual(seen.slice(0, 1))
})

test('a raw request to which nothing comes is left at that', async () => {
  await using server = await rawServer(() => undefined)
  const { client, seen } = recordingClient(server.url, { budget: { timeoutMs: 1 } })
  await using _ = client
  await client.sendRaw(get)
  expect(seen.map(({ ending }) => ending)).toEqual(['timed-out'])
})

test('a completion that is turned down costs no model call, one that is answered does', async () => {
  const invalid = answer('{"error_code":"validation_error","detail":[]}', '', '422 x')
  await using server = await rawServer((socket, _, count) => void socket.write(count === 1 ? invalid : answer('{}')))
  const { client } = recordingClient(server.url)
  await using _ = client
  const completion = { ...post, path: '/v1/chat/completions', body: '{}' }
  await client.send(completion)
  expect(client.cost()).toEqual({ exchanges: 1, modelCalls: 0 })
  await client.send(completion)
  expect(client.cost()).toEqual({ exchanges: 2, modelCalls: 1 })
})

test('a refusal by a code of the contract costs no model call, whatever its status', async () => {
  const refused = ['validation_error', 'assistant_not_available', 'bad_request']
  const unclear = ['internal_service_error', 'api_timeout_error', 'out_of_memory']
  const codes = [...refused, ...unclear]
  await using server = await rawServer((socket, _, count) => {
    socket.write(answer(JSON.stringify({ error_code: codes[count - 1], detail: 'x' }), '', '500 x'))
  })
  const { client } = recordingClient(server.url)
  await using _ = client
  const costs: number[] = []
  for (const _code of codes) {
    await client.send({ ...post, path: '/v1/chat/completions', body: '{}', retry: 'none' })
    costs.push(client.cost().modelCalls)
  }
  expect(costs).toEqual([0, 0, 0, 1, 2, 3])
})

test('a closed client ends what is in flight as aborted and sends nothing more', async () => {
  await using server = await rawServer(() => undefined)
  const { client } = recordingClient(server.url)
  const pending = client.send(get)
  await server.connected()
  await client.close()
  expect((await pending).ending).toBe('aborted')
  await expect(client.send(get)).rejects.toThrow('the client is closed')
})

test('an exchange tells when it went and how late the suite itself was', async () => {
  await using server = await rawServer(respond(answer('{}')))
  const { client } = recordingClient(server.url)
  await using _ = client
  const { sentAtMs, endedAtMs, response, loopLagMs } = await client.send(get)
  const times = [sentAtMs, response?.headAtMs ?? -1, response?.pieces[0]?.atMs ?? -1, endedAtMs]
  expect(times).toEqual([...times].sort((left, right) => left - right))
  expect(loopLagMs).toBeGreaterThanOrEqual(0)
})

test('no secret of the profile reaches the evidence, whatever the target echoes and however it is cut', async () => {
  const secret = 'key-of-primary-1'
  const latin = Buffer.from(secret)
  const spelled = (prefix: string, suffix: string): string =>
    Array.from(secret, (char) => prefix + char.charCodeAt(0).toString(16) + suffix).join('')
  const forms = [
    secret,
    latin.toString('base64'),
    Buffer.from(`basic:${secret}`).toString('base64'),
    latin.toString('hex'),
    spelled('%', ''),
    spelled('\\u00', ''),
    spelled('&#x', ';'),
  ]
  const body = `{"api_key":"${secret}","text":"${forms.join(' ')}"}\n${secret.slice(0, 12)}`
  const head = `HTTP/1.1 200 OK\r\nx-echo: ${secret}\r\nset-cookie: session=${secret}\r\nlocation: /v1?token=${secret}\r\n`
  await using server = await rawServer((socket) => {
    socket.write(`${head}content-length: ${body.length + 10}\r\n\r\n${body.slice(0, 20)}`)
    socket.write(body.slice(20), () => socket.end())
  })
  const { client, seen } = recordingClient(server.url)
  await using _ = client
  await client.send({
    ...post,
    path: `/v1/x?api_key=${secret}`,
    body: JSON.stringify({ content: secret }),
    retry: 'none',
  })
  const evidence = seen.map(encodeRecord).join('') + textOfPieces(seen[0]?.response?.pieces ?? [])
  for (const form of [...forms, secret.slice(0, 8)]) expect(evidence).not.toContain(form)
  expect(textOfPieces(seen[0]?.response?.pieces ?? [])).toHaveLength(body.length)
})

test("a request that HTTP libraries refuse is the caller's mistake here", async () => {
  const { client } = recordingClient('http://127.0.0.1:1')
  await using _ = client
  await expect(client.send({ ...get, headers: [['user-id', 'a\u0001b']] })).rejects.toThrow(TypeError)
  await expect(client.send({ ...get, credential: 'secondary' })).rejects.toThrow('no tenant "secondary"')
})

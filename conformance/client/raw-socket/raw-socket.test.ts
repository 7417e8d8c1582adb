/** What no HTTP client would send goes out byte for byte, and the answer is read however it is framed. */
import { Buffer } from 'node:buffer'
import { expect, test } from 'vitest'
import { rawServer, respond } from '../../../test/hostile-target/raw-server.ts'
import { recordingClient } from '../../../test/hostile-target/recording-client.ts'
import { textOfPieces } from '../../trace/bytes.ts'

const get = { method: 'GET', path: '/v1/files/signed-url', credential: null, operation: null, intent: null } as const
const ok = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}'

test('control bytes, a malformed request line and a wrong length reach the wire and the record', async () => {
  await using server = await rawServer(respond(ok))
  const { client } = recordingClient(server.url)
  await using _ = client
  const { request } = await client.sendRaw({
    ...get,
    requestLine: 'GET /v1/files/signed-url HTTP/9.9',
    headers: [['user-id', 'a\u0000b\u00ff']],
    body: 'xy',
    contentLength: 0,
  })
  const host = new URL(server.url).host
  const head = `host: ${host}\r\nconnection: close\r\nuser-agent: node\r\naccept: */*\r\nuser-id: a\u0000b\u00ff\r\ncontent-length: 0`
  expect(server.received()).toBe(`GET /v1/files/signed-url HTTP/9.9\r\n${head}\r\n\r\nxy`)
  expect(request.line).toBe('GET /v1/files/signed-url HTTP/9.9')
  expect(request.headers.map(([name, value]) => `${name}: ${value}`).join('\r\n')).toBe(head)
})

const framings: readonly (readonly [name: string, bytes: string, expected: readonly [string, number, string]])[] = [
  ['by length', ok, ['complete', 200, '{}']],
  [
    'in chunks',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;x=y\r\n{\r\n1\r\n}\r\n0\r\nT: 1\r\n\r\n',
    ['complete', 200, '{}'],
  ],
  ['up to the end', 'HTTP/1.1 200 OK\r\n\r\n{}', ['complete', 200, '{}']],
  ['after an informational answer', `HTTP/1.1 103 Early\r\nlink: x\r\n\r\n${ok}`, ['complete', 200, '{}']],
  ['without a body', 'HTTP/1.1 204 No Content\r\ncontent-length: 5\r\n\r\n', ['complete', 204, '']],
  ['shorter than its length', 'HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n{}', ['cut', 200, '{}']],
  ['inside a chunk', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\n{}', ['cut', 200, '{}']],
  ['with a chunk of no size', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n', ['cut', 200, '']],
  ['as something else', 'SSH-2.0-OpenSSH\r\n', ['cut', 0, '']],
  ['as nothing', '', ['cut', 0, '']],
]

for (const [name, bytes, expected] of framings)
  test(`an answer that comes ${name} is read for what it is, whole and byte by byte`, async () => {
    await using whole = await rawServer((socket) => void socket.end(bytes))
    await using drip = await rawServer((socket) => {
      socket.setNoDelay(true)
      for (const byte of Buffer.from(bytes)) socket.write(Uint8Array.of(byte))
      socket.end()
    })
    for (const server of [whole, drip]) {
      const { client } = recordingClient(server.url)
      await using _ = client
      const { ending, response } = await client.sendRaw(get)
      expect([ending, response?.status ?? 0, textOfPieces(response?.pieces ?? [])]).toEqual(expected)
    }
  })

test('headers without end are capped', async () => {
  await using server = await rawServer((socket) => void socket.write(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(100_000)}`))
  const { client } = recordingClient(server.url)
  await using _ = client
  expect((await client.sendRaw(get)).ending).toBe('capped')
})

const floods = { 'in one piece': 200_000, 'in few': 21 }
for (const [name, count] of Object.entries(floods))
  test(`a flood of informational answers ${name} ends the exchange and nothing else`, async () => {
    await using server = await rawServer((socket) => void socket.write('HTTP/1.1 100 \r\n\r\n'.repeat(count)))
    const { client } = recordingClient(server.url)
    await using _ = client
    const { ending, failure, response } = await client.sendRaw(get)
    expect([ending, failure, response]).toEqual([
      'cut',
      'more than 20 informational answers before the final one',
      null,
    ])
  })

test('many informational answers come before a final one that counts', async () => {
  await using server = await rawServer((socket) => void socket.end(`${'HTTP/1.1 103 Early\r\n\r\n'.repeat(20)}${ok}`))
  const { client } = recordingClient(server.url)
  await using _ = client
  const { ending, response } = await client.sendRaw(get)
  expect([ending, response?.status]).toEqual(['complete', 200])
})

test('nobody listening is unreachable, in one line', async () => {
  const { client } = recordingClient('http://127.0.0.1:1')
  await using _ = client
  const { ending, failure } = await client.sendRaw(get)
  expect([ending, failure]).toEqual([
    'unreachable',
    expect.stringContaining('nothing listens there (connect ECONNREFUSED'),
  ])
})

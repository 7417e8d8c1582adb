/** The proxy changes no byte and holds nothing back, and what it saw is an exchange like any other. */
import { Buffer } from 'node:buffer'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { type Behaviour, rawServer, respond } from '../../test/hostile-target/raw-server.ts'
import { profileFor } from '../../test/hostile-target/recording-client.ts'
import { createPseudonyms } from '../pseudonyms/pseudonyms.ts'
import { textOfPieces } from '../trace/bytes.ts'
import type { Exchange } from '../trace/exchange.ts'
import { evidenceOfPassed, mostBodyBytes, packPassed, unpackPassed } from './passed-exchange.ts'
import { type WatchOptions, watch } from './watch.ts'

/** Reads from a socket until the text has come. */
const readUntil = async (socket: Socket, text: string): Promise<string> => {
  let received = ''
  for await (const piece of socket.iterator({ destroyOnReturn: false })) {
    received += Buffer.from(piece).toString('latin1')
    if (received.includes(text)) return received
  }
  return received
}

const watching = async (behaviour: Behaviour, changes: Partial<WatchOptions> = {}) => {
  const upstream = await rawServer(behaviour)
  const seen: Exchange[] = []
  const pseudonyms = createPseudonyms({ secrets: ['key-of-primary-1'] })
  const proxy = await watch({
    upstream: `${upstream.url}/base`,
    profile: profileFor(upstream.url),
    onPassed: async (passed) => {
      const { maxBodyBytes } = { maxBodyBytes: mostBodyBytes, ...changes }
      seen.push(await evidenceOfPassed(unpackPassed(packPassed(passed)), { pseudonyms, maxBodyBytes }))
    },
    ...changes,
  })
  const port = Number(new URL(proxy.url).port)
  const open = (request: string): Socket => {
    const socket = connect({ port, host: '127.0.0.1' })
    socket.write(request, 'latin1')
    return socket
  }
  const end = async (): Promise<void> => {
    await proxy.close(0)
    await upstream[Symbol.asyncDispose]()
  }
  return { upstream, proxy, seen, open, pseudonyms, [Symbol.asyncDispose]: end }
}

const ok = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}'
const get = 'GET /v1/assistants?x=%20 HTTP/1.1\r\nhost: front.example\r\n'

test("request lines, repeated headers and their case pass untouched; only the host is the upstream's", async () => {
  const bytes = Buffer.from('HTTP/1.1 200 Fine\r\nX-A: 1\r\nx-a: \u00e9\r\ncontent-length: 2\r\n\r\n{}', 'latin1')
  await using set = await watching(respond(bytes))
  const socket = set.open(`${get}Api-Key: key-of-primary-1\r\nX-B: 1\r\nx-b: \u00e9\r\n\r\n`)
  const answer = await readUntil(socket, '{}')
  expect(set.upstream.received()).toBe(
    `GET /base/v1/assistants?x=%20 HTTP/1.1\r\nhost: ${new URL(set.upstream.url).host}\r\nApi-Key: key-of-primary-1\r\nX-B: 1\r\nx-b: \u00e9\r\n\r\n`,
  )
  expect(answer).toMatch(/^HTTP\/1\.1 200 Fine\r\nX-A: 1\r\nx-a: \u00e9\r\ncontent-length: 2\r\n/)
  socket.destroy()
})

test('a piece reaches the caller before the upstream has said the next one', async () => {
  let upstream: Socket | null = null
  await using set = await watching((socket) => {
    upstream = socket
    socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n6\r\n{"a":1\r\n')
  })
  const socket = set.open(`${get}\r\n`)
  expect(await readUntil(socket, '{"a":1')).not.toContain('}')
  ;(upstream as Socket | null)?.write('2\r\n}\n\r\n0\r\n\r\n')
  await readUntil(socket, '0\r\n\r\n')
  await set.proxy.close(0)
  const [exchange] = set.seen
  expect(exchange?.response?.pieces.map((piece) => textOfPieces([piece]))).toEqual(['{"a":1', '}\n'])
  expect(exchange).toMatchObject({ id: 'E1', ending: 'complete', intent: null, credential: null })
})

test('what was recorded is redacted and decoded, what was passed is neither', async () => {
  const body = gzipSync('{"api_key":"key-of-primary-1"}')
  const head = `HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${body.byteLength}\r\n\r\n`
  await using set = await watching(respond(Buffer.concat([Buffer.from(head), body])))
  const socket = set.open(`POST /v1/x HTTP/1.1\r\nhost: a\r\napi-key: key-of-primary-1\r\ncontent-length: 2\r\n\r\n{}`)
  expect(await readUntil(socket, body.toString('latin1'))).toContain(body.toString('latin1'))
  socket.destroy()
  await set.proxy.close(0)
  const [exchange] = set.seen
  expect(exchange).toMatchObject({ credential: 'primary', request: { body: { utf8: '{}' } } })
  expect(textOfPieces(exchange?.response?.pieces ?? [])).toBe(`{"api_key":"${set.pseudonyms.of('key-of-primary-1')}"}`)
})

test('an upstream that is not there is a 502 for the caller and unreachable in the record', async () => {
  await using set = await watching(respond(ok), { upstream: 'http://127.0.0.1:1' })
  const socket = set.open(`${get}\r\n`)
  expect(await readUntil(socket, '"error"')).toMatch(/^HTTP\/1\.1 502 /)
  socket.destroy()
  await set.proxy.close(0)
  expect(set.seen[0]).toMatchObject({ ending: 'unreachable', response: null })
})

test('an upstream that breaks off is cut for the caller too', async () => {
  await using set = await watching((socket) => {
    socket.end('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{}')
  })
  const socket = set.open(`${get}\r\n`)
  const received = await readUntil(socket, 'never')
  expect(received.endsWith('{}')).toBe(true)
  await set.proxy.close(0)
  expect(set.seen[0]?.ending).toBe('cut')
})

test('a caller that leaves ends the work upstream and is recorded as aborted', async () => {
  let upstreamClosed: Promise<unknown> = Promise.resolve()
  await using set = await watching((socket) => {
    upstreamClosed = once(socket, 'close')
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{}')
  })
  const socket = set.open(`${get}\r\n`)
  await readUntil(socket, '{}')
  socket.destroy()
  await upstreamClosed
  await set.proxy.close(0)
  expect(set.seen[0]).toMatchObject({ ending: 'aborted', response: { status: 200 } })
})

test('a body above the limit passes whole and is recorded as capped', async () => {
  await using set = await watching(respond(`HTTP/1.1 200 OK\r\ncontent-length: 5000\r\n\r\n${'x'.repeat(4999)}y`), {
    maxBodyBytes: 100,
  })
  const socket = set.open(`${get}\r\n`)
  expect(await readUntil(socket, 'y')).toContain('x'.repeat(4999))
  socket.destroy()
  await set.proxy.close(0)
  expect(set.seen[0]?.ending).toBe('capped')
  expect(textOfPieces(set.seen[0]?.response?.pieces ?? [])).toHaveLength(100)
})

test('an upstream that is no URL and a port that is taken are told at the start', async () => {
  await using server = await rawServer(respond(ok))
  const options = { onPassed: () => undefined }
  await expect(watch({ ...options, upstream: 'nowhere' })).rejects.toThrow('not an http(s) URL')
  const port = Number(new URL(server.url).port)
  await expect(watch({ ...options, upstream: server.url, port })).rejects.toThrow('EADDRINUSE')
})

const got = (bytes: string): Behaviour => respond(Buffer.from(bytes, 'latin1'))

test.each([
  ['a status line with a control character', 'HTTP/1.1 200 O\x01K\r\ncontent-length: 2\r\n\r\n{}'],
  ['a trailer beside a length', 'HTTP/1.1 200 OK\r\ntrailer: x\r\ncontent-length: 2\r\n\r\n{}'],
])('%s passes and is recorded', async (_, bytes) => {
  await using set = await watching(got(bytes))
  const socket = set.open(`${get}\r\n`)
  expect(await readUntil(socket, '{}')).toContain('HTTP/1.1 200')
  socket.destroy()
  await set.proxy.close(0)
  expect(set.seen).toMatchObject([{ ending: 'complete', response: { status: 200 } }])
})

test('a request that names a trailer without chunks passes', async () => {
  await using set = await watching(respond(ok))
  const socket = set.open(`${get}trailer: x\r\n\r\n`)
  expect(await readUntil(socket, '{}')).toContain('HTTP/1.1 200')
  socket.destroy()
})

test('a sent body beyond the limit passes, and the evidence says that it is cut', async () => {
  await using set = await watching(respond(ok), { maxBodyBytes: 4 })
  const socket = set.open('POST /v1/x HTTP/1.1\r\nhost: a\r\ncontent-length: 10\r\n\r\n0123456789')
  await readUntil(socket, '{}')
  socket.destroy()
  await set.proxy.close(0)
  expect(set.seen[0]?.request).toMatchObject({ body: { utf8: '0123' }, omittedBytes: 6 })
})

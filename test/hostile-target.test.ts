/**
 * Tests that the client survives a hostile target.
 * An exchange always comes back within its limits, with bounded memory and an ending that says what happened.
 */
import { Buffer } from 'node:buffer'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import type { Ending, Exchange } from '../conformance/trace/exchange.ts'
import { type Behaviour, rawServer } from './hostile-target/raw-server.ts'
import { recordingClient } from './hostile-target/recording-client.ts'

const budget = { timeoutMs: 300, maxBodyBytes: 200_000 }
const get = { method: 'GET', path: '/v1/assistants', credential: 'primary', operation: null, intent: null } as const
const oneAttempt = { ...get, retry: 'none' } as const

/** One exchange by each of the two transports. */
const meet = async (behaviour: Behaviour): Promise<readonly Exchange[]> => {
  await using server = await rawServer(behaviour)
  const { client } = recordingClient(server.url, { budget })
  await using _ = client
  return await Promise.all([client.send(oneAttempt), client.sendRaw(get)])
}

const keptBytes = ({ response }: Exchange): number =>
  (response?.pieces ?? []).reduce(
    (sum, { bytes }) => sum + ('utf8' in bytes ? Buffer.byteLength(bytes.utf8) : bytes.base64.length),
    0,
  )

const head = 'HTTP/1.1 200 OK\r\ncontent-type: application/x-ndjson\r\n'
const chunked = `${head}transfer-encoding: chunked\r\n\r\n`

/** The port of a server that takes any free port. */
const listen = async (server: Server): Promise<number> => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

/** Writes the same bytes as fast as they are taken, until the socket is gone. */
const flood = (socket: Socket, bytes: Uint8Array): void => {
  const more = (): void => {
    while (!socket.destroyed && socket.write(bytes));
  }
  socket.on('drain', more)
  more()
}

const line = Buffer.from(`1000\r\n${'{"delta":{}}\n'.repeat(316).slice(0, 4096)}\r\n`)
const longLine = Buffer.from(`10000\r\n${'x'.repeat(65_536)}\r\n`)
const bomb = gzipSync(Buffer.alloc(50_000_000))

const nasty: readonly (readonly [name: string, behaviour: Behaviour, ending: Ending, failure: RegExp])[] = [
  ['never answers', () => undefined, 'timed-out', /no answer for 0\.3 s/],
  ['answers with a head and no body', (socket) => void socket.write(chunked), 'timed-out', /nothing more for/],
  [
    'streams without end',
    (socket) => {
      socket.write(chunked)
      flood(socket, line)
    },
    'capped',
    /larger than 200000 bytes/,
  ],
  [
    'sends a line of a gigabyte',
    (socket) => {
      socket.write(`${head}content-length: 1073741824\r\n\r\n`)
      flood(socket, longLine)
    },
    'capped',
    /larger than 200000 bytes/,
  ],
  [
    'sends a gzip bomb',
    (socket) => {
      socket.write(`${head}content-encoding: gzip\r\ncontent-length: ${bomb.byteLength}\r\n\r\n`)
      socket.write(bomb)
    },
    'capped',
    /unpacks to more than 200000 bytes/,
  ],
  [
    'sends a megabyte of headers',
    (socket) => void socket.write(`${head}${`x-filler: ${'y'.repeat(1000)}\r\n`.repeat(1000)}\r\n`),
    'capped',
    /headers are larger than/,
  ],
  ['speaks something else', (socket) => void socket.end('SSH-2.0-OpenSSH_9.6\r\n'), 'cut', /not HTTP/],
  ['speaks in random bytes', (socket) => void socket.end(Buffer.from([0, 255, 1, 254, 22, 3, 1])), 'cut', /not HTTP/],
  ['ends without a word', (socket) => void socket.end(), 'cut', /before the answer/],
  ['resets without a word', (socket) => void socket.resetAndDestroy(), 'cut', /before the answer/],
  [
    'promises more than it sends',
    (socket) => void socket.end(`${head}content-length: 100\r\n\r\n{}`),
    'cut',
    /inside the answer/,
  ],
]

for (const [name, behaviour, ending, failure] of nasty)
  test(`a target that ${name} ends as ${ending}`, async () => {
    for (const exchange of await meet(behaviour)) {
      expect([exchange.ending, exchange.failure]).toEqual([ending, expect.stringMatching(failure)])
      expect(keptBytes(exchange)).toBeLessThanOrEqual(300_000)
    }
  })

test('a target that drips one byte at a time is left after the whole time', async () => {
  const exchanges = await meet((socket) => {
    socket.write(chunked)
    const timer = setInterval(() => socket.write('1\r\n{\r\n'), 20)
    socket.on('close', () => clearInterval(timer))
  })
  for (const { ending, failure } of exchanges) expect([ending, failure]).toEqual(['capped', 'not over after 1.2 s'])
})

test('a reset at any position is cut, and what came before it is kept', async () => {
  const answer = `${head}content-length: 40\r\n\r\n${'{"delta":{"content":"abc"}}\n'.padEnd(40, ' ')}`
  const places = Array.from({ length: 14 }, (_, index) => Math.floor((index / 14) * answer.length))
  await using server = await rawServer((socket, _, count) => {
    const place = places[(count - 1) % places.length] ?? 0
    if (place === 0) socket.resetAndDestroy()
    else socket.write(answer.slice(0, place), () => socket.end())
  })
  const { client } = recordingClient(server.url, { budget })
  await using _ = client
  for (const place of places) {
    const { ending, response } = await client.send(oneAttempt)
    const body = (response?.pieces ?? []).map(({ bytes }) => ('utf8' in bytes ? bytes.utf8 : '')).join('')
    expect([place, ending]).toEqual([place, 'cut'])
    expect(answer.slice(0, place).endsWith(body)).toBe(true)
  }
})

test('a redirect loop is followed three times', async () => {
  await using server = await rawServer(
    (socket) => void socket.write('HTTP/1.1 307 x\r\nlocation: /v1/assistants\r\ncontent-length: 0\r\n\r\n'),
  )
  const { client, seen } = recordingClient(server.url, { budget })
  await using _ = client
  expect((await client.send(get)).response?.status).toBe(307)
  expect(seen).toHaveLength(4)
})

test('an answer that comes before the request is complete counts', async () => {
  const server = createTcpServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => socket.end('HTTP/1.1 413 x\r\nconnection: close\r\ncontent-length: 2\r\n\r\n{}'))
  })
  const url = `http://127.0.0.1:${await listen(server)}`
  const { client } = recordingClient(url, { budget })
  const { ending, response } = await client.send({ ...oneAttempt, method: 'POST', body: 'x'.repeat(20_000_000) })
  expect(['complete', 'cut']).toContain(ending)
  expect(ending === 'complete' ? response?.status : response).toBe(ending === 'complete' ? 413 : null)
  await client.close()
  server.close()
})

test('an unrequested answer is not taken for the answer of the next request', async () => {
  const answer = (body: string): string => `HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`
  await using server = await rawServer((socket, _, count) => void socket.write(answer(`a${count}`) + answer('unasked')))
  const { client, seen } = recordingClient(server.url, { budget })
  await using _ = client
  for (let count = 0; count < 3; count += 1) await client.send(oneAttempt)
  const bodies = seen.map(({ response }) => JSON.stringify(response?.pieces ?? null))
  expect(bodies.filter((body) => body.includes('unasked'))).toEqual([])
})

test('a target with an invalid certificate is unreachable, and the reason names the TLS error', async () => {
  const pem = readFileSync(new URL('./fixtures/self-signed.pem', import.meta.url))
  const server = createTlsServer({ key: pem, cert: pem })
  server.on('tlsClientError', () => undefined)
  const url = `https://localhost:${await listen(server)}`
  const { client } = recordingClient(url, { budget })
  for (const exchange of [await client.send(oneAttempt), await client.sendRaw(get)])
    expect([exchange.ending, exchange.failure]).toEqual(['unreachable', expect.stringMatching(/^TLS: .*self.signed/)])
  await client.close()
  server.close()
})

test('TLS spoken to a plain server is unreachable', async () => {
  const plain = createTcpServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))
  })
  const url = `https://127.0.0.1:${await listen(plain)}`
  const { client } = recordingClient(url, { budget })
  expect(await client.send(oneAttempt)).toMatchObject({
    ending: 'unreachable',
    failure: expect.stringMatching(/^TLS: /),
  })
  await client.close()
  plain.close()
})

test('a dead target gets no more attempts than the run allows', async () => {
  const { client, seen } = recordingClient('http://127.0.0.1:1', {
    budget,
    retryPolicy: { firstWaitMs: 0, attemptsInRun: 3 },
  })
  await using _ = client
  for (let count = 0; count < 10; count += 1) expect((await client.send(get)).ending).toBe('unreachable')
  // Ten requests, three repetitions, and those by which the cap grows with the run.
  expect(seen).toHaveLength(15)
})

/** Requests reach a target over TLS with certificates, HTTP/2, compression and a proxy. */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { createSecureServer, type Http2SecureServer } from 'node:http2'
import { createServer as createHttpsServer } from 'node:https'
import { type AddressInfo, connect } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { createGzip, deflateRawSync, deflateSync, constants as zlib } from 'node:zlib'
import { afterEach, expect, test } from 'vitest'
import { minimalProfile } from '../profile/minimal-profile.ts'
import { secretsOf } from '../profile/redact-profile.ts'
import type { TransportProfile } from '../profile/target-profile.ts'
import { createPseudonyms } from '../pseudonyms/pseudonyms.ts'
import { textOfPieces } from '../trace/bytes.ts'
import { type Client, createClient } from './client.ts'
import { createMeter } from './meter.ts'
import { proxyFor } from './route.ts'
import type { SendRequest } from './send-request.ts'

const fixture = (name: string): string => new URL(`../../test/fixtures/tls/${name}`, import.meta.url).pathname
const serverPair = { cert: readFileSync(fixture('server.pem')), key: readFileSync(fixture('server.key')) }
const ca = fixture('ca.pem')
const identity = { clientCert: fixture('client.pem'), clientKey: fixture('client.key') }

const open: (Server | Http2SecureServer)[] = []
afterEach(() => {
  for (const server of open.splice(0)) {
    server.close()
    if ('closeAllConnections' in server) server.closeAllConnections()
  }
})

const portOf = async (server: Server | Http2SecureServer): Promise<number> => {
  open.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

const clientFor = (baseUrl: string, transport: TransportProfile = {}): Client => {
  const profile = {
    ...minimalProfile(baseUrl, { primary: { key: 'key-of-the-tenant-1' } }),
    transport,
    secrets: Object.values(transport.headers ?? {}),
  }
  const pseudonyms = createPseudonyms({ secrets: secretsOf(profile) })
  return createClient({ profile, pseudonyms, meter: createMeter() })
}

const list: SendRequest = {
  method: 'GET',
  path: '/v1/assistants',
  credential: 'primary',
  operation: 'listAssistants',
  intent: null,
  retry: 'none',
}
const raw = { ...list, headers: [] as const }

test('a private authority is trusted only when the profile names it', async () => {
  const port = await portOf(createHttpsServer(serverPair, (_, response) => response.end('[]')))
  await using known = clientFor(`https://localhost:${port}`, { ca })
  await using unknown = clientFor(`https://localhost:${port}`)
  expect((await known.send(list)).response?.status).toBe(200)
  expect((await known.sendRaw(raw)).response?.status).toBe(200)
  expect((await unknown.send(list)).failure).toMatch(/^TLS: /)
})

test('the client certificate is shown to the origin of the base URL and to no other', async () => {
  const shown: boolean[] = []
  const options = { ...serverPair, ca: readFileSync(ca), requestCert: true, rejectUnauthorized: false }
  const note = (request: IncomingMessage): void => void shown.push((request.socket as TLSSocket).authorized)
  const server = createHttpsServer(options, (request, response) => {
    note(request)
    response.end('[]')
  })
  const other = createHttpsServer(options, (request, response) => {
    note(request)
    response.end('[]')
  })
  const own = `https://localhost:${await portOf(server)}`
  await using client = clientFor(own, { ca, ...identity })
  await client.send(list)
  await client.sendRaw(raw)
  await client.send({ ...list, path: `https://localhost:${await portOf(other)}/upload` })
  expect(shown).toEqual([true, true, false])
})

test.each([
  [true, '2.0'],
  [false, '1.1'],
])('with http2 %s a target that speaks both is asked in HTTP/%s', async (http2, version) => {
  const seen: (string | undefined)[] = []
  const server = createSecureServer({ ...serverPair, allowHTTP1: true }, (request, response) => {
    seen.push(request.httpVersion, request.headers['api-key']?.toString(), request.headers['x-two']?.toString())
    response.end('{"a":1}')
  })
  await using client = clientFor(`https://localhost:${await portOf(server)}`, { ca, http2 })
  const headers = [
    ['x-two', '1'],
    ['x-two', '2'],
  ] as const
  const exchange = await client.send({ ...list, method: 'POST', body: '{}', headers })
  expect(exchange).toMatchObject({ ending: 'complete', response: { status: 200 } })
  expect(seen).toEqual([version, 'key-of-the-tenant-1', '1, 2'])
  const bare = await client.sendRaw(raw)
  expect(bare.response?.status).toBe(200)
})

test('a compressed stream keeps the chunks in which it came', async () => {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' })
    const gzip = createGzip({ flush: zlib.Z_SYNC_FLUSH })
    gzip.pipe(response)
    gzip.write('{"n":1}\n')
    gzip.flush(() => setTimeout(() => gzip.end('{"n":2}\n'), 40))
  })
  await using client = clientFor(`http://127.0.0.1:${await portOf(server)}`)
  const { response } = await client.send(list)
  const texts = (response?.pieces ?? []).map((piece) => textOfPieces([piece])).filter((text) => text !== '')
  expect(texts).toEqual(['{"n":1}\n', '{"n":2}\n'])
})

for (const [name, packed] of Object.entries({ wrapped: deflateSync('{"n":1}'), raw: deflateRawSync('{"n":1}') }))
  test(`a deflate body that is ${name} is read although its first piece is one byte`, async () => {
    const server = createServer((_, response) => {
      response.writeHead(200, { 'content-encoding': 'deflate' })
      response.write(packed.subarray(0, 1))
      setTimeout(() => response.end(packed.subarray(1)), 40)
    })
    await using client = clientFor(`http://127.0.0.1:${await portOf(server)}`)
    const { response, ending } = await client.send(list)
    expect([ending, textOfPieces(response?.pieces ?? [])]).toEqual(['complete', '{"n":1}'])
  })

test('headers of the profile go to its origin only, once, and their values are never shown', async () => {
  const seen: (readonly string[])[] = []
  const answer = createServer((request, response) => {
    seen.push(request.rawHeaders)
    response.end('{}')
  })
  const other = createServer((request, response) => {
    seen.push(request.rawHeaders)
    response.end('{}')
  })
  const headers = { 'X-Gateway': 'gate-way-secret' }
  await using client = clientFor(`http://127.0.0.1:${await portOf(answer)}`, { headers, userAgent: 'team/1' })
  const sent = await client.send(list)
  await client.sendRaw(raw)
  await client.send({ ...list, path: `http://127.0.0.1:${await portOf(other)}/x` })
  const valuesOf = (name: string) =>
    seen.map((lines) => lines.filter((_, at) => at % 2 === 1 && lines[at - 1]?.toLowerCase() === name))
  expect(valuesOf('x-gateway')).toEqual([['gate-way-secret'], ['gate-way-secret'], []])
  expect(valuesOf('user-agent')).toEqual([['team/1'], ['team/1'], ['team/1']])
  expect(JSON.stringify(sent)).not.toContain('gate-way-secret')
})

/** A proxy that opens tunnels for whoever has the password. */
const tunnelling = (asked: string[], password = ''): Server =>
  createServer().on('connect', (request: IncomingMessage, socket, head) => {
    asked.push(request.url ?? '')
    const given = Buffer.from(String(request.headers['proxy-authorization'] ?? '').slice(6), 'base64').toString()
    if (password !== '' && given !== `me:${password}`) return socket.end('HTTP/1.1 407 Who?\r\n\r\n')
    const through = connect(Number(request.url?.split(':').at(-1)), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      through.write(head)
      through.pipe(socket).pipe(through)
    })
    return socket.on('error', () => through.destroy())
  })

test('a proxy opens the way for every request, also for one that is written byte for byte', async () => {
  const asked: string[] = []
  const target = await portOf(createHttpsServer(serverPair, (_, response) => response.end('[]')))
  const proxy = await portOf(tunnelling(asked, 'open-sesame'))
  const transport = { ca, proxy: `http://me:open-sesame@127.0.0.1:${proxy}` }
  await using client = clientFor(`https://localhost:${target}`, transport)
  expect((await client.send(list)).response?.status).toBe(200)
  expect((await client.sendRaw(raw)).response?.status).toBe(200)
  expect(asked).toEqual([`localhost:${target}`, `localhost:${target}`])
})

test('a proxy that refuses, or is not there, is named as the reason', async () => {
  const refusing = await portOf(tunnelling([], 'open-sesame'))
  await using refused = clientFor('http://127.0.0.1:9', { proxy: `http://127.0.0.1:${refusing}` })
  expect(await refused.send(list)).toMatchObject({
    ending: 'unreachable',
    failure: expect.stringContaining('the proxy opens no way to it (PROXY_REFUSED: it answers CONNECT with 407'),
  })
  await using gone = clientFor('http://127.0.0.1:9', { proxy: 'http://127.0.0.1:9' })
  expect((await gone.send(list)).failure).toContain('the proxy cannot be reached')
})

test.each([
  ['https://acs.example', {}, { HTTPS_PROXY: 'http://p:1' }, 'http://p:1/'],
  ['https://acs.example', {}, { HTTP_PROXY: 'http://p:1' }, null],
  ['http://acs.example', {}, { http_proxy: 'p:3128' }, 'http://p:3128/'],
  ['https://acs.example', {}, { HTTPS_PROXY: 'http://p:1', NO_PROXY: 'other, .example' }, null],
  ['https://acs.example:8443', {}, { HTTPS_PROXY: 'http://p:1', NO_PROXY: 'acs.example:443' }, 'http://p:1/'],
  ['https://acs.example', {}, { HTTPS_PROXY: 'http://p:1', NO_PROXY: '*' }, null],
  ['https://localhost', {}, { HTTPS_PROXY: 'http://p:1' }, null],
  ['https://acs.example', { proxy: 'direct' }, { HTTPS_PROXY: 'http://p:1' }, null],
  ['https://acs.example', { proxy: 'http://q:2' }, { HTTPS_PROXY: 'http://p:1' }, 'http://q:2/'],
])('%s with the transport %j and %j goes through %s', (url, transport, env, proxy) => {
  expect(proxyFor(new URL(url), transport, env)?.href ?? null).toBe(proxy)
})

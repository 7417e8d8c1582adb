/** Laws of answers that come before the bodies of their requests, over real sockets. */
import { connect } from 'node:net'
import { expect, test, vi } from 'vitest'
import { createMock, type Mock } from '../mock.ts'
import type { RefusedRequest } from './listener.ts'

const key = { 'api-key': 'acs-demo-primary', 'user-id': 'u' }
const megabyte = 1_000_000

/** Sends everything on one connection, as fast as the mock reads, and reads until the mock closes. */
function sent(port: number, pieces: readonly (string | Buffer)[]): Promise<{ text: string; error: string | null }> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    let [text, error]: [string, string | null] = ['', null]
    socket.setEncoding('latin1')
    socket.on('data', (piece) => {
      text += piece
    })
    socket.on('error', (cause: NodeJS.ErrnoException) => {
      error = cause.code ?? cause.message
    })
    socket.on('close', () => resolve({ text, error }))
    for (const piece of pieces) socket.write(piece, 'latin1')
  })
}

async function uploadHead(mock: Mock, more: string): Promise<string> {
  const granted = await mock.fetch('/v1/files/signed-url?filename=a.txt', { headers: key })
  const { file_url: url } = (await granted.json()) as { file_url: string }
  const { pathname, search } = new URL(url)
  return `PUT ${pathname}${search} HTTP/1.1\r\nhost: x\r\ncontent-type: text/csv\r\n${more}\r\n\r\n`
}

const last = 'GET /v1/nowhere HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n'

test('a connection goes on behind a refused upload, whatever its size', async () => {
  await using mock = await createMock()
  const { port } = await mock.listen()
  for (const size of [12 * megabyte, 23 * megabyte, 40 * megabyte]) {
    const head = await uploadHead(mock, `content-length: ${size}`)
    const { text, error } = await sent(port, [head, Buffer.alloc(size), last])
    expect(error).toBeNull()
    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 422', 'HTTP/1.1 404'])
  }
})

test('a client that wants the connection closed reads the refusal of a large body', async () => {
  await using mock = await createMock()
  const { port } = await mock.listen()
  const more = (size: number) => `connection: close\r\ncontent-length: ${size}`
  const size = 30 * megabyte
  const post = `POST /v1/threads HTTP/1.1\r\nhost: x\r\n`
  const heads = [
    [422, `${post}api-key: acs-demo-primary\r\n${more(size)}\r\n\r\n`],
    [401, `${post}api-key: wrong\r\n${more(size)}\r\n\r\n`],
    [422, await uploadHead(mock, more(size))],
    [404, `PUT /v1/nowhere HTTP/1.1\r\nhost: x\r\n${more(size)}\r\n\r\n`],
    [400, `POST /v1/threads HTTP/1.1\r\n${more(size)}\r\n\r\n`],
    [401, `POST /_acs/worlds HTTP/1.1\r\nhost: other.example\r\n${more(size)}\r\n\r\n`],
  ] as const
  for (const [status, head] of heads) {
    const { text, error } = await sent(port, [head, Buffer.alloc(size)])
    expect([text.slice(9, 12), error], head).toEqual([String(status), null])
    expect(text).toContain('"error_code"')
  }
})

test('a client that gives up its body behind the refusal is told nothing more, nor is anybody else', async () => {
  await using mock = await createMock()
  const refused: RefusedRequest[] = []
  const { port } = await mock.listen({ requestTimeoutMs: 400, onRefused: (request) => refused.push(request) })
  const head = 'POST /v1/threads HTTP/1.1\r\nhost: x\r\napi-key: acs-demo-primary\r\ncontent-length: 30000000\r\n\r\n{'
  const left = connect(port, '127.0.0.1')
  left.write(head)
  left.once('data', () => left.end())
  await vi.waitFor(() => expect(left.destroyed).toBe(true))
  const { text } = await sent(port, [head])
  expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 422'])
  expect(refused).toEqual([])
})

test('a body without a declared length is answered with the end of the connection', async () => {
  await using mock = await createMock()
  const { port } = await mock.listen()
  const head = 'POST /v1/threads HTTP/1.1\r\nhost: x\r\napi-key: acs-demo-primary\r\ntransfer-encoding: chunked\r\n\r\n'
  const size = 5 * megabyte
  const { text, error } = await sent(port, [`${head}${size.toString(16)}\r\n`, Buffer.alloc(size), '\r\n0\r\n\r\n'])
  expect(error).toBeNull()
  expect(text).toMatch(/^HTTP\/1\.1 422[\s\S]*\r\nconnection: close\r\n/i)
})

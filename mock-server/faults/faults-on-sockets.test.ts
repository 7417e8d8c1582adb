/** Faults of the transport as a socket sees them: bytes, ends and resets. */
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { mockClient } from '../../test/support/mock-client.ts'
import { createMock } from '../mock.ts'

/** All bytes of a streamed completion, and how the connection ended; the client asks to close after the answer. */
async function wire(fault: string): Promise<{ readonly text: string; readonly ending: string }> {
  await using mock = await createMock({ clock: { mode: 'frozen' } })
  const { port } = await mock.listen()
  const body = JSON.stringify({
    assistant_id: mockClient(mock.main, mock).assistant('Echo'),
    messages: [{ role: 'user', content: 'x'.repeat(80) }],
  })
  const head = [
    'POST /v1/chat/completions/stream HTTP/1.1',
    'host: x',
    'connection: close',
    'api-key: acs-demo-primary',
    `x-acs-fault: ${fault}`,
    `content-length: ${body.length}`,
  ]
  return await new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    let text = ''
    let ending = 'closed'
    socket.setEncoding('latin1')
    socket.on('data', (piece) => {
      text += piece
    })
    socket.on('error', (error: NodeJS.ErrnoException) => {
      ending = error.code ?? 'error'
    })
    socket.on('close', () => resolve({ text, ending }))
    socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
  })
}

const chunksIn = (text: string) => text.match(/"delta"/g)?.length ?? 0

test('a cut closes the connection behind the chunk, without the end of the body', async () => {
  const { text, ending } = await wire('cut-after-chunk:2')
  expect([chunksIn(text), ending, text.endsWith('}\n\r\n')]).toEqual([2, 'closed', true])
})

test('a cut before the first chunk closes the connection right behind the head', async () => {
  const { text, ending } = await wire('cut-after-chunk:0')
  expect([text.split('\r\n')[0], text.endsWith('\r\n\r\n'), chunksIn(text), ending]).toEqual([
    'HTTP/1.1 200 OK',
    true,
    0,
    'closed',
  ])
})

test('a reset is a reset', async () => {
  expect((await wire('reset-before-headers')).ending).toBe('ECONNRESET')
  expect((await wire('reset-before-headers')).text).toBe('')
  expect((await wire('reset-after-chunk:1')).ending).toBe('ECONNRESET')
})

test('a cut inside a line sends the part of it', async () => {
  const { text } = await wire('cut-in-line:chunk=1,at=20')
  expect(text.split('\r\n\r\n')[1]).toBe('14\r\n{"created_at":"2026-\r\n')
})

test('a stream that ends early ends in good order', async () => {
  const { text, ending } = await wire('end-after-chunk:1')
  expect([chunksIn(text), ending, text.endsWith('0\r\n\r\n')]).toEqual([1, 'closed', true])
})

test('the error of a gateway is a page of HTML with a length, and the connection ends in good order', async () => {
  const { text, ending } = await wire('gateway-error:503')
  const [head = '', page = ''] = text.split('\r\n\r\n')
  expect([head.split('\r\n')[0], ending]).toEqual(['HTTP/1.1 503 Service Unavailable', 'closed'])
  expect(head.toLowerCase()).toContain(`content-length: ${page.length}`)
  expect(head.toLowerCase()).toContain('content-type: text/html; charset=utf-8')
  expect(head).not.toMatch(/^x-acs-reason/im)
  expect(page).toMatch(/^<html>\r\n<head><title>503 Service Unavailable<\/title><\/head>\r\n.*<\/html>\r\n$/s)
})

/** Laws of the framing of streams, read off a raw socket. */
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { expect, test } from 'vitest'
import { type ChunkWriter, chunkWriter } from './chunk-writer.ts'

/** What comes over the wire behind the head when `act` writes. */
async function bodyOnWire(act: (writer: ChunkWriter, response: ServerResponse) => void): Promise<string> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'transfer-encoding': 'chunked', connection: 'close' })
    response.chunkedEncoding = false
    act(chunkWriter(response), response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  socket.write('GET / HTTP/1.1\r\nhost: mock\r\n\r\n')
  let text = ''
  for await (const piece of socket) text += String(piece)
  server.close()
  return text.slice(text.indexOf('\r\n\r\n') + 4)
}

test('every write is an HTTP chunk of its own, also within one turn', async () => {
  const body = await bodyOnWire((writer) => {
    writer.write(Buffer.from('one\n'))
    writer.write(Buffer.from('é'.repeat(10)))
    writer.end(Buffer.from('end'))
  })
  expect(body).toBe(`4\r\none\n\r\n14\r\n${'é'.repeat(10)}\r\n3\r\nend\r\n0\r\n\r\n`)
})

test('what is written leaves although nothing follows it in the same turn', async () => {
  const body = await bodyOnWire((writer, response) => {
    writer.write(Buffer.from('x'.repeat(1000)))
    setImmediate(() => {
      expect(response.socket?.bytesWritten).toBeGreaterThan(1000)
      setImmediate(() => writer.end())
    })
  })
  expect(body).toBe(`3e8\r\n${'x'.repeat(1000)}\r\n0\r\n\r\n`)
})

test('a framed line behind the head leaves at once, and a client that does not read it is told about', async () => {
  let leftAtOnce = false
  let written = 0
  const body = await bodyOnWire((writer, response) => {
    setImmediate(() => {
      const before = response.socket?.bytesWritten ?? 0
      const line = Buffer.from(`3e8\r\n${'x'.repeat(1000)}\r\n`)
      do written += 1
      while (writer.writeFramed(line))
      leftAtOnce = (response.socket?.bytesWritten ?? 0) > before + 1000
      writer.whenWritable(() => writer.end())
    })
  })
  expect(leftAtOnce).toBe(true)
  expect(body).toBe(`${`3e8\r\n${'x'.repeat(1000)}\r\n`.repeat(written)}0\r\n\r\n`)
})

test('a stream that is asked for behind another one on the same connection waits for it', async () => {
  const writers: ChunkWriter[] = []
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'transfer-encoding': 'chunked' })
    response.chunkedEncoding = false
    writers.push(chunkWriter(response))
    if (writers.length < 2) return
    setImmediate(() => {
      for (const [index, writer] of [...writers].reverse().entries())
        writer.writeFramed(Buffer.from(`1\r\n${index}\r\n`))
      for (const writer of writers) writer.end()
      setImmediate(() => server.close())
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  socket.write('GET / HTTP/1.1\r\nhost: mock\r\n\r\nGET / HTTP/1.1\r\nhost: mock\r\nconnection: close\r\n\r\n')
  let text = ''
  for await (const piece of socket) text += String(piece)
  expect(text.split('\r\n\r\n').filter((part) => part.startsWith('1\r\n'))).toEqual(['1\r\n1\r\n0', '1\r\n0\r\n0'])
})

test('a client that does not read is told about, and gets all in the end', async () => {
  const line = Buffer.from('x'.repeat(1000))
  let written = 0
  const body = await bodyOnWire((writer) => {
    while (writer.write(line)) written += 1
    writer.whenWritable(() => writer.end())
  })
  expect(written).toBeGreaterThan(10)
  expect(body).toBe(`${`3e8\r\n${line}\r\n`.repeat(written + 1)}0\r\n\r\n`)
})

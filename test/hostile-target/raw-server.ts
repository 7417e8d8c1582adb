/** Serves raw bytes on bare sockets, so that a test controls exactly what the client receives. */
import type { Buffer } from 'node:buffer'
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'

/** Called with each request; `count` is how many there were, this one included. */
export type Behaviour = (socket: Socket, request: string, count: number) => void

interface RawServer extends AsyncDisposable {
  readonly url: string
  /** Everything that was received, Latin-1. */
  readonly received: () => string
  /** When a request has arrived. */
  readonly connected: () => Promise<void>
}

/** Answers every request with the same bytes. */
export const respond =
  (bytes: Uint8Array | string): Behaviour =>
  (socket) =>
    void socket.write(bytes)

/** Serves on a free loopback port; `behaviour` runs once the head of a request and its body are there. */
export const rawServer = async (behaviour: Behaviour): Promise<RawServer> => {
  let received = ''
  let requests = 0
  const sockets = new Set<Socket>()
  let arrived: () => void = () => undefined
  const connected = new Promise<void>((resolve) => {
    arrived = resolve
  })
  const server = createServer((socket) => {
    let open = ''
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => sockets.delete(socket))
    socket.on('data', (piece: Buffer) => {
      received += piece.toString('latin1')
      open += piece.toString('latin1')
      const head = open.indexOf('\r\n\r\n')
      const length = Number(/content-length: (\d+)/i.exec(open)?.[1] ?? 0)
      if (head < 0 || open.length < head + 4 + length) return
      requests += 1
      arrived()
      behaviour(socket, open, requests)
      open = ''
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}`,
    received: () => received,
    connected: () => connected,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

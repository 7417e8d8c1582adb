/** Serves a fetch handler over HTTP on a free port. A handler that throws resets the connection. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FetchHandler } from '../../conformance/index.ts'

interface ServedHandler {
  readonly url: string
  readonly close: () => Promise<void>
}

/** Starts to listen; requests come to the handler with `base` as their origin. */
export async function serveHandler(handler: FetchHandler, base?: string): Promise<ServedHandler> {
  const server = createServer((incoming, outgoing) => {
    answer(handler, base ?? `http://${incoming.headers.host}`, incoming, outgoing).catch(() =>
      incoming.socket.destroy(),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return { url: `http://127.0.0.1:${port}`, close }
}

async function answer(
  handler: FetchHandler,
  base: string,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const pieces: Uint8Array[] = []
  for await (const piece of incoming) pieces.push(piece)
  const { method = 'GET', url = '/', rawHeaders } = incoming
  const headers = new Headers()
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? ''
    if (!/^(?:host|connection|content-length)$/i.test(name)) headers.append(name, rawHeaders[at + 1] ?? '')
  }
  const left = new AbortController()
  outgoing.on('close', () => left.abort())
  const body = pieces.length === 0 ? {} : { body: Buffer.concat(pieces) }
  const response = await handler(new Request(base + url, { method, headers, signal: left.signal, ...body }))
  outgoing.writeHead(response.status, [...response.headers].flat())
  for await (const piece of response.body ?? []) outgoing.write(piece)
  outgoing.end()
}

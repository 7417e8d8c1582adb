/** One request of node:http for the admin API: body read up to a limit, answer written whole, no CORS headers. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Admin } from '../admin/admin.ts'

/** An exported world may be long. */
const longestBodyBytes = 16_777_216

/** Has the admin API answer a request. */
export async function serveAdmin(
  admin: Admin,
  token: string | null,
  request: IncomingMessage,
  target: string,
  response: ServerResponse,
): Promise<void> {
  const pieces: Uint8Array[] = []
  let length = 0
  try {
    for await (const piece of request) {
      length += (piece as Uint8Array).length
      if (length > longestBodyBytes) break
      pieces.push(piece as Uint8Array)
    }
  } catch {
    // The client left before its request was whole.
    return
  }
  const { method = 'GET', headers, socket } = request
  const remoteAddress = socket.remoteAddress ?? ''
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  const answer = await admin.handle(
    { method, target, headers, body: Buffer.concat(pieces), remoteAddress, signal: gone.signal },
    token,
  )
  if (response.destroyed) return
  response.writeHead(answer.status, { ...answer.headers, 'content-length': String(Buffer.byteLength(answer.body)) })
  response.end(answer.body)
}

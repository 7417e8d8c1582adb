/**
 * What is no HTTP at all, or comes too slowly: answered on the bare socket with the contract's error body, then closed.
 */
import type { Socket } from 'node:net'
import { errorBody } from '../http/write-response.ts'
import type { ReasonId } from '../machine/rejection-reasons.ts'

/** Answers a parse error or a timeout of node:http. */
export function refuseMalformed(error: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable) {
    socket.destroy()
    return
  }
  const reason: ReasonId = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'http.too-slow' : 'http.malformed'
  const body = JSON.stringify(errorBody({ reason }))
  const head = [
    'HTTP/1.1 400 Bad Request',
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
    `x-acs-reason: ${reason}`,
    'access-control-allow-origin: *',
    'connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}

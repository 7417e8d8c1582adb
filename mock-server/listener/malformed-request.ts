/** Answers malformed or slow HTTP on the bare socket with the contract's error body, and closes it. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { errorBody } from '../http/write-response.ts'
import { errorCodes } from '../reasons/reason.ts'
import type { ReasonId } from '../reasons/reasons.ts'
import type { RefusedRequest } from './listener.ts'
import { endBehindBody, isAnswered } from './unread-body.ts'

/** Answers a parse error or a timeout of node:http; returns the reason, `null` when the client has disconnected. */
export function refuseMalformed(error: NodeJS.ErrnoException, socket: Socket): RefusedRequest | null {
  if (!socket.writable || isAnswered(socket)) {
    socket.destroy()
    return null
  }
  const reason: ReasonId = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'request-too-slow' : 'malformed-http'
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
  return { reason, status: 400, what: error.code ?? error.message }
}

/** Answers a request that node:http has read but that the engine must not get, and closes the connection. */
export function refuseRequest(
  request: IncomingMessage,
  response: ServerResponse,
  reason: ReasonId,
  status: number = errorCodes.bad_request.status,
): void {
  const body = JSON.stringify(errorBody({ reason }))
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    'x-acs-reason': reason,
    'access-control-allow-origin': '*',
    connection: 'close',
  })
  endBehindBody(request, response, body)
}

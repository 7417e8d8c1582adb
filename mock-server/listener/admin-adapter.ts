/** One request of node:http for the admin API: body read up to a limit, answer written whole. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Admin } from '../admin/admin.ts'
import { denialReason } from '../admin/admin-auth.ts'
import { type AdminResponse, rejectionResponse } from '../admin/admin-request.ts'
import { closingHeader, endBehindBody } from './unread-body.ts'

/** An exported world may be long. */
const longestBodyBytes = 16_777_216

interface AdminAccess {
  /** The token required from callers on other machines. */
  readonly token: string | null
  /** Aborts when the listener closes: waiting and streaming answers then end. */
  readonly closing: AbortSignal
  /** The origins of pages that may call. */
  readonly trustedOrigins: readonly string[]
  /** The headers of every answer. */
  readonly headers: Readonly<Record<string, string>>
}

/** Answers a request with the admin API. */
export async function serveAdmin(
  admin: Admin,
  { token, closing, trustedOrigins, headers: extraHeaders }: AdminAccess,
  request: IncomingMessage,
  target: string,
  response: ServerResponse,
): Promise<void> {
  const { method = 'GET', headers, socket } = request
  const caller = { method, target, headers, remoteAddress: socket.remoteAddress ?? '', trustedOrigins }
  const isAuthorized = denialReason({ ...caller, body: Buffer.alloc(0) }, token) === null
  const pieces: Uint8Array[] = []
  let received = 0
  let refusal: AdminResponse | null = null
  try {
    // Bodies of refused callers are not kept.
    for await (const piece of isAuthorized ? request.iterator({ destroyOnReturn: false }) : []) {
      received += (piece as Uint8Array).length
      if (received > longestBodyBytes) {
        refusal = bodyTooLarge()
        break
      }
      pieces.push(piece as Uint8Array)
    }
  } catch {
    // The client disconnected before its request was complete.
    return
  }
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  const signal = AbortSignal.any([gone.signal, closing])
  const answer = refusal ?? (await admin.handle({ ...caller, body: Buffer.concat(pieces), signal }, token))
  if (response.destroyed) return
  if (typeof answer.body !== 'string') {
    response.writeHead(answer.status, { ...extraHeaders, ...answer.headers })
    await sendPieces(answer.body, response)
    return
  }
  const length = String(Buffer.byteLength(answer.body))
  const ending = closingHeader(request)
  response.writeHead(answer.status, { ...extraHeaders, ...answer.headers, ...ending, 'content-length': length })
  endBehindBody(request, response, answer.body)
}

function bodyTooLarge(): AdminResponse {
  const text = `The body is larger than ${longestBodyBytes} bytes (16 MiB), the limit of the admin API; send less`
  return rejectionResponse({ reason: 'admin-body-too-large' }, text)
}

/** Sends as fast as the client reads; the producer must bound what is buffered. */
async function sendPieces(pieces: AsyncGenerator<string>, response: ServerResponse): Promise<void> {
  for await (const piece of pieces) {
    if (response.destroyed) return
    if (!response.write(piece)) await writable(response)
  }
  response.end()
}

function writable(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      response.off('drain', go)
      response.off('close', go)
      resolve()
    }
    response.on('drain', go)
    response.on('close', go)
  })
}

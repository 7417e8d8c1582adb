/**
 * From replies and rejections to heads and bodies: statuses and error bodies by the reference profile,
 * pages joined from bytes that were made when the messages were stored.
 */
import type { OperationId } from '../../spec/index.ts'
import { type ErrorCode, errorCodes, type Rejection, reasons } from '../machine/rejection-reasons.ts'
import type { Reply } from '../machine/reply.ts'
import { borrowBuffer } from './buffer-pool.ts'
import type { InFlightRequest } from './in-flight-request.ts'
import { sendPieces } from './send-pieces.ts'
import type { ResponseHead, Sink } from './sink.ts'

const jsonType = 'application/json'

/** Media type of a stream. */
export const streamType = 'application/x-ndjson'

/** Sends a JSON reply. */
export function sendReply(
  exchange: InFlightRequest,
  sink: Sink,
  reply: Exclude<Reply, { kind: 'run' | 'rejected' }>,
): void {
  const status = statusOf(exchange.operation)
  const { body: override } = exchange.world.hooks.http
  if (reply.kind === 'uploaded') {
    send(exchange, sink, { status, headers: { 'content-length': '0' } }, noBytes)
    return
  }
  if (reply.kind === 'page' && override === null) {
    sendPage(exchange, sink, status, reply)
    return
  }
  const plain = reply.kind === 'page' ? Buffer.concat(pagePieces(reply)) : bytesOf(reply)
  const bytes = override === null ? plain : jsonBytes(override(JSON.parse(Buffer.from(plain).toString()), exchange))
  send(exchange, sink, jsonHead(status, bytes), bytes)
}

/** A longer page is not joined, and goes out as fast as the client reads: it would be held once for each client. */
const longestWhole = 1_048_576

/** The journal keeps a page in its pieces, which are stored anyway; the whole is joined in a buffer that is used again. */
function sendPage(exchange: InFlightRequest, sink: Sink, status: number, page: PageReply): void {
  const pieces = pagePieces(page)
  let length = 0
  for (const piece of pieces) length += piece.length
  if (length > longestWhole && exchange.injected.length === 0 && exchange.world.hooks.http.payload === null) {
    const headers = { 'content-type': jsonType, 'content-length': String(length) }
    sendHead(exchange, sink, { status, headers })
    sendPieces(exchange, sink, pieces)
    return
  }
  const { bytes, release } = borrowBuffer(length)
  let offset = 0
  for (const piece of pieces) {
    bytes.set(piece, offset)
    offset += piece.length
  }
  send(exchange, sink, jsonHead(status, bytes), bytes, { pieces, release })
}

/** Sends a rejection as the contract's error body; the reason's stable id goes into a header. */
export function sendRejection(
  exchange: InFlightRequest,
  sink: Sink,
  rejection: Rejection,
  extraHeaders: Readonly<Record<string, string>> = {},
): void {
  exchange.reason = rejection.reason
  const code = codeOf(rejection)
  const { status } = errorCodes[code]
  const faithful = errorBody(rejection)
  const { body: override } = exchange.world.hooks.http
  const bytes = jsonBytes(override === null ? faithful : override(faithful, exchange))
  const headers: Record<string, string> = {
    ...jsonHead(status, bytes).headers,
    'x-acs-reason': rejection.reason,
    ...extraHeaders,
  }
  if (rejection.retryAfterSeconds !== undefined) headers['retry-after'] = String(rejection.retryAfterSeconds)
  send(exchange, sink, { status, headers }, bytes)
}

/** The error body of a rejection (contract: Errors). */
export function errorBody(rejection: Rejection): { readonly error_code: string; readonly detail: unknown } {
  const code = codeOf(rejection)
  return { error_code: code, detail: rejection.faults ?? errorCodes[code].detail }
}

function codeOf({ code, reason }: Rejection): ErrorCode {
  return code ?? reasons[reason].code
}

/** Sends the head of a stream. */
export function sendStreamHead(exchange: InFlightRequest, sink: Sink): void {
  const head: ResponseHead = { status: 200, headers: { 'content-type': streamType, 'cache-control': 'no-store' } }
  sendHead(exchange, sink, head)
}

function send(
  exchange: InFlightRequest,
  sink: Sink,
  head: ResponseHead,
  faithful: Uint8Array,
  lent?: { readonly pieces: readonly Uint8Array[]; readonly release: (() => void) | undefined },
): void {
  const { payload: override } = exchange.world.hooks.http
  const bytes = override === null ? faithful : override(faithful, exchange)
  if (override === null) sendHead(exchange, sink, head)
  else sendHead(exchange, sink, { ...head, headers: { ...head.headers, 'content-length': String(bytes.length) } })
  if (override === null && lent !== undefined) {
    exchange.responsePieces = lent.pieces
    sink.end(bytes, lent.release)
  } else {
    exchange.responsePieces = [bytes]
    sink.end(bytes)
  }
  if (exchange.outcome === 'pending') exchange.outcome = 'read-all'
  exchange.world.journal.record(exchange)
}

function sendHead(exchange: InFlightRequest, sink: Sink, head: ResponseHead): void {
  const { head: override } = exchange.world.hooks.http
  const sent = override === null ? head : override(head, exchange)
  exchange.status = sent.status
  exchange.response = sent
  sink.head(sent)
}

const created: ReadonlySet<OperationId | null> = new Set(['createMessage', 'createThread'])

function statusOf(operation: OperationId | null): number {
  return created.has(operation) ? 201 : 200
}

function jsonHead(status: number, bytes: Uint8Array): ResponseHead {
  return { status, headers: { 'content-type': jsonType, 'content-length': String(bytes.length) } }
}

const noBytes = new Uint8Array(0)

function bytesOf(reply: Exclude<Reply, { kind: 'run' | 'rejected' | 'page' | 'uploaded' }>): Uint8Array {
  return reply.kind === 'stored' ? reply.bytes : jsonBytes(reply.json)
}

const comma = Buffer.from(',')
const pageEnd = Buffer.from(']}')

type PageReply = Extract<Reply, { kind: 'page' }>

function pagePieces({ cursor, items }: PageReply): readonly Uint8Array[] {
  const pieces: Uint8Array[] = [Buffer.from(`{"cursor":${JSON.stringify(cursor)},"items":[`)]
  for (let index = 0; index < items.length; index += 1) {
    if (index > 0) pieces.push(comma)
    pieces.push(items[index] ?? noBytes)
  }
  pieces.push(pageEnd)
  return pieces
}

function jsonBytes(json: unknown): Uint8Array {
  return Buffer.from(JSON.stringify(json))
}

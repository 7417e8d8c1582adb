/**
 * Turns replies and rejections into heads and bodies, with statuses and error bodies by the reference profile.
 * Every document takes one path: its pieces, then the hooks `body` and `payload` where they are overridden, then the sink.
 */
import type { OperationId } from '../../spec/index.ts'
import type { ServedRequest } from '../exchange/served-request.ts'
import type { ResponseHead, Sink } from '../exchange/sink.ts'
import type { Reply } from '../machine/reply.ts'
import { type ErrorCode, errorCodes } from '../reasons/reason.ts'
import { type Rejection, reasons } from '../reasons/reasons.ts'
import { borrowBuffer } from './buffer-pool.ts'
import { gatewayPage } from './gateway-page.ts'
import { sendPieces } from './send-pieces.ts'

const jsonType = 'application/json'
const streamType = 'application/x-ndjson'

type PageReply = Extract<Reply, { kind: 'page' }>
type Headers = Readonly<Record<string, string>>

/** Sends a JSON reply. */
export function sendReply(
  exchange: ServedRequest,
  sink: Sink,
  reply: Exclude<Reply, { kind: 'run' | 'rejected' }>,
): void {
  const status = statusOf(exchange.operation)
  if (reply.kind === 'uploaded') {
    const bytes = exchange.world.hooks.payload(noBytes, exchange)
    sendWhole(exchange, sink, { status, headers: { 'content-length': String(bytes.length) } }, bytes)
  } else if (reply.kind === 'page') sendDocument(exchange, sink, status, pagePieces(reply))
  else sendDocument(exchange, sink, status, [reply.kind === 'stored' ? reply.bytes : jsonBytes(reply.json)])
}

/** Sends a rejection as the contract's error body, with the stable id of its reason in a header, or as a gateway's page. */
export function sendRejection(
  exchange: ServedRequest,
  sink: Sink,
  rejection: Rejection,
  extraHeaders: Headers = noHeaders,
): void {
  exchange.reason = rejection.reason
  if (rejection.gatewayStatus !== undefined) {
    sendGatewayPage(exchange, sink, rejection.gatewayStatus)
    return
  }
  const headers: Record<string, string> = { 'x-acs-reason': rejection.reason, ...extraHeaders }
  if (rejection.retryAfterSeconds !== undefined) headers['retry-after'] = String(rejection.retryAfterSeconds)
  sendDocument(exchange, sink, errorCodes[codeOf(rejection)].status, [jsonBytes(errorBody(rejection))], headers)
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
export function sendStreamHead(exchange: ServedRequest, sink: Sink): void {
  sendHead(exchange, sink, { status: 200, headers: { 'content-type': streamType, 'cache-control': 'no-store' } })
}

/** A longer page is not joined, and is sent as fast as the client reads: otherwise each client would hold a copy. */
const longestWhole = 1_048_576

/** Sends a JSON document that is made of these pieces. */
function sendDocument(
  exchange: ServedRequest,
  sink: Sink,
  status: number,
  pieces: readonly Uint8Array[],
  extraHeaders: Headers = noHeaders,
): void {
  const { isOverridden } = exchange.world.hooks
  if (isOverridden.body || isOverridden.payload) {
    const bytes = overriddenBytes(exchange, pieces)
    sendWhole(exchange, sink, jsonHead(status, bytes.length, extraHeaders), bytes)
  } else if (pieces.length > 1) sendJoined(exchange, sink, status, pieces)
  else {
    const [bytes = noBytes] = pieces
    sendWhole(exchange, sink, jsonHead(status, bytes.length, extraHeaders), bytes, pieces)
  }
}

function overriddenBytes(exchange: ServedRequest, pieces: readonly Uint8Array[]): Uint8Array {
  const { hooks } = exchange.world
  const faithful = Buffer.concat(pieces)
  const bytes = hooks.isOverridden.body ? jsonBytes(hooks.body(JSON.parse(faithful.toString()), exchange)) : faithful
  return hooks.payload(bytes, exchange)
}

/** The journal keeps the pieces, which are stored anyway; the whole is joined in a reusable buffer. */
function sendJoined(exchange: ServedRequest, sink: Sink, status: number, pieces: readonly Uint8Array[]): void {
  let length = 0
  for (const piece of pieces) length += piece.length
  const head = jsonHead(status, length, noHeaders)
  if (length > longestWhole && exchange.injected.length === 0) {
    sendHead(exchange, sink, head)
    sendPieces(exchange, sink, pieces)
    return
  }
  const { bytes, release } = borrowBuffer(length)
  let offset = 0
  for (const piece of pieces) {
    bytes.set(piece, offset)
    offset += piece.length
  }
  sendWhole(exchange, sink, head, bytes, pieces, release)
}

/** Sends a whole body. The journal keeps `kept` if `bytes` are only lent until `release`. */
function sendWhole(
  exchange: ServedRequest,
  sink: Sink,
  head: ResponseHead,
  bytes: Uint8Array,
  kept: readonly Uint8Array[] = [bytes],
  release?: () => void,
): void {
  sendHead(exchange, sink, head)
  sendBody(exchange, sink, bytes, kept, release)
}

/** A gateway is in front of the service, so no hook of the service sees its page. */
function sendGatewayPage(exchange: ServedRequest, sink: Sink, status: number): void {
  const bytes = gatewayPage(status)
  const headers = { 'content-type': 'text/html; charset=utf-8', 'content-length': String(bytes.length) }
  passHead(exchange, sink, { status, headers })
  sendBody(exchange, sink, bytes, [bytes])
}

function sendBody(
  exchange: ServedRequest,
  sink: Sink,
  bytes: Uint8Array,
  kept: readonly Uint8Array[],
  release?: () => void,
): void {
  exchange.responsePieces = kept
  sink.end(bytes, release)
  if (exchange.outcome === 'pending') exchange.outcome = 'read-all'
  exchange.world.journal.record(exchange)
}

function sendHead(exchange: ServedRequest, sink: Sink, faithful: ResponseHead): void {
  passHead(exchange, sink, exchange.world.hooks.head(faithful, exchange))
}

function passHead(exchange: ServedRequest, sink: Sink, head: ResponseHead): void {
  exchange.status = head.status
  exchange.response = head
  sink.head(head)
}

const created: ReadonlySet<OperationId | null> = new Set(['createMessage', 'createThread'])

function statusOf(operation: OperationId | null): number {
  return created.has(operation) ? 201 : 200
}

function jsonHead(status: number, length: number, extra: Headers): ResponseHead {
  return { status, headers: { 'content-type': jsonType, 'content-length': String(length), ...extra } }
}

const noHeaders: Headers = {}
const noBytes = new Uint8Array(0)
const comma = Buffer.from(',')
const pageEnd = Buffer.from(']}')

/** The one serialiser of pages: the messages are bytes since they were stored. */
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

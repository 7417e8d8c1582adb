/**
 * From replies and rejections to heads and bodies: statuses and error bodies by the reference profile,
 * pages joined from bytes that were made when the messages were stored.
 */
import type { OperationId } from '../../spec/index.ts'
import { type ErrorCode, errorCodes, type Rejection, reasons } from '../machine/rejection.ts'
import type { Reply } from '../machine/reply.ts'
import type { Exchange } from './exchange.ts'
import { lendBuffer } from './page-buffers.ts'
import type { ResponseHead, Sink } from './sink.ts'

const jsonType = 'application/json'

/** Media type of a stream. */
export const streamType = 'application/x-ndjson'

/** Sends a JSON reply. */
export function sendReply(exchange: Exchange, sink: Sink, reply: Exclude<Reply, { kind: 'run' | 'rejected' }>): void {
  const status = statusOf(exchange.operation)
  const { body: bend } = exchange.world.seams.shell
  if (reply.kind === 'uploaded') {
    send(exchange, sink, { status, headers: { 'content-length': '0' } }, noBytes)
    return
  }
  if (reply.kind === 'page' && bend === null) {
    sendPage(exchange, sink, status, reply)
    return
  }
  const plain = reply.kind === 'page' ? Buffer.concat(pagePieces(reply)) : bytesOf(reply)
  const bytes = bend === null ? plain : jsonBytes(bend(JSON.parse(Buffer.from(plain).toString()), exchange))
  send(exchange, sink, jsonHead(status, bytes), bytes)
}

/** The journal keeps a page in its pieces, which are stored anyway; the whole is joined in a buffer that is used again. */
function sendPage(exchange: Exchange, sink: Sink, status: number, page: PageReply): void {
  const pieces = pagePieces(page)
  let length = 0
  for (const piece of pieces) length += piece.length
  const { bytes, release } = lendBuffer(length)
  let offset = 0
  for (const piece of pieces) {
    bytes.set(piece, offset)
    offset += piece.length
  }
  send(exchange, sink, jsonHead(status, bytes), bytes, { pieces, release })
}

/** Sends a rejection as the contract's error body; the reason's stable id goes into a header. */
export function sendRejection(
  exchange: Exchange,
  sink: Sink,
  rejection: Rejection,
  extraHeaders: Readonly<Record<string, string>> = {},
): void {
  exchange.reason = rejection.reason
  const code = codeOf(rejection)
  const { status } = errorCodes[code]
  const faithful = errorBody(rejection)
  const { body: bend } = exchange.world.seams.shell
  const bytes = jsonBytes(bend === null ? faithful : bend(faithful, exchange))
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
export function sendStreamHead(exchange: Exchange, sink: Sink): void {
  const head: ResponseHead = { status: 200, headers: { 'content-type': streamType, 'cache-control': 'no-store' } }
  sendHead(exchange, sink, head)
}

function send(
  exchange: Exchange,
  sink: Sink,
  head: ResponseHead,
  faithful: Uint8Array,
  lent?: { readonly pieces: readonly Uint8Array[]; readonly release: (() => void) | undefined },
): void {
  const { payload: bend } = exchange.world.seams.shell
  const bytes = bend === null ? faithful : bend(faithful, exchange)
  if (bend === null) sendHead(exchange, sink, head)
  else sendHead(exchange, sink, { ...head, headers: { ...head.headers, 'content-length': String(bytes.length) } })
  if (bend === null && lent !== undefined) {
    exchange.responsePieces = lent.pieces
    sink.end(bytes, lent.release)
  } else {
    exchange.responsePieces = [bytes]
    sink.end(bytes)
  }
  if (exchange.outcome === 'pending') exchange.outcome = 'read-all'
  exchange.world.journal.record(exchange)
}

function sendHead(exchange: Exchange, sink: Sink, head: ResponseHead): void {
  const { head: bend } = exchange.world.seams.shell
  const sent = bend === null ? head : bend(head, exchange)
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

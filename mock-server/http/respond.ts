/**
 * From replies and rejections to heads and bodies: statuses and error bodies by the reference profile,
 * pages joined from bytes that were made when the messages were stored.
 */
import type { OperationId } from '../../spec/index.ts'
import { errorCodes, type Rejection, reasons } from '../machine/rejection.ts'
import type { Reply } from '../machine/reply.ts'
import type { Exchange } from './exchange.ts'
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
  const plain = bytesOf(reply)
  const bytes = bend === null ? plain : jsonBytes(bend(JSON.parse(Buffer.from(plain).toString()), exchange))
  send(exchange, sink, jsonHead(status, bytes), bytes)
}

/** Sends a rejection as the contract's error body; the reason's stable id goes into a header. */
export function sendRejection(
  exchange: Exchange,
  sink: Sink,
  rejection: Rejection,
  extraHeaders: Readonly<Record<string, string>> = {},
): void {
  exchange.reason = rejection.reason
  const { code } = reasons[rejection.reason]
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
  const { code } = reasons[rejection.reason]
  return { error_code: code, detail: rejection.faults ?? errorCodes[code].detail }
}

/** Sends the head of a stream. */
export function sendStreamHead(exchange: Exchange, sink: Sink): void {
  const head: ResponseHead = { status: 200, headers: { 'content-type': streamType, 'cache-control': 'no-store' } }
  sendHead(exchange, sink, head)
}

function send(exchange: Exchange, sink: Sink, head: ResponseHead, faithful: Uint8Array): void {
  const { payload: bend } = exchange.world.seams.shell
  const bytes = bend === null ? faithful : bend(faithful, exchange)
  if (bend === null) sendHead(exchange, sink, head)
  else sendHead(exchange, sink, { ...head, headers: { ...head.headers, 'content-length': String(bytes.length) } })
  if (bytes.length > 0) exchange.responsePieces.push(bytes)
  sink.end(bytes)
  exchange.outcome = 'read-all'
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

function bytesOf(reply: Extract<Reply, { kind: 'document' | 'stored' | 'page' }>): Uint8Array {
  switch (reply.kind) {
    case 'document':
      return jsonBytes(reply.json)
    case 'stored':
      return reply.bytes
    case 'page':
      return pageBytes(reply.cursor, reply.items)
  }
}

const comma = 0x2c
const pageEnd = Buffer.from(']}')

function pageBytes(cursor: string | null, items: readonly Uint8Array[]): Uint8Array {
  const start = Buffer.from(`{"cursor":${cursor === null ? 'null' : `"${cursor}"`},"items":[`)
  let length = start.length + pageEnd.length + Math.max(0, items.length - 1)
  for (const item of items) length += item.length
  const page = Buffer.allocUnsafe(length)
  page.set(start, 0)
  let offset = start.length
  for (const [index, item] of items.entries()) {
    if (index > 0) page[offset++] = comma
    page.set(item, offset)
    offset += item.length
  }
  page.set(pageEnd, offset)
  return page
}

function jsonBytes(json: unknown): Uint8Array {
  return Buffer.from(JSON.stringify(json))
}

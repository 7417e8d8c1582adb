/**
 * Recorded bytes as text that a person can read: bodies, paths, one-line names of exchanges.
 * Bytes that are not UTF-8 are shown as base64 and marked as such.
 */
import type { Bytes, Exchange, ReceivedPiece } from '../conformance/index.ts'
import { headerValue } from './header-value.ts'

/** The bytes themselves. */
export function bufferOf(bytes: Bytes): Buffer {
  return 'utf8' in bytes ? Buffer.from(bytes.utf8, 'utf8') : Buffer.from(bytes.base64, 'base64')
}

/** All pieces of a response body as one buffer. */
export function bodyBuffer(pieces: readonly ReceivedPiece[]): Buffer {
  return Buffer.concat(pieces.map((piece) => bufferOf(piece.bytes)))
}

/** A body as text, or `null` when it is not valid UTF-8. */
export function utf8Of(buffer: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(buffer)
  } catch {
    return null
  }
}

/** A body as JSON, or `null` when it is none. */
export function jsonOf(buffer: Buffer): unknown {
  try {
    return JSON.parse(utf8Of(buffer) ?? 'null')
  } catch {
    return null
  }
}

/** The size of a piece as it arrived, also when its bytes were cut later. */
export function pieceSize(piece: { readonly bytes: Bytes; readonly sizeBytes?: number }): number {
  return piece.sizeBytes ?? byteLength(piece.bytes)
}

/** The size of recorded bytes, in a browser too. */
export function byteLength(bytes: Bytes): number {
  if ('utf8' in bytes) return utf8Length(bytes.utf8)
  return Math.floor((bytes.base64.replace(/=+$/, '').length * 3) / 4)
}

/** Node counts without encoding; elsewhere a text of ASCII alone, which is the usual case, needs no encoding either. */
const utf8Length: (text: string) => number =
  'Buffer' in globalThis
    ? Buffer.byteLength
    : (text) => (/[^\0-\x7f]/.test(text) ? new TextEncoder().encode(text).length : text.length)

/** Path and query of a recorded URL, or the URL as it stands when it is none. */
function pathOf(url: string): string {
  try {
    const { pathname, search } = new URL(url)
    return `${pathname}${search}`
  } catch {
    return url
  }
}

/** The path with each UUID cut to its first part and a long cursor to its ends, for short lines. */
export function shortPathOf(url: string): string {
  return pathOf(url)
    .replace(/\b([0-9a-f]{8})-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, '$1…')
    .replace(/([?&]cursor=[^&]{16})[^&]{16,}([^&]{16})/g, '$1…$2')
}

/** `POST /v1/threads/0b8f5b1e…/run → 200`, or how the exchange ended when no answer came. */
export function exchangeLine(exchange: Exchange): string {
  const answer = exchange.response === null ? exchange.ending : String(exchange.response.status)
  const ending = exchange.response !== null && exchange.ending !== 'complete' ? `, ${exchange.ending}` : ''
  return `${exchange.request.method} ${shortPathOf(exchange.request.url)}${userText(exchange)} → ${answer}${ending}`
}

/** A longer user-id is shown by its length. */
const mostOfUser = 24

/** The user-id of a request, by which requests for grants differ. */
function userText({ request }: Exchange): string {
  const user = headerValue(request.headers, 'user-id')
  if (user === undefined) return ''
  return user.length > mostOfUser ? `, user-id of ${user.length} characters` : `, user-id "${user}"`
}

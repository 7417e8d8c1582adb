/**
 * Cursors: a log position, sealed with a hash over the world's secret and the thread's id.
 * They are opaque, cannot be changed or moved to another thread, and depend only on the seed.
 */
import { hash } from 'node:crypto'

const sealLength = 20
const half = 0x100_0000
const halfLength = 6
const shape = /^[0-9a-f]{32}$/

/** The cursor for a log position (below 2^48) of a thread. */
export function sealCursor(secret: string, threadId: string, position: number): string {
  const seal = sealOf(`${secret} ${threadId} ${position}`)
  const high = Math.floor(position / half) ^ maskOf(seal, 0)
  const low = (position % half) ^ maskOf(seal, halfLength)
  return hexOf(high) + hexOf(low) + seal
}

/** The latest one: a cursor that was given comes back with the next request, and a page that is polled has the same. */
let last = { text: '', seal: '' }

function sealOf(text: string): string {
  if (text === last.text) return last.seal
  // In one call: an HMAC object for each page costs as much as all else that is done for one. Its last hex digits are
  // kept back, so the text cannot be prolonged.
  last = { text, seal: hash('sha256', text, 'hex').slice(0, sealLength) }
  return last.seal
}

/** The position in a cursor of this thread, or `null` when it was not sealed for it. */
export function openCursor(secret: string, threadId: string, cursor: string): number | null {
  if (!shape.test(cursor)) return null
  const seal = cursor.slice(2 * halfLength)
  const high = maskOf(cursor, 0) ^ maskOf(seal, 0)
  const low = maskOf(cursor, halfLength) ^ maskOf(seal, halfLength)
  const position = high * half + low
  return sealCursor(secret, threadId, position) === cursor ? position : null
}

/** Digits that cover the position, so that a cursor does not show how long a thread is. */
function maskOf(hex: string, from: number): number {
  return Number.parseInt(hex.slice(from, from + halfLength), 16)
}

function hexOf(value: number): string {
  return value.toString(16).padStart(halfLength, '0')
}

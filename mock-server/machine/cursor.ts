/**
 * Cursors: a log position, sealed with an HMAC over the thread's id and the world's secret.
 * They say nothing to a reader, cannot be changed or moved to another thread, and depend on nothing but the seed.
 */
import { createHmac, type KeyObject } from 'node:crypto'

const positionBytes = 6
const sealBytes = 10
const shape = /^[A-Za-z0-9_-]{22}$/

/** The cursor for a log position of a thread. */
export function sealCursor(secret: KeyObject, threadId: string, position: number): string {
  const bytes = Buffer.alloc(positionBytes + sealBytes)
  bytes.writeUIntBE(position, 0, positionBytes)
  const seal = createHmac('sha256', secret).update(threadId).update(bytes.subarray(0, positionBytes)).digest()
  seal.copy(bytes, positionBytes, 0, sealBytes)
  mask(threadId, bytes)
  return bytes.toString('base64url')
}

/** The position in a cursor of this thread, or `null` when it was not sealed for it. */
export function openCursor(secret: KeyObject, threadId: string, cursor: string): number | null {
  if (!shape.test(cursor)) return null
  const bytes = Buffer.from(cursor, 'base64url')
  mask(threadId, bytes)
  const position = bytes.readUIntBE(0, positionBytes)
  return sealCursor(secret, threadId, position) === cursor ? position : null
}

/** Covers or uncovers the position, so that a cursor does not show how long a thread is. */
function mask(threadId: string, bytes: Uint8Array): void {
  for (let index = 0; index < positionBytes; index += 1) {
    bytes[index] = (bytes[index] ?? 0) ^ (bytes[positionBytes + index] ?? 0) ^ threadId.charCodeAt(index)
  }
}

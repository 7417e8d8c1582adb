/**
 * Cursors that cannot be forged: the position, bound to its thread, with a signature behind a dot.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Position } from './model.ts'

/** Writes and reads cursors under a secret of its own. */
export class CursorCodec {
  readonly #secret = randomBytes(32)

  /** The cursor for what lies below a position. */
  encode(threadId: string, { micros, sequence }: Position): string {
    const payload = Buffer.from(`${micros}:${sequence}`).toString('base64url')
    return `${payload}.${this.#sign(threadId, payload)}`
  }

  /** The position in a cursor of that thread, or null for anything else. */
  decode(threadId: string, cursor: string): Position | null {
    const [payload = '', signature = ''] = cursor.split('.')
    const expected = Buffer.from(this.#sign(threadId, payload))
    const given = Buffer.from(signature)
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null
    const [micros, sequence] = Buffer.from(payload, 'base64url').toString('utf8').split(':').map(Number)
    return micros === undefined || sequence === undefined ? null : { micros, sequence }
  }

  #sign(threadId: string, payload: string): string {
    return createHmac('sha256', this.#secret).update(`${threadId}|${payload}`).digest('base64url')
  }
}

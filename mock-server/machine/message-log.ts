/**
 * Keeps the messages of a thread as JSON bytes in a persistent list.
 * Full blocks hold their messages joined, newest first with commas, as a page shows them: a page is a few slices, and a message
 * costs its bytes and an offset instead of an object.
 */
import { emptyList, type PersistentList } from './persistent.ts'

interface Block {
  readonly bytes: Uint8Array
  /** Where each message starts, oldest first; they lie from the end of `bytes` to its beginning. */
  readonly starts: Uint32Array
}

const blockSize = 32
const comma = 0x2c

/** Messages in the order in which they were stored; never changes, `push` makes a longer one. */
export class MessageLog {
  readonly size: number
  readonly #blocks: PersistentList<Block>
  /** The newest messages, fewer than a block. */
  readonly #tail: readonly Uint8Array[]

  constructor(blocks: PersistentList<Block>, tail: readonly Uint8Array[]) {
    this.#blocks = blocks
    this.#tail = tail
    this.size = blocks.size * blockSize + tail.length
  }

  /** The log with one message more. */
  push(message: Uint8Array): MessageLog {
    const tail = [...this.#tail, message]
    return tail.length < blockSize
      ? new MessageLog(this.#blocks, tail)
      : new MessageLog(this.#blocks.push(sealed(tail)), [])
  }

  /** The message at a position from 0, if there is one. */
  get(position: number): Uint8Array | undefined {
    if (position < 0 || position >= this.size) return undefined
    const place = position % blockSize
    const block = this.#blocks.get(Math.floor(position / blockSize))
    return block === undefined ? this.#tail[place] : cut(block, place, place)
  }

  first(): Uint8Array | undefined {
    return this.get(0)
  }

  last(): Uint8Array | undefined {
    return this.get(this.size - 1)
  }

  *[Symbol.iterator](): Generator<Uint8Array> {
    for (let position = 0; position < this.size; position += 1) {
      const message = this.get(position)
      if (message !== undefined) yield message
    }
  }

  /** The messages of positions `from` to without `before`, newest first; what a piece holds is joined by commas. */
  joined(from: number, before: number): readonly Uint8Array[] {
    const pieces: Uint8Array[] = []
    for (let end = Math.min(before, this.size); end > from; ) {
      const index = Math.floor((end - 1) / blockSize)
      const base = index * blockSize
      const start = Math.max(from, base)
      const block = this.#blocks.get(index)
      if (block !== undefined) pieces.push(cut(block, start - base, end - 1 - base))
      else pieces.push(...this.#tail.slice(start - base, end - base).reverse())
      end = start
    }
    return pieces
  }
}

export const emptyLog = new MessageLog(emptyList(), [])

/** A log of these messages, oldest first. */
export function logOf(messages: Iterable<Uint8Array>): MessageLog {
  let log = emptyLog
  for (const message of messages) log = log.push(message)
  return log
}

function sealed(messages: readonly Uint8Array[]): Block {
  const bytes = new Uint8Array(messages.reduce((length, message) => length + message.length, messages.length - 1))
  const starts = new Uint32Array(messages.length)
  let start = bytes.length
  for (const [place, message] of messages.entries()) {
    start -= message.length
    bytes.set(message, start)
    starts[place] = start
    if (start > 0) bytes[--start] = comma
  }
  return { bytes, starts }
}

/** The messages at places `oldest` to `newest` of a block, both included. */
function cut({ bytes, starts }: Block, oldest: number, newest: number): Uint8Array {
  const end = oldest === 0 ? bytes.length : (starts[oldest - 1] ?? 0) - 1
  return bytes.subarray(starts[newest], end)
}

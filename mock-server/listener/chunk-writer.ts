/**
 * HTTP chunks of a stream, each framed by itself, those of one turn of the event loop handed to node:http together:
 * its work for a write costs more than all that the mock does for a line. What is written leaves in the same turn.
 */
import type { ServerResponse } from 'node:http'

export interface ChunkWriter {
  /** Sends bytes as a chunk; `false` asks to wait for `drain` of the response. */
  write(bytes: Uint8Array): boolean
  /** Sends the last bytes, if given, and what closes the body. */
  end(bytes?: Uint8Array): void
}

/** So much is handed on without waiting for the end of the turn. */
const batchBytes = 16_384

/** A writer over a response whose head is flushed and which does not frame by itself. */
export function chunkWriter(response: ServerResponse): ChunkWriter {
  let batch: Uint8Array[] = []
  let length = 0
  const take = (last: Uint8Array): Uint8Array => {
    const framed = framedAll(batch, length, last)
    batch = []
    length = 0
    return framed
  }
  const flush = () => {
    if (batch.length > 0 && !response.destroyed) response.write(take(nothing))
  }
  const add = (bytes: Uint8Array) => {
    batch.push(bytes)
    length += bytes.length
  }
  return {
    write(bytes) {
      if (batch.length === 0) process.nextTick(flush)
      add(bytes)
      return length < batchBytes || response.write(take(nothing))
    },
    end(bytes) {
      if (bytes !== undefined && bytes.length > 0) add(bytes)
      response.end(take(bodyEnd))
    },
  }
}

const nothing = new Uint8Array(0)
const bodyEnd = Buffer.from('0\r\n\r\n')
/** Sixteen digits of a size and two line ends are more than a chunk can need. */
const mostFraming = 20

function framedAll(batch: readonly Uint8Array[], length: number, last: Uint8Array): Uint8Array {
  const framed = Buffer.allocUnsafe(length + batch.length * mostFraming + last.length)
  let at = 0
  for (const bytes of batch) {
    at += framed.write(`${bytes.length.toString(16)}\r\n`, at, 'latin1')
    framed.set(bytes, at)
    at += bytes.length
    framed[at++] = 13
    framed[at++] = 10
  }
  framed.set(last, at)
  return framed.subarray(0, at + last.length)
}

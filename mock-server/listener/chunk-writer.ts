/**
 * Frames the HTTP chunks of a stream and hands those of one turn to node:http together. A write of node:http costs more
 * than all other work of the mock for a line. All chunks leave in the same turn. Lines that were gathered before and come
 * after the head go to the socket without it.
 */
import type { ServerResponse } from 'node:http'
import type { Writable } from 'node:stream'
import { atEndOfTurn } from './batched-writes.ts'

export interface ChunkWriter {
  /** Sends bytes as a chunk; `false` asks to wait for `whenWritable`. */
  write(bytes: Uint8Array): boolean
  /** Sends bytes that are chunks already. */
  writeFramed(chunks: Uint8Array): boolean
  whenWritable(resume: () => void): void
  /** Sends the last bytes, if given, and what closes the body. */
  end(bytes?: Uint8Array): void
}

/** The size above which bytes are sent without waiting for the end of the turn. */
const batchBytes = 65_536

/** A writer over a response whose head is written but not sent, and which does not frame by itself. */
export function chunkWriter(response: ServerResponse): ChunkWriter {
  let batch: Uint8Array[] = []
  let length = 0
  let headSent = false
  let waiting = false
  let over = false
  /** The stream that is full: the socket, or the response while an earlier one uses the socket. */
  let full: Writable = response
  const send = (chunks: Uint8Array): boolean => {
    // The head lies before: node:http would only hold the bytes back until the end of the turn.
    full = headSent && response.socket !== null ? response.socket : response
    headSent = true
    return full.write(chunks)
  }
  const handOn = (): boolean => {
    const chunks = batch.length === 1 ? batch[0] : Buffer.concat(batch, length)
    batch = []
    length = 0
    return chunks === undefined || send(chunks)
  }
  const flush = () => {
    waiting = false
    if (over || response.destroyed) return
    if (length > 0) handOn()
    // The head does not wait for a chunk: a client may want to know that its stream has begun.
    else if (!headSent) response.flushHeaders()
    headSent = true
  }
  const flushSoon = () => {
    if (!waiting) atEndOfTurn(flush)
    waiting = true
  }
  const gather = (chunks: Uint8Array): boolean => {
    batch.push(chunks)
    length += chunks.length
    if (length >= batchBytes) return handOn()
    flushSoon()
    return true
  }
  flushSoon()
  return {
    write: (bytes) => gather(framed(bytes)),
    writeFramed: (chunks) => (headSent && length === 0 && !response.destroyed ? send(chunks) : gather(chunks)),
    whenWritable(resume) {
      full.once('drain', resume)
    },
    end(bytes) {
      if (bytes !== undefined && bytes.length > 0) gather(framed(bytes))
      over = true
      atEndOfTurn(() => {
        if (response.destroyed) return
        if (length > 0) handOn()
        response.end(bodyEnd)
      })
    },
  }
}

const bodyEnd = Buffer.from('0\r\n\r\n')

function framed(bytes: Uint8Array): Uint8Array {
  const size = `${bytes.length.toString(16)}\r\n`
  const whole = Buffer.allocUnsafe(size.length + bytes.length + 2)
  whole.write(size, 0, 'latin1')
  whole.set(bytes, size.length)
  whole.write('\r\n', size.length + bytes.length, 'latin1')
  return whole
}

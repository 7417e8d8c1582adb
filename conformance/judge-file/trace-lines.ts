/** Reads lines of a trace file: all of them once for the index, later those of a part. */
import { Buffer } from 'node:buffer'
import { closeSync, openSync, readSync } from 'node:fs'
import { type TraceIndex, TraceIndexer } from '../judge/partition/trace-index.ts'
import type { Exchange } from '../trace/exchange.ts'
import { parseRecord } from '../trace/trace.ts'

const chunkBytes = 4 * 2 ** 20
const lf = 10

/** Indexes a trace file; throws TraceError for a broken one. */
export const indexFile = (file: string): TraceIndex => {
  const indexer = new TraceIndexer()
  const descriptor = openSync(file, 'r')
  try {
    let open = Buffer.alloc(0)
    let offset = 0
    for (;;) {
      const chunk = Buffer.allocUnsafe(open.length + chunkBytes)
      open.copy(chunk)
      const read = readSync(descriptor, chunk, open.length, chunkBytes, null)
      const bytes = chunk.subarray(0, open.length + read)
      const end = takeLines(indexer, bytes, offset)
      if (read === 0) {
        if (end < bytes.length) indexer.take(bytes.subarray(end), offset + end)
        return indexer.finish()
      }
      open = bytes.subarray(end)
      offset += end
    }
  } finally {
    closeSync(descriptor)
  }
}

/** Takes the whole lines of a chunk; returns where the rest begins. */
const takeLines = (indexer: TraceIndexer, bytes: Buffer, offset: number): number => {
  let start = 0
  for (let end = bytes.indexOf(lf); end >= 0; end = bytes.indexOf(lf, start)) {
    indexer.take(bytes.subarray(start, end), offset + start)
    start = end + 1
  }
  return start
}

/** Where the lines of a part stand. */
export interface LinePlaces {
  readonly offsets: Float64Array
  readonly lengths: Uint32Array
  /** Numbers of the exchanges, for messages about broken ones. */
  readonly numbers: Uint32Array
}

/** The places of some exchanges. */
export const placesOf = (index: TraceIndex, exchanges: readonly number[]): LinePlaces => ({
  offsets: Float64Array.from(exchanges, (exchange) => index.offsets[exchange] ?? 0),
  lengths: Uint32Array.from(exchanges, (exchange) => index.lengths[exchange] ?? 0),
  numbers: Uint32Array.from(exchanges),
})

/** Lines that stand close together are read at once. */
const mostGapBytes = 64 * 1024

/** The exchanges at some places, in their order. */
export const readExchanges = (descriptor: number, { offsets, lengths, numbers }: LinePlaces): readonly Exchange[] => {
  const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  const exchanges: Exchange[] = []
  let bytes = Buffer.alloc(0)
  let start = 0
  for (const [at, offset] of offsets.entries()) {
    const length = lengths[at] ?? 0
    if (offset < start || offset + length > start + bytes.length) {
      bytes = readRun(descriptor, offset, runLength(offsets, lengths, at))
      start = offset
    }
    const line = strict.decode(bytes.subarray(offset - start, offset - start + length))
    // The header is the first line.
    exchanges.push(parseRecord(line, (numbers[at] ?? 0) + 2) as Exchange)
  }
  return exchanges
}

const runLength = (offsets: Float64Array, lengths: Uint32Array, from: number): number => {
  const start = offsets[from] ?? 0
  let end = start + (lengths[from] ?? 0)
  for (let at = from + 1; at < offsets.length && end - start < chunkBytes; at += 1) {
    const next = offsets[at] ?? 0
    if (next < end || next - end > mostGapBytes) break
    end = next + (lengths[at] ?? 0)
  }
  return end - start
}

const readRun = (descriptor: number, offset: number, length: number): Buffer<ArrayBuffer> => {
  const bytes = Buffer.allocUnsafeSlow(length)
  for (let read = 0; read < length; ) {
    const more = readSync(descriptor, bytes, read, length - read, offset + read)
    if (more === 0) throw new Error('the trace became shorter while it was judged')
    read += more
  }
  return bytes
}

/** Reads lines of a trace: all of them once for the index, later those of a part. */
import { Buffer } from 'node:buffer'
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { type TraceIndex, TraceIndexer } from '../judge/partition/trace-index.ts'
import type { Exchange } from '../trace/exchange.ts'
import { parseRecord } from '../trace/trace.ts'

const chunkBytes = 4 * 2 ** 20
const lf = 10

/** Files of one recording, read as if they were concatenated. */
export class TraceFiles implements Disposable {
  readonly #files: readonly { readonly descriptor: number; readonly start: number; readonly size: number }[]
  /** Read into again and again: memory that is touched for the first time costs more than reading into it. */
  #reused: Buffer<ArrayBuffer> | null = null

  constructor(files: readonly string[]) {
    let start = 0
    this.#files = files.map((file) => {
      const descriptor = openSync(file, 'r')
      const { size } = fstatSync(descriptor)
      start += size
      return { descriptor, start: start - size, size }
    })
  }

  /** The place of each exchange; throws TraceError for a file that is not a trace. */
  index(): TraceIndex {
    const indexer = new TraceIndexer()
    for (const [at, { start, size }] of this.#files.entries()) {
      if (at > 0) indexer.nextFile()
      this.#indexFile(indexer, start, start + size)
    }
    return indexer.finish()
  }

  /** Bytes from a place on, until the next ones are read. */
  read(offset: number, length: number): Buffer<ArrayBuffer> {
    const bytes = length > chunkBytes ? Buffer.allocUnsafeSlow(length) : this.#chunk().subarray(0, length)
    this.#readInto(bytes, offset)
    return bytes
  }

  #chunk(): Buffer<ArrayBuffer> {
    this.#reused ??= Buffer.allocUnsafeSlow(chunkBytes)
    return this.#reused
  }

  /** Fills the buffer with the bytes from a place on. */
  #readInto(bytes: Buffer, offset: number): void {
    const { length } = bytes
    let read = 0
    for (const { descriptor, start, size } of this.#files) {
      while (read < length && offset + read >= start && offset + read < start + size) {
        const most = Math.min(length - read, start + size - offset - read)
        const more = readSync(descriptor, bytes, read, most, offset + read - start)
        if (more === 0) throw new Error('the trace became shorter while it was judged')
        read += more
      }
    }
  }

  /** All chunks go through one buffer, after the incomplete line of the previous chunk. */
  #indexFile(indexer: TraceIndexer, start: number, end: number): void {
    let bytes = Buffer.allocUnsafeSlow(chunkBytes)
    let open = 0
    for (let offset = start; offset < end; ) {
      if (open > bytes.length / 2) bytes = Buffer.concat([bytes.subarray(0, open)], 2 * bytes.length)
      const held = Math.min(bytes.length, open + end - offset)
      this.#readInto(bytes.subarray(open, held), offset)
      const taken = takeLines(indexer, bytes.subarray(0, held), offset - open)
      offset += held - open
      bytes.copyWithin(0, taken, held)
      open = held - taken
    }
    if (open > 0) indexer.take(bytes.subarray(0, open), end - open)
  }

  [Symbol.dispose](): void {
    for (const { descriptor } of this.#files) closeSync(descriptor)
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

/** The places of the lines of a part. */
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

/** Lines that are close together are read at once. */
const mostGapBytes = 64 * 1024

/** The exchanges at some places, in their order. */
export const readExchanges = (files: TraceFiles, { offsets, lengths, numbers }: LinePlaces): readonly Exchange[] => {
  const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  const exchanges: Exchange[] = []
  let bytes = Buffer.alloc(0)
  let start = 0
  for (const [at, offset] of offsets.entries()) {
    const length = lengths[at] ?? 0
    if (offset < start || offset + length > start + bytes.length) {
      bytes = files.read(offset, runLength(offsets, lengths, at))
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
  for (let at = from + 1; at < offsets.length; at += 1) {
    const next = offsets[at] ?? 0
    const nextEnd = next + (lengths[at] ?? 0)
    if (next < end || next - end > mostGapBytes || nextEnd - start > chunkBytes) break
    end = nextEnd
  }
  return end - start
}

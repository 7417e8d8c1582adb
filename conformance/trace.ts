/**
 * The trace as NDJSON: header first, exchanges and notes in between, footer last. Writing is deterministic, so that what was
 * read and written again is the same bytes; reading names the line of what is broken and never guesses a footer.
 */
import type { Trace, TraceRecord } from './exchange.ts'

/** What is wrong with a trace file, and in which line. */
export class TraceError extends Error {
  override readonly name = 'TraceError'
  readonly code = 'broken-trace'
  /** Counted from 1; 0 when the file as a whole is meant. */
  readonly line: number
  readonly reason: string
  constructor(line: number, reason: string) {
    super(line === 0 ? reason : `line ${line}: ${reason}`)
    this.line = line
    this.reason = reason
  }
}

/** Bytes of a trace, a file's path, or its whole text. */
export type TraceSource = AsyncIterable<Uint8Array> | { readonly file: string } | { readonly text: string }

/** One record as one line, with its LF. */
export type EncodeRecord = (record: TraceRecord) => string
/** The whole trace as text. */
export type EncodeTrace = (trace: Trace) => string
/** Streams the records with their line numbers; throws TraceError. */
export type ReadRecords = (source: TraceSource) => AsyncIterable<{ line: number; record: TraceRecord }>
/** The whole trace; `footer` is `null` when there is none. Throws TraceError. */
export type ReadTrace = (source: TraceSource) => Promise<Trace>

/**
 * The suite's own NDJSON decoder: pieces of bytes in, lines with position and arrival time out, and every fault of framing named.
 * Lines end at LF and nowhere else (readline also splits at U+2028), so bytes are cut first and each line is decoded strictly.
 */
import type { ReceivedPiece } from './exchange.ts'

/** What is wrong with the framing or with a line; the gap rules decide which of these matter. */
export type StreamProblemKind =
  | 'invalid-utf8'
  | 'missing-final-newline'
  | 'cr-before-lf'
  | 'byte-order-mark'
  | 'blank-line'
  | 'not-json'
  | 'not-an-object'
  | 'duplicate-key'
  | 'line-too-long'

export interface StreamProblem {
  readonly kind: StreamProblemKind
  /** Physical line, counted from 0, blank lines included. */
  readonly line: number
  /** Byte offset in the body. */
  readonly offset: number
  readonly text: string
}

export interface DecodedLine {
  /** Physical line, counted from 0, blank lines included. */
  readonly index: number
  /** Byte offset of its first byte in the body. */
  readonly offset: number
  /** The line without its ending and without a byte order mark; U+FFFD where it is not UTF-8. */
  readonly text: string
  /** The JSON value, `undefined` when `error` is set. */
  readonly value: unknown
  /** Why the line has no value: not UTF-8, not JSON or too long. */
  readonly error: string | null
  /** Arrival of the piece that completed the line, trace clock. */
  readonly atMs: number
  readonly endsWith: 'lf' | 'crlf' | 'none'
}

export interface DecodedStream {
  /** Lines that hold something; blank ones are only in `problems`. */
  readonly lines: readonly DecodedLine[]
  /** In the order of the bytes. */
  readonly problems: readonly StreamProblem[]
}

export interface DecodeOptions {
  /** Longest line that is parsed; default 16 MiB. */
  readonly maxLineBytes?: number
}

/** The decoder's signature: `decodeStream(response.pieces)`. */
export type DecodeStream = (pieces: readonly ReceivedPiece[], options?: DecodeOptions) => DecodedStream

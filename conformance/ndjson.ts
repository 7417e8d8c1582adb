/**
 * The suite's own NDJSON decoder: pieces of bytes in, lines with position and arrival time out, and every fault of framing named.
 * Lines end at LF and nowhere else (readline also splits at U+2028), so bytes are cut first and each line is decoded strictly.
 */
import { Buffer } from 'node:buffer'
import { bytesOf } from './bytes.ts'
import type { ReceivedPiece } from './exchange.ts'
import { duplicateKey } from './ndjson/duplicate-key.ts'
import { invalidUtf8At } from './ndjson/invalid-utf8.ts'

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
  /** Longest line that is parsed, bytes; default 16 MiB. */
  readonly maxLineBytes?: number
}

const LF = 0x0a
const CR = 0x0d
const shownOfLongLine = 1024
const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** A line as bytes, before anything is made of it. */
interface RawLine {
  readonly index: number
  readonly offset: number
  readonly bytes: Uint8Array
  readonly atMs: number
  readonly ended: boolean
}

const cutLines = (pieces: readonly ReceivedPiece[]): readonly RawLine[] => {
  const lines: RawLine[] = []
  let open: Uint8Array[] = []
  let offset = 0
  let atMs = 0
  const close = (ended: boolean): void => {
    const [only] = open
    const bytes = only !== undefined && open.length === 1 ? only : Buffer.concat(open)
    lines.push({ index: lines.length, offset, bytes, atMs, ended })
    offset += bytes.byteLength + 1
    open = []
  }
  for (const piece of pieces) {
    const bytes = bytesOf(piece.bytes)
    if (bytes.byteLength > 0) atMs = piece.atMs
    let from = 0
    for (let at = bytes.indexOf(LF); at >= 0; at = bytes.indexOf(LF, from)) {
      open.push(bytes.subarray(from, at))
      close(true)
      from = at + 1
    }
    if (from < bytes.byteLength) open.push(bytes.subarray(from))
  }
  if (open.length > 0) close(false)
  return lines
}

type Report = (kind: StreamProblemKind, offset: number, text: string) => void

const stripEnding = (line: RawLine, report: Report): { bytes: Uint8Array; endsWith: DecodedLine['endsWith'] } => {
  const length = line.bytes.byteLength
  if (!line.ended) {
    report('missing-final-newline', line.offset + length, 'the stream does not end with a line feed')
    return { bytes: line.bytes, endsWith: 'none' }
  }
  if (line.bytes[length - 1] !== CR) return { bytes: line.bytes, endsWith: 'lf' }
  report('cr-before-lf', line.offset + length - 1, 'a carriage return stands before the line feed')
  return { bytes: line.bytes.subarray(0, length - 1), endsWith: 'crlf' }
}

const decodeText = (bytes: Uint8Array, offset: number, report: Report): { text: string; error: string | null } => {
  try {
    return { text: strictUtf8.decode(bytes), error: null }
  } catch {
    const at = offset + invalidUtf8At(bytes)
    const error = `not UTF-8 at byte ${at}`
    report('invalid-utf8', at, error)
    return { text: Buffer.from(bytes).toString('utf8'), error }
  }
}

const stripMark = (text: string, line: RawLine, report: Report): string => {
  if (line.index > 0 || !text.startsWith('\uFEFF')) return text
  report('byte-order-mark', 0, 'the stream opens with a byte order mark')
  return text.slice(1)
}

const parseLine = (text: string, line: RawLine, report: Report): { value: unknown; error: string | null } => {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    const error = cause instanceof Error ? cause.message : String(cause)
    report('not-json', line.offset, error)
    return { value: undefined, error }
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    report('not-an-object', line.offset, 'the line is JSON but no object')
  const twice = duplicateKey(text, value)
  if (twice !== null)
    report('duplicate-key', line.offset, `the key ${JSON.stringify(twice)} stands twice in one object`)
  return { value, error: null }
}

const decodeLine = (line: RawLine, maxBytes: number, problems: StreamProblem[]): DecodedLine | null => {
  const report: Report = (kind, offset, text) => problems.push({ kind, line: line.index, offset, text })
  const base = { index: line.index, offset: line.offset, atMs: line.atMs }
  if (line.bytes.byteLength > maxBytes) {
    const error = `longer than ${maxBytes} bytes`
    report('line-too-long', line.offset, error)
    const text = Buffer.from(line.bytes.subarray(0, shownOfLongLine)).toString('utf8')
    return { ...base, text, value: undefined, error, endsWith: line.ended ? 'lf' : 'none' }
  }
  const found: StreamProblem[] = []
  const late: Report = (kind, offset, text) => found.push({ kind, line: line.index, offset, text })
  const { bytes, endsWith } = stripEnding(line, late)
  const decoded = decodeText(bytes, line.offset, report)
  const text = stripMark(decoded.text, line, report)
  const isBlank = /^[ \t\r]*$/.test(text)
  if (isBlank) report('blank-line', line.offset, 'the line is blank')
  const parsed =
    isBlank || decoded.error !== null ? { value: undefined, error: decoded.error } : parseLine(text, line, report)
  problems.push(...found)
  return isBlank ? null : { ...base, text, ...parsed, endsWith }
}

/** Decodes the body of a stream, `decodeStream(response.pieces)`; the result does not depend on where the pieces are cut. */
export const decodeStream = (pieces: readonly ReceivedPiece[], options: DecodeOptions = {}): DecodedStream => {
  const problems: StreamProblem[] = []
  const lines: DecodedLine[] = []
  for (const raw of cutLines(pieces)) {
    const line = decodeLine(raw, options.maxLineBytes ?? 16 * 1024 * 1024, problems)
    if (line !== null) lines.push(line)
  }
  return { lines, problems }
}

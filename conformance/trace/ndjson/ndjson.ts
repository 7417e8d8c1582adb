/**
 * Decodes pieces of bytes into NDJSON lines with position and arrival time, and names every framing fault. Lines end at
 * LF and nowhere else (readline also splits at U+2028), so bytes are cut first and each line is decoded strictly.
 */
import { Buffer } from 'node:buffer'
import type { ReceivedPiece } from '../exchange.ts'
import { duplicateKey } from './duplicate-key.ts'
import { invalidUtf8At } from './invalid-utf8.ts'
import { cutLines, type RawLine } from './split-lines.ts'

/** The problems of the framing or of a line; the gap rules decide which of these matter. */
type StreamProblemKind =
  | 'invalid-utf8'
  | 'missing-final-newline'
  | 'cr-before-lf'
  | 'byte-order-mark'
  | 'blank-line'
  | 'not-json'
  | 'not-an-object'
  | 'duplicate-key'
  | 'line-too-long'

interface StreamProblem {
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

interface DecodeOptions {
  /** Longest line that is parsed, bytes; default 16 MiB. */
  readonly maxLineBytes?: number
  /** Whether to look for keys that stand twice, which costs about as much as parsing; default true. */
  readonly findsDuplicateKeys?: boolean
}

const shownOfLongLine = 1024
const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Notes a problem of a line. */
type Report = (kind: StreamProblemKind, offset: number, text: string) => void

const decodeText = ({ content, offset }: RawLine, report: Report): { text: string; error: string | null } => {
  if (typeof content === 'string') return { text: content, error: null }
  try {
    return { text: strictUtf8.decode(content), error: null }
  } catch {
    const at = offset + invalidUtf8At(content)
    const error = `not UTF-8 at byte ${at}`
    report('invalid-utf8', at, error)
    return { text: Buffer.from(content).toString('utf8'), error }
  }
}

const stripMark = (text: string, line: RawLine, report: Report): string => {
  if (line.index > 0 || !text.startsWith('\uFEFF')) return text
  report('byte-order-mark', 0, 'the stream opens with a byte order mark')
  return text.slice(1)
}

const parseLine = (text: string, { offset }: RawLine, report: Report): Pick<DecodedLine, 'value' | 'error'> => {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    const error = cause instanceof Error ? cause.message : String(cause)
    report('not-json', offset, error)
    return { value: undefined, error }
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    report('not-an-object', offset, 'the line is JSON but no object')
  return { value, error: null }
}

const reportDuplicateKey = (text: string, value: unknown, { offset }: RawLine, report: Report): void => {
  const twice = duplicateKey(text, value)
  if (twice !== null) report('duplicate-key', offset, `the key ${JSON.stringify(twice)} stands twice in one object`)
}

const reportEnding = ({ offset, byteLength }: RawLine, endsWith: DecodedLine['endsWith'], report: Report): void => {
  if (endsWith === 'none')
    report('missing-final-newline', offset + byteLength, 'the stream does not end with a line feed')
  if (endsWith === 'crlf')
    report('cr-before-lf', offset + byteLength - 1, 'a carriage return stands before the line feed')
}

const blank = /^[ \t\r]*$/

const decodeLine = (line: RawLine, findsDuplicateKeys: boolean, report: Report): DecodedLine | null => {
  const { index, offset, atMs, ended } = line
  const decoded = decodeText(line, report)
  const hasReturn = ended && decoded.text.endsWith('\r')
  const endsWith = ended ? (hasReturn ? 'crlf' : 'lf') : 'none'
  const text = stripMark(hasReturn ? decoded.text.slice(0, -1) : decoded.text, line, report)
  const isBlank = blank.test(text)
  if (isBlank) report('blank-line', offset, 'the line is blank')
  const isUnread = isBlank || decoded.error !== null
  const { value, error } = isUnread ? { value: undefined, error: decoded.error } : parseLine(text, line, report)
  if (findsDuplicateKeys && value !== undefined) reportDuplicateKey(text, value, line, report)
  reportEnding(line, endsWith, report)
  return isBlank ? null : { index, offset, text, value, error, atMs, endsWith }
}

const cutShort = ({ index, offset, content, atMs, ended }: RawLine, maxBytes: number, report: Report): DecodedLine => {
  const error = `longer than ${maxBytes} bytes`
  report('line-too-long', offset, error)
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  const text = Buffer.from(bytes.subarray(0, shownOfLongLine)).toString('utf8')
  return { index, offset, text, value: undefined, error, atMs, endsWith: ended ? 'lf' : 'none' }
}

/** Decodes the body of a stream, `decodeStream(response.pieces)`; the result does not depend on where the pieces are cut. */
export const decodeStream = (pieces: readonly ReceivedPiece[], options: DecodeOptions = {}): DecodedStream => {
  const { maxLineBytes = 16 * 1024 * 1024, findsDuplicateKeys = true } = options
  const problems: StreamProblem[] = []
  const lines: DecodedLine[] = []
  for (const raw of cutLines(pieces)) {
    const report: Report = (kind, offset, text) => problems.push({ kind, line: raw.index, offset, text })
    const isLong = raw.byteLength > maxLineBytes
    const line = isLong ? cutShort(raw, maxLineBytes, report) : decodeLine(raw, findsDuplicateKeys, report)
    if (line !== null) lines.push(line)
  }
  return { lines, problems }
}

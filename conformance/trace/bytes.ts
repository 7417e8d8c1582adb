/**
 * Represents raw bytes in JSON: readable text when decoding and encoding gives the same bytes, base64 otherwise. The
 * evidence, the trace and every oracle share this representation.
 */
import { Buffer } from 'node:buffer'
import type { Bytes, Exchange, ReceivedPiece } from './exchange.ts'
import { jsonValue } from './json-depth.ts'

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Wraps raw bytes for JSON: `utf8` when that loses nothing (a byte order mark is kept), else `base64`. */
export const bytesFrom = (raw: Uint8Array): Bytes => {
  try {
    return { utf8: strictUtf8.decode(raw) }
  } catch {
    return { base64: Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength).toString('base64') }
  }
}

/** The raw bytes again. */
export const bytesOf = (bytes: Bytes): Uint8Array =>
  'utf8' in bytes ? Buffer.from(bytes.utf8, 'utf8') : Buffer.from(bytes.base64, 'base64')

/** The number of raw bytes, without decoding them. */
export const byteLengthOf = (bytes: Bytes): number =>
  'utf8' in bytes ? Buffer.byteLength(bytes.utf8) : Buffer.byteLength(bytes.base64, 'base64')

/** The text for people and parsers; bytes that are not UTF-8 become U+FFFD. */
export const textOf = (bytes: Bytes): string =>
  'utf8' in bytes ? bytes.utf8 : Buffer.from(bytes.base64, 'base64').toString('utf8')

/** The answer's body as JSON, `undefined` when it is none that can be read. */
export const answerJson = ({ response }: Pick<Exchange, 'response'>): unknown =>
  jsonValue(textOfPieces(response?.pieces ?? []))

/** All pieces of a body joined, in raw bytes. */
export const joinPieces = (pieces: readonly Pick<ReceivedPiece, 'bytes'>[]): Uint8Array => {
  const [first] = pieces
  if (first !== undefined && pieces.length === 1) return bytesOf(first.bytes)
  return Buffer.concat(pieces.map((piece) => bytesOf(piece.bytes)))
}

/** All pieces of a body as text; a character may be split over two pieces, so bytes are joined first. */
export const textOfPieces = (pieces: readonly Pick<ReceivedPiece, 'bytes'>[]): string => {
  const [first] = pieces
  if (first !== undefined && pieces.length === 1) return textOf(first.bytes)
  return Buffer.from(joinPieces(pieces)).toString('utf8')
}

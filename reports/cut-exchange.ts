/**
 * An exchange with its bodies cut to a limit, so that a report stays small; the trace keeps them whole.
 * Pieces beyond the limit stay as arrival times without bytes, so that a stream can still be drawn.
 */
import type { Bytes, Exchange, ReceivedPiece } from '../conformance/index.ts'
import { bufferOf, byteLength, utf8Of } from './body-text.ts'
import type { ReportedExchange, ReportedPiece } from './report.ts'

/** The exchange with request and response body each cut to `limitBytes`. */
export function cutExchange(exchange: Exchange, limitBytes: number): ReportedExchange {
  const { request, response } = exchange
  if (fits(exchange, limitBytes)) return exchange
  const body = request.body === null ? null : cutBytes(request.body, limitBytes)
  const pieces = response === null ? [] : cutPieces(response.pieces, limitBytes)
  const omittedBytes = bodySize(exchange) - (body === null ? 0 : byteLength(body)) - sizeOf(pieces)
  if (omittedBytes === 0) return exchange
  return {
    ...exchange,
    request: cutRequest(request, body),
    response: response === null ? null : { ...response, pieces },
    omittedBytes,
  }
}

/** Whether there is nothing to cut for sure, which is the usual case: a letter takes three bytes at most. */
function fits({ request, response }: Exchange, limitBytes: number): boolean {
  const pieces = response?.pieces ?? []
  const mostReceived = pieces.reduce((size, { bytes }) => size + mostBytes(bytes), 0)
  return mostReceived <= limitBytes && (request.body === null || mostBytes(request.body) <= limitBytes)
}

function mostBytes(bytes: Bytes): number {
  return 'utf8' in bytes ? 3 * bytes.utf8.length : bytes.base64.length
}

function cutRequest(request: Exchange['request'], body: Bytes | null): Exchange['request'] {
  const sentBytes = request.body === null ? 0 : byteLength(request.body)
  const omittedBytes = sentBytes - (body === null ? 0 : byteLength(body)) + (request.omittedBytes ?? 0)
  return omittedBytes === 0 ? { ...request, body } : { ...request, body, omittedBytes }
}

function bodySize({ request, response }: Exchange): number {
  return (request.body === null ? 0 : byteLength(request.body)) + sizeOf(response?.pieces ?? [])
}

function sizeOf(pieces: readonly ReceivedPiece[]): number {
  return pieces.reduce((size, piece) => size + byteLength(piece.bytes), 0)
}

function cutPieces(pieces: readonly ReceivedPiece[], limitBytes: number): readonly ReportedPiece[] {
  let room = limitBytes
  return pieces.map((piece) => {
    const bytes = cutBytes(piece.bytes, Math.max(0, room))
    const sizeBytes = byteLength(piece.bytes)
    room -= sizeBytes
    return bytes === piece.bytes ? piece : { ...piece, bytes, sizeBytes }
  })
}

function cutBytes(bytes: Bytes, limitBytes: number): Bytes {
  if (byteLength(bytes) <= limitBytes) return bytes
  // No letter takes less than a byte, so the rest of a text of megabytes need not be encoded.
  const buffer = bufferOf('utf8' in bytes ? { utf8: bytes.utf8.slice(0, limitBytes) } : bytes)
  for (let end = limitBytes; end > limitBytes - 4 && end > 0; end -= 1) {
    const text = 'utf8' in bytes ? utf8Of(buffer.subarray(0, end)) : null
    if (text !== null) return { utf8: text }
  }
  return 'utf8' in bytes ? { utf8: '' } : { base64: buffer.subarray(0, limitBytes).toString('base64') }
}

/**
 * Finds the end of a response body on a raw socket. It is set by the length, the last chunk or the end of the
 * connection.
 */
import { Buffer } from 'node:buffer'
import type { HeaderLines } from '../../trace/exchange.ts'
import { headerIn } from '../../trace/headers.ts'
import type { Recording } from '../recording.ts'

export interface BodyReader {
  readonly read: (piece: Uint8Array) => void
  /** The other side closed the connection. */
  readonly end: () => void
}

interface BodyReaderOptions {
  readonly status: number
  readonly headers: HeaderLines
  readonly isHead: boolean
  readonly recording: Recording
}

const cutShort = (recording: Recording): void => recording.end('cut', 'the connection ended inside the answer')

const untilClose = (recording: Recording): BodyReader => ({
  read: (piece) => recording.piece(piece),
  end: () => recording.end('complete'),
})

const byLength = (recording: Recording, length: number): BodyReader => {
  let left = length
  return {
    read: (piece) => {
      recording.piece(piece.subarray(0, left))
      left -= Math.min(left, piece.byteLength)
      if (left === 0) recording.end('complete')
    },
    end: () => cutShort(recording),
  }
}

const longestSizeLine = 1024

/** A step takes what it can from the open bytes; `null` when more are needed. */
const inChunks = (recording: Recording): BodyReader => {
  let open = Buffer.alloc(0)
  let left = 0
  let expects: 'size' | 'data' | 'data-end' | 'trailer' = 'size'

  const takeLine = (): string | null => {
    const at = open.indexOf(0x0a)
    if (at < 0) {
      if (open.byteLength > longestSizeLine) recording.end('cut', 'not HTTP: a chunk has no size')
      return null
    }
    const line = open.toString('latin1', 0, at).replace(/\r$/, '')
    open = open.subarray(at + 1)
    return line
  }
  const takeSize = (line: string): void => {
    const size = /^[0-9a-f]+/i.exec(line.trim())
    if (size === null) recording.end('cut', 'not HTTP: a chunk has no size')
    left = Number.parseInt(size?.[0] ?? '0', 16)
    expects = left === 0 ? 'trailer' : 'data'
  }
  const takeData = (): void => {
    recording.piece(open.subarray(0, left))
    const taken = Math.min(left, open.byteLength)
    open = open.subarray(taken)
    left -= taken
    if (left === 0) expects = 'data-end'
  }
  const step = (): boolean => {
    if (expects === 'data') {
      if (open.byteLength === 0) return false
      takeData()
      return true
    }
    const line = takeLine()
    if (line === null) return false
    if (expects === 'size') takeSize(line)
    else if (expects === 'data-end') expects = 'size'
    else if (line === '') recording.end('complete')
    return true
  }
  return {
    read: (piece) => {
      open = open.byteLength === 0 ? Buffer.from(piece) : Buffer.concat([open, piece])
      while (!recording.hasEnded() && step());
    },
    end: () => cutShort(recording),
  }
}

/** Picks the rule by status and headers (RFC 9112, section 6.3). */
export const createBodyReader = ({ status, headers, isHead, recording }: BodyReaderOptions): BodyReader => {
  if (isHead || status === 204 || status === 304) return byLength(recording, 0)
  if (/(?:^|,)\s*chunked\s*$/i.test(headerIn(headers, 'transfer-encoding') ?? '')) return inChunks(recording)
  const length = headerIn(headers, 'content-length')
  return length !== undefined && /^\d+$/.test(length) ? byLength(recording, Number(length)) : untilClose(recording)
}

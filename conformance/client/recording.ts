/**
 * Records one exchange while it happens: head, pieces with their arrival, limits and ending. It decides the ending once; a
 * transport only reports events and closes on request.
 */
import type { Ending, HeaderLines } from '../trace/exchange.ts'
import { startTimeLimit } from './time-limit.ts'

/** The limits of an exchange. */
export interface Limits {
  /** Longest silence, also before the first byte. */
  readonly idleMs: number
  readonly totalMs: number
  readonly bodyBytes: number
  readonly headerBytes: number
  /** The memory left for the bodies of all exchanges. */
  readonly store: BodyStore
  /** The number of pieces kept; a slow stream of single bytes must not fill the memory. */
  readonly pieces: number
}

/** The memory that recorded bodies share. */
interface BodyStore {
  leftBytes: number
}

/** The overhead of a piece beside its bytes. */
export const pieceBytes = 256

/** Failure text of an exchange whose request asked for no answer. */
export const leftAtOnce = 'left before the answer'

export interface RawPiece {
  readonly atMs: number
  readonly bytes: Uint8Array
}

export interface RawResponse {
  readonly status: number
  readonly headers: HeaderLines
  readonly headAtMs: number
  readonly pieces: readonly RawPiece[]
}

/** The bytes on the wire, before decoding and redaction. */
export interface WireOutcome {
  readonly sentAtMs: number
  readonly endedAtMs: number
  readonly response: RawResponse | null
  readonly ending: Ending
  readonly failure?: string
}

interface RecordingOptions {
  readonly nowMs: () => number
  readonly limits: Limits
  readonly abortAfterPieces?: number | undefined
  readonly onFirstPiece?: (() => void) | undefined
  /** Called once when a limit or the suite itself ends the exchange: the transport lets go of its socket. */
  readonly leave: () => void
}

export interface Recording {
  /** The final head; informational ones are not recorded. */
  readonly head: (status: number, headers: HeaderLines) => void
  readonly piece: (bytes: Uint8Array) => void
  /** The transport's own end; the first end counts. */
  readonly end: (ending: Ending, failure?: string) => void
  readonly hasEnded: () => boolean
  readonly hasHead: () => boolean
  readonly outcome: Promise<WireOutcome>
}

/** Failure text of a body that is kept only in part. */
const whyTooLarge = ({ store, bodyBytes }: Pick<Limits, 'store' | 'bodyBytes'>): string =>
  store.leftBytes <= 0
    ? 'the bodies of the run are larger than its limit'
    : `the body is larger than ${bodyBytes} bytes`

const seconds = (ms: number): string => `${Number((ms / 1000).toFixed(3))} s`

/** Starts the clock of an exchange; it is over when `outcome` resolves, which it always does within `limits.totalMs`. */
export const startRecording = ({
  nowMs,
  limits,
  abortAfterPieces,
  onFirstPiece,
  leave,
}: RecordingOptions): Recording => {
  const sentAtMs = nowMs()
  const pieces: RawPiece[] = []
  let head: Omit<RawResponse, 'pieces'> | null = null
  let bodyBytes = 0
  let signsOfLife = 0
  let resolve: ((outcome: WireOutcome) => void) | null = null
  const outcome = new Promise<WireOutcome>((done) => {
    resolve = done
  })

  const end = (ending: Ending, failure?: string): void => {
    if (resolve === null) return
    idle.clear()
    total.clear()
    const response = head === null ? null : { ...head, pieces }
    resolve({ sentAtMs, endedAtMs: nowMs(), response, ending, ...(failure === undefined ? {} : { failure }) })
    resolve = null
  }
  const stop = (ending: Ending, failure: string): void => {
    end(ending, failure)
    leave()
  }
  const idle = startTimeLimit(limits.idleMs, () => {
    const heard = signsOfLife
    // Bytes may have arrived while this event loop was blocked: sockets are read before a timeout is declared.
    setImmediate(() => {
      if (heard !== signsOfLife) return
      const waitedFor = head === null ? 'no answer' : 'nothing more'
      stop('timed-out', `${waitedFor} for ${seconds(limits.idleMs)}`)
    })
  })
  const total = startTimeLimit(limits.totalMs, () => {
    stop(head === null ? 'timed-out' : 'capped', `not over after ${seconds(limits.totalMs)}`)
  })

  const hear = (): void => {
    signsOfLife += 1
    idle.restart()
  }
  const piece = (bytes: Uint8Array): void => {
    if (resolve === null || bytes.byteLength === 0) return
    hear()
    const room = Math.max(0, Math.min(limits.bodyBytes - bodyBytes, limits.store.leftBytes))
    limits.store.leftBytes -= Math.min(bytes.byteLength, room) + pieceBytes
    pieces.push({ atMs: nowMs(), bytes: bytes.subarray(0, room) })
    bodyBytes += bytes.byteLength
    if (pieces.length === 1 && head !== null && head.status < 300) onFirstPiece?.()
    if (bytes.byteLength > room) stop('capped', whyTooLarge(limits))
    else if (pieces.length >= limits.pieces) stop('capped', `the body came in more than ${limits.pieces} pieces`)
    else if (pieces.length === abortAfterPieces)
      stop('aborted', `left after ${abortAfterPieces} ${abortAfterPieces === 1 ? 'piece' : 'pieces'}`)
  }
  return {
    head: (status, headers) => {
      if (resolve === null) return
      hear()
      head = { status, headers, headAtMs: nowMs() }
    },
    piece,
    end,
    hasEnded: () => resolve === null,
    hasHead: () => head !== null,
    outcome,
  }
}

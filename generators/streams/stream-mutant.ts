/**
 * NDJSON streams as bytes in pieces, right and wrong on purpose: for testing decoders, ours and a client's.
 * Each tells what a decoder must make of it: the same values, or the knowledge that the stream is broken.
 */
import type { Json } from '../../spec/index.ts'

export interface StreamPiece {
  readonly bytes: Uint8Array
  /** Silence before the piece. */
  readonly pauseMs: number
}

export interface StreamMutant {
  /** Operator of the catalogue: S-SPLIT, S-CRLF, … */
  readonly operator: string
  readonly name: string
  readonly pieces: readonly StreamPiece[]
  /** How the connection ends after the last piece. */
  readonly ending: 'complete' | 'reset'
  /**
   * `legal`: every decoder must read `values`. `broken`: it must be seen that the stream is not NDJSON of objects, or is cut.
   * `grey`: the contract is silent; a tolerant decoder reads `values`.
   */
  readonly standing: 'legal' | 'grey' | 'broken'
  /** What is read; for a broken stream what can be read before the fault. */
  readonly values: readonly Json[]
}

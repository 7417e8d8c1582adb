/**
 * Defines NDJSON streams as byte pieces, correct or damaged on purpose, for testing decoders.
 * Each states what a decoder must do: read the values, or detect that the stream is broken.
 */
import type { Json } from '../../spec/index.ts'

export interface StreamPiece {
  readonly bytes: Uint8Array
  /** Delay before the piece. */
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
   * `legal`: every decoder must read `values`. `broken`: a decoder must detect that the stream is not NDJSON of objects, or
   * is cut. `grey`: the contract is silent; a tolerant decoder reads `values`.
   */
  readonly legality: 'legal' | 'grey' | 'broken'
  /** The values of the stream; for a broken stream those before the fault. */
  readonly values: readonly Json[]
}

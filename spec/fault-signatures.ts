/**
 * Known faults by what they violate, measured by the proof: one row per set of requirements.
 * Reports name the likely cause with it. `node scripts/fault-signatures.ts` writes the data.
 */
import signatures from './fault-signatures.json' with { type: 'json' }

export interface FaultSignature {
  /** The requirement that the fault violates by itself. */
  readonly requirement: string
  /** The other requirements that are violated because of it. */
  readonly violates: readonly string[]
  /** How many known faults show just this. */
  readonly faults: number
  /** One of them, in a sentence. */
  readonly example: string
}

export const faultSignatures: readonly FaultSignature[] = signatures

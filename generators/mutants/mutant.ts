/**
 * The words for a request that is wrong in exactly one way: which operator broke it, where, and what it proves.
 * A strength says how much of the rejection the contract promises; GREY mutants are reported and never fail a server.
 */
import type { Json, OperationId } from '../../spec/index.ts'
import type { GeneratedRequest } from '../requests/generated-request.ts'

/** What kind of field error a fault deserves; the exact `type` word is not fixed by the contract. */
export type FaultClass = 'missing' | 'type' | 'parse' | 'bound' | 'enum' | 'pattern' | 'extra' | 'syntax' | 'state'

/**
 * `S`: error_code, `loc` and class are promised. `M`: the error_code is. `W`: it is rejected with a well-formed error and
 * leaves no trace. `GREY`: real servers differ and the contract is silent.
 */
export type Strength = 'S' | 'M' | 'W' | 'GREY'

export type FaultLocation = 'body' | 'query' | 'header' | 'path' | 'syntax'

/** A value that breaks a schema in one place. */
export interface ValueMutant {
  readonly operator: string
  /** JSON pointer of the fault; a missing key is named by its own pointer. */
  readonly pointer: string
  /** The schema keyword that is broken. */
  readonly keyword: string
  readonly class: FaultClass
  readonly value: Json
}

/** A request that breaks the contract in one place. */
export interface Mutant {
  readonly operation: OperationId
  readonly operator: string
  readonly location: FaultLocation
  readonly pointer: string
  readonly keyword: string
  readonly class: FaultClass
  readonly strength: Strength
  /** The error_code that the contract gives for this fault, when it gives one. */
  readonly errorCode: string | null
  readonly request: GeneratedRequest
}

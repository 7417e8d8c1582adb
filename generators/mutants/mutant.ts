/**
 * Defines a mutant: a request that is wrong in exactly one way.
 * Its strength says how much of the rejection the contract promises; GREY mutants are reported and never fail a server.
 */
import type { Json, OperationId } from '../../spec/index.ts'
import type { GeneratedRequest } from '../requests/generated-request.ts'

/** The kind of a fault; the contract does not fix the `type` word of a field error. */
export type FaultClass = 'missing' | 'type' | 'parse' | 'bound' | 'enum' | 'pattern' | 'extra' | 'syntax' | 'state'

/**
 * `S`: the contract promises error_code, `loc` and class. `M`: it promises the error_code. `W`: it promises a well-formed
 * rejection without side effects. `GREY`: the contract is silent and real servers differ.
 */
export type Strength = 'S' | 'M' | 'W' | 'GREY'

export type FaultLocation = 'body' | 'query' | 'header' | 'path' | 'syntax'

/** A value that violates a schema in one place. */
export interface ValueMutant {
  readonly operator: string
  /** JSON pointer of the fault; a missing key is named by its own pointer. */
  readonly pointer: string
  /** The schema keyword that is violated. */
  readonly keyword: string
  readonly class: FaultClass
  readonly value: Json
}

/** A request that violates the contract in one place. */
export interface Mutant {
  readonly operation: OperationId
  readonly operator: string
  readonly location: FaultLocation
  readonly pointer: string
  readonly keyword: string
  readonly class: FaultClass
  readonly strength: Strength
  /** The error_code that the contract gives for this fault, or `null`. */
  readonly errorCode: string | null
  readonly request: GeneratedRequest
}

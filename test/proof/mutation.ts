/** Defines what a mutation changes: one answer of a recorded trace, and its new body. */
import type { Exchange } from '../../conformance/index.ts'
import type { OperationId, RequirementId } from '../../spec/index.ts'

/** One answer of the trace, read. */
export interface Site {
  readonly exchange: Exchange
  readonly operation: OperationId
  readonly status: number
  readonly text: string
  /** The document, or `undefined` when the answer is a stream or no JSON. */
  readonly document: unknown
  /** The exchanges about the same thread, this one among them. */
  readonly slice: readonly Exchange[]
}

/** What an operator makes of an answer. */
export interface Mutation {
  /** `drop`, `retype`, `split line`, … */
  readonly operator: string
  readonly at: string
  readonly requirement: RequirementId
  readonly body: string | Uint8Array
}

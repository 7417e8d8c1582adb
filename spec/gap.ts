/**
 * The vocabulary of silence: a question that the contract leaves open, and how the kit lives with it.
 * No gap fails a target by default; a vendor may declare an answer, which then becomes an obligation.
 */
import type { OperationId } from './operations.ts'
import type { Chapter } from './requirement.ts'

export interface Gap {
  /** Stable id, `<chapter>.<question>`. */
  readonly id: `${Chapter}.${string}`
  readonly question: string
  /** Heading path in the contract where it is silent. */
  readonly section: string
  /** The contract's own mark, or that it says nothing at all. */
  readonly mark: 'not shown' | 'not stated' | 'silent'
  /** What an answer may look like: listed values, or a description in angle brackets. */
  readonly answers: readonly string[]
  /** What must hold whatever the answer is, or `null` when nothing must. */
  readonly consistency: string | null
  /** What the mock does, one of the answers. */
  readonly mockAnswer: string
  readonly operations: readonly OperationId[]
}

/**
 * Defines a gap: a question that the contract leaves open, and the answer of the mock.
 * No gap fails a target by default; a vendor may declare an answer, which then becomes an obligation.
 */
import type { Chapter } from './chapters.ts'
import type { OperationId } from './operations.ts'

export interface Gap {
  /** Stable id, `<chapter>.<question>`. */
  readonly id: `${Chapter}.${string}`
  readonly question: string
  /** Heading path in the contract where it is silent. */
  readonly section: string
  /** The contract's own mark; `silent` where it does not mention the question. */
  readonly mark: 'not shown' | 'not stated' | 'silent'
  /** Possible answers: listed values, or a description in angle brackets. */
  readonly answers: readonly string[]
  /** What must be true whatever the answer is; `null` if nothing must. */
  readonly consistency: string | null
  /** What the mock does. */
  readonly mockAnswer: string
  readonly operations: readonly OperationId[]
}

/** A gap as its chapter writes it: without a mark it is silent, and what is left out is none. */
export type GapRow = Omit<Gap, 'mark' | 'consistency' | 'operations'> &
  Partial<Pick<Gap, 'mark' | 'consistency' | 'operations'>>

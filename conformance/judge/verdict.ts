/**
 * The types of a judgement: one verdict for each obligation, gap observations and notices.
 * Outcome, severity (level, basis) and cause (reason) are separate fields. Whether a verdict is owed and whether it
 * blocks is decided by the judge alone; everything downstream reads these two fields.
 */
import type { Basis, Level, OperationId } from '../../spec/index.ts'

const outcomes = [
  'violated',
  'upheld',
  'unexercised',
  'inapplicable',
  'inconclusive',
  'observed',
  'suite-fault',
] as const
export type Outcome = (typeof outcomes)[number]

/** The shortest counterexample of a violation. */
export interface Counterexample {
  /** Exchanges that it needs, in order, producers first. */
  readonly steps: readonly { readonly exchange: string; readonly name: string; readonly shows: string }[]
  /** The contradiction in one sentence. */
  readonly contradiction: string
  /** Always `null`, for readers of older reports: a judgement does not include replays, only a report does. */
  readonly confirmed: boolean | null
  /** Set when it shows only with the same pauses between many requests, so that its steps alone show nothing. */
  readonly timed?: true
}

export interface Verdict {
  readonly requirement: string
  readonly operation: OperationId
  readonly facet: string | null
  readonly level: Level
  readonly basis: Basis
  /** Whether the run is incomplete as long as this obligation is neither upheld nor violated. */
  readonly owed: boolean
  /** Whether this verdict alone makes the run nonconformant. */
  readonly blocking: boolean
  readonly outcome: Outcome
  /** How many independent observations support the outcome. */
  readonly witnesses: number
  readonly reason?: string
  /** Exchanges that the outcome rests on (for `upheld`, the first few). */
  readonly exchanges: readonly string[]
  readonly expected?: string
  readonly actual?: string
  /** JSON pointer or line of the first contradicting value. */
  readonly pointer?: string
  /** The violation as a clause about the operation: `accepts a request without a key`. Missing in older reports. */
  readonly headline?: string
  readonly witness?: Counterexample
}

/** The behaviour of the target where the contract is silent. */
export interface Observation {
  readonly gap: string
  readonly value: string
  readonly consistent: boolean
  readonly exchanges: readonly string[]
  /** Set when the profile declares an answer: whether it was met, and if not, whether it was at times. */
  readonly declared?: { readonly value: string; readonly met: boolean; readonly mixed?: true }
  /** Text that the contract could adopt. */
  readonly proposal?: string
}

/** A notable observation that violates nothing: other detail text, unlisted error code, leniency. */
export interface Notice {
  readonly code: string
  readonly text: string
  readonly exchanges: readonly string[]
}

export type RunOutcome = 'conformant' | 'nonconformant' | 'incomplete' | 'invalid'

export type RunExitCode = 0 | 1 | 2 | 3

export interface Judgement {
  readonly outcome: RunOutcome
  readonly exitCode: RunExitCode
  /** Why the run is incomplete or invalid, in one line. */
  readonly reason?: string
  readonly verdicts: readonly Verdict[]
  readonly observations: readonly Observation[]
  readonly notices: readonly Notice[]
}

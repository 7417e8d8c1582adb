/**
 * The compliance record itself: what report.json holds. Every other rendering is made from this and nothing else,
 * so it carries the texts of the rules and questions that it refers to: an old report stays readable.
 * Its JSON Schema is report.schema.json beside this file; the two are held together by a test.
 */
import type {
  Exchange,
  Finding,
  Notice,
  Observation,
  ReceivedPiece,
  RecordedResponse,
  RunOutcome,
  Verdict,
} from '../conformance/index.ts'
import type { Gap, Requirement } from '../spec/index.ts'

/** What a reader needs of a requirement row. */
export type RuleText = Pick<Requirement, 'level' | 'basis' | 'rule' | 'section' | 'fix'>

/** What a reader needs of a gap row. */
export type QuestionText = Pick<Gap, 'question' | 'section' | 'mark' | 'mockAnswer' | 'consistency'>

/** A piece of a body; when its bytes were cut, how many there were. */
export type ReportedPiece = ReceivedPiece & { readonly sizeBytes?: number }

/** An exchange as the report keeps it: long bodies cut, every arrival time kept. */
export interface ReportedExchange extends Exchange {
  readonly response: (Omit<RecordedResponse, 'pieces'> & { readonly pieces: readonly ReportedPiece[] }) | null
  /** How many body bytes were left out. */
  readonly omittedBytes?: number
}

/** Which part of a divided run this is. */
export interface Shard {
  /** From 1. */
  readonly index: number
  readonly count: number
}

export interface ReportRun {
  readonly outcome: RunOutcome
  readonly exitCode: 0 | 1 | 2 | 3
  readonly seed: number
  readonly startedAt: string
  readonly durationMs: number
  readonly target: string
  readonly contractDigest: string
  readonly profileDigest: string
  readonly suiteVersion: string
  readonly strict: boolean
  readonly tier: string
  readonly claimed: readonly string[]
  /** Levels whose owed obligations were all upheld. */
  readonly granted: readonly string[]
  readonly complete: boolean
  /** Why the run is incomplete or invalid, in one line. */
  readonly incompleteReason?: string
  readonly shard?: Shard
}

export interface ReportCost {
  readonly exchanges: number
  readonly modelCalls: number
  readonly maxExchanges: number | null
  readonly maxModelCalls: number | null
}

export interface Report {
  readonly schemaVersion: 1
  readonly run: ReportRun
  readonly cost: ReportCost
  readonly verdicts: readonly Verdict[]
  readonly observations: readonly Observation[]
  readonly notices: readonly Notice[]
  readonly findings: readonly Finding[]
  /** Texts of the requirements that the verdicts name, by id. */
  readonly rules: Readonly<Record<string, RuleText>>
  /** Texts of the gaps that the observations name, by id. */
  readonly questions: Readonly<Record<string, QuestionText>>
  /** The exchanges, for the renderings that show them; bodies cut at a limit, the trace has them whole. */
  readonly exchanges: readonly ReportedExchange[]
}

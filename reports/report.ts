/**
 * The compliance record itself: the format of report.json. Every other rendering is made from it alone, so it holds the
 * texts of the rules and questions that it refers to: an old report stays readable. Its JSON Schema is report.schema.json
 * beside this file; the two are held together by a test.
 */
import type {
  Exchange,
  Notice,
  Observation,
  ReceivedPiece,
  RecordedResponse,
  RunOutcome,
  Verdict,
} from '../conformance/index.ts'
import type { Gap, Requirement } from '../spec/index.ts'

/** The part of a requirement row that a reader needs. */
export type RuleText = Required<Pick<Requirement, 'level' | 'basis' | 'rule' | 'section' | 'fix'>>

/** The part of a gap row that a reader needs. */
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
  /** The pattern of the selected rules, when not all were; such a run grants nothing. */
  readonly only?: string
  /** Where recorded traffic came from; missing for runs of the suite, which alone have a seed and a tier. */
  readonly source?: 'har' | 'proxy'
  /** The effect of the baseline on the run; `outcome` and `exitCode` above include it. */
  readonly baseline?: ReportedBaseline
  /** Whether flaky violations fail the run. */
  readonly failOnFlaky?: boolean
}

/** One line of a baseline. */
export interface BaselineEntry {
  /** `requirement operation facet`, as reports name it. */
  readonly obligation: string
  readonly reason: string
  /** `2027-01-31`: the last day on which the entry counts. */
  readonly expires: string
}

/** A baseline as it applied to one run. Verdicts are named by their obligation. */
export interface ReportedBaseline {
  readonly file: string
  /** Violations that the baseline knows. */
  readonly known: readonly string[]
  /** Blocking violations that it does not know. */
  readonly unexpected: readonly string[]
  /** Entries whose rule is no longer violated, or that name no obligation. */
  readonly stale: readonly BaselineEntry[]
  readonly expired: readonly BaselineEntry[]
  /** Entries that this run could neither confirm nor refute. */
  readonly unproven: readonly BaselineEntry[]
}

/** The result of sending the steps of one violation again. */
export interface ReportedReplay {
  readonly obligation: string
  readonly outcome: 'reproduced' | 'not-reproduced' | 'not-tried'
  /** Why it was not tried. */
  readonly reason?: string
  /** Whether it took the earlier requests about the same ids to show it. */
  readonly history?: boolean
  /** Whether the run was disturbed and the replay kept the rule, so that the violation does not fail the run. */
  readonly flaky: boolean
  /** Exchanges of the run that a gateway error or a broken connection disturbed. */
  readonly disturbances?: readonly string[]
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
  /** The results of replaying the violations; missing when nothing was replayed. */
  readonly replays?: readonly ReportedReplay[]
  readonly observations: readonly Observation[]
  readonly notices: readonly Notice[]
  /** Texts of the requirements that the verdicts name, by id. */
  readonly rules: Readonly<Record<string, RuleText>>
  /** Texts of the gaps that the observations name, by id. */
  readonly questions: Readonly<Record<string, QuestionText>>
  /** The exchanges, for the renderings that show them; bodies cut at a limit, the trace has them whole. */
  readonly exchanges: readonly ReportedExchange[]
}

/**
 * The compliance record itself: what report.json holds. Every other rendering is made from this and nothing else.
 * Its JSON Schema is report.schema.json beside this file; the two are held together by a test.
 */
import type { Exchange, Finding, Notice, Observation, RunOutcome, Verdict } from '../conformance/index.ts'

export interface Report {
  readonly schemaVersion: 1
  readonly run: {
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
    readonly incompleteReason?: string
  }
  readonly cost: {
    readonly exchanges: number
    readonly modelCalls: number
    readonly maxExchanges: number | null
    readonly maxModelCalls: number | null
  }
  readonly verdicts: readonly Verdict[]
  readonly observations: readonly Observation[]
  readonly notices: readonly Notice[]
  readonly findings: readonly Finding[]
  /** The exchanges, for the renderings that show them; bodies cut at a limit, the trace has them whole. */
  readonly exchanges: readonly Exchange[]
}

/**
 * From evidence and judgement to the record: a pure function, so that the same trace gives the same report on any
 * machine. All that is not judged (claims, caps) comes out of the trace's own header.
 */
import type { Judgement, Trace } from '../conformance/index.ts'
import { conformanceLevels, gapOf, requirementOf } from '../spec/index.ts'
import { cutExchange } from './cut-exchange.ts'
import { grantedLevels } from './granted-levels.ts'
import type { QuestionText, Report, ReportCost, ReportedExchange, ReportRun, RuleText, Shard } from './report.ts'

export interface ReportOptions {
  /** Whether `implied` rules block too. */
  readonly strict?: boolean
  readonly tier?: string
  readonly shard?: Shard
  /** Caps of the run; without them those of the profile in the trace. */
  readonly caps?: { readonly maxExchanges: number | null; readonly maxModelCalls: number | null }
}

/** Bodies of exchanges that a verdict other than `upheld` cites keep this much, bytes. */
const citedLimitBytes = 65_536
/** Bodies of all other exchanges keep this much, bytes. */
const otherLimitBytes = 4_096

/** The report of one judged trace. */
export function createReport(trace: Trace, judgement: Judgement, options: ReportOptions = {}): Report {
  return {
    schemaVersion: 1,
    run: runOf(trace, judgement, options),
    cost: costOf(trace, options),
    verdicts: judgement.verdicts,
    observations: judgement.observations,
    notices: judgement.notices,
    findings: judgement.findings,
    rules: rulesOf(judgement),
    questions: questionsOf(judgement),
    exchanges: reportedExchanges(trace, judgement),
  }
}

function runOf(
  { header, footer }: Trace,
  judgement: Judgement,
  { strict = false, tier, shard }: ReportOptions,
): ReportRun {
  const claimed = claimsOf(header.profile)
  const reason = judgement.reason ?? (footer === null ? 'no footer: the recording broke off' : footer.reason)
  return {
    outcome: judgement.outcome,
    exitCode: judgement.exitCode,
    seed: header.seed,
    startedAt: header.startedAt,
    durationMs: footer?.durationMs ?? 0,
    target: header.target,
    contractDigest: header.contractDigest,
    profileDigest: header.profileDigest,
    suiteVersion: header.suiteVersion,
    strict,
    tier: tier ?? 'gate',
    claimed,
    granted: grantedLevels(judgement, claimed, { strict }),
    complete: footer?.complete ?? false,
    ...(reason === undefined ? {} : { incompleteReason: reason }),
    ...(shard === undefined ? {} : { shard }),
  }
}

function costOf({ header, footer, exchanges }: Trace, { caps }: ReportOptions): ReportCost {
  const budget = record(record(header.profile).budget)
  return {
    exchanges: footer?.exchanges ?? exchanges.length,
    modelCalls: footer?.modelCalls ?? 0,
    maxExchanges: caps === undefined ? numberOrNull(budget.maxExchanges) : caps.maxExchanges,
    maxModelCalls: caps === undefined ? numberOrNull(budget.maxModelCalls) : caps.maxModelCalls,
  }
}

function claimsOf(profile: unknown): readonly string[] {
  const claims = record(profile).claims
  return Array.isArray(claims) ? conformanceLevels.filter((level) => claims.includes(level)) : []
}

function rulesOf({ verdicts }: Judgement): Report['rules'] {
  return textsById(
    verdicts.map((verdict) => verdict.requirement),
    (id): RuleText | undefined => {
      const row = requirementOf(id)
      return row && { level: row.level, basis: row.basis, rule: row.rule, section: row.section, fix: row.fix }
    },
  )
}

function questionsOf({ observations }: Judgement): Report['questions'] {
  return textsById(
    observations.map((observation) => observation.gap),
    (id): QuestionText | undefined => {
      const row = gapOf(id)
      if (row === undefined) return undefined
      const { question, section, mark, mockAnswer, consistency } = row
      return { question, section, mark, mockAnswer, consistency }
    },
  )
}

function textsById<T>(ids: readonly string[], textOf: (id: string) => T | undefined): Readonly<Record<string, T>> {
  const entries = [...new Set(ids)].sort().flatMap((id): readonly (readonly [string, T])[] => {
    const text = textOf(id)
    return text === undefined ? [] : [[id, text]]
  })
  return Object.fromEntries(entries)
}

function reportedExchanges({ exchanges }: Trace, { verdicts }: Judgement): readonly ReportedExchange[] {
  const cited = new Set(
    verdicts
      .filter((verdict) => verdict.outcome !== 'upheld')
      .flatMap((verdict) => [...verdict.exchanges, ...(verdict.witness?.steps ?? []).map((step) => step.exchange)]),
  )
  return exchanges.map((exchange) => cutExchange(exchange, cited.has(exchange.id) ? citedLimitBytes : otherLimitBytes))
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {}
}

function numberOrNull(value: unknown): number | null {
  return typeof value === 'number' ? value : null
}

/**
 * Builds the report from evidence and judgement. It is a pure function, so that the same trace gives the same report on
 * any machine. Data that is not judged (claims, caps) comes from the trace's own header.
 */
import type { Judgement, Trace } from '../conformance/index.ts'
import { conformanceLevels, gapOf, requirementOf } from '../spec/index.ts'
import { cutExchange } from './cut-exchange.ts'
import { grantedLevels } from './granted-levels.ts'
import type { QuestionText, Report, ReportCost, ReportedExchange, ReportRun, RuleText, Shard } from './report.ts'

interface ReportOptions {
  /** Whether every must blocks, not only the stated ones. */
  readonly strict?: boolean
  /** The options of the run; without these the plan in the trace's header counts. */
  readonly tier?: string
  /** The selected rules, when not all were. */
  readonly only?: string | undefined
  readonly shard?: Shard
  readonly caps?: Caps
}

type Caps = Pick<ReportCost, 'maxExchanges' | 'maxModelCalls'>

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
    rules: rulesOf(judgement),
    questions: questionsOf(judgement),
    exchanges: reportedExchanges(trace, judgement),
  }
}

function runOf(trace: Trace, judgement: Judgement, { strict = false, ...asked }: ReportOptions): ReportRun {
  const { header, footer } = trace
  const claimed = claimsOf(header.profile)
  const reason = judgement.reason ?? (footer === null ? 'no footer: the recording broke off' : footer.reason)
  const shard = asked.shard ?? plannedShard(header)
  const only = asked.only ?? plannedOnly(header)
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
    tier: asked.tier ?? textOr(planOf(header).tier, 'gate'),
    claimed,
    // Recorded traffic, a selection of rules and a run that ended early show only a part: none of them grants a level.
    granted:
      header.source === 'suite' && only === undefined && footer?.complete === true
        ? grantedLevels(judgement, claimed)
        : [],
    complete: footer?.complete ?? false,
    ...(reason === undefined ? {} : { incompleteReason: reason }),
    ...(shard === undefined ? {} : { shard }),
    ...(only === undefined ? {} : { only }),
    ...(header.source === 'suite' ? {} : { source: header.source }),
  }
}

function costOf({ header, footer, exchanges }: Trace, { caps }: ReportOptions): ReportCost {
  const planned = { ...record(record(header.profile).budget), ...planOf(header) }
  return {
    exchanges: footer?.exchanges ?? exchanges.length,
    modelCalls: footer?.modelCalls ?? 0,
    maxExchanges: caps === undefined ? withReserve(planned, 'maxExchanges', 'exchanges') : caps.maxExchanges,
    maxModelCalls: caps === undefined ? withReserve(planned, 'maxModelCalls', 'modelCalls') : caps.maxModelCalls,
  }
}

/** A cap of the plan, with the additional budget of repetitions; `null` is no cap. */
function withReserve(
  planned: Readonly<Record<string, unknown>>,
  cap: string,
  kind: 'exchanges' | 'modelCalls',
): number | null {
  const limit = numberOrNull(planned[cap])
  return limit === null ? null : limit + (numberOrNull(record(planned.reserve)[kind]) ?? 0)
}

/** The options of the run, if the suite wrote them into the header: tier, caps, shard. */
function planOf(header: Trace['header']): Readonly<Record<string, unknown>> {
  return 'plan' in header ? record(header.plan) : {}
}

function plannedShard(header: Trace['header']): Shard | undefined {
  const { index, count } = record(planOf(header).shard)
  return typeof index === 'number' && typeof count === 'number' ? { index, count } : undefined
}

function plannedOnly(header: Trace['header']): string | undefined {
  const { only } = planOf(header)
  return typeof only === 'string' ? only : undefined
}

function claimsOf(profile: unknown): readonly string[] {
  const claims = record(profile).claims
  return Array.isArray(claims) ? conformanceLevels.filter((level) => claims.includes(level)) : []
}

function rulesOf({ verdicts }: Judgement): Report['rules'] {
  return textsById(
    verdicts.map((verdict) => verdict.requirement),
    (id) => requirementText(id) ?? declaredText(id),
  )
}

/** The level of a rule that is not required, and yet was broken. */
const unknownFix = 'Compare the exchanges with the contract.'

function requirementText(id: string): RuleText | undefined {
  const row = requirementOf(id)
  if (row === undefined) return undefined
  const { level, basis, rule, section, fix = unknownFix } = row
  return { level, basis, rule, section, fix }
}

/** An answer that the profile declares is an obligation of its own, named after the gap. */
function declaredText(id: string): RuleText | undefined {
  const row = gapOf(id.replace(/^gap\./, ''))
  return (
    row && {
      level: 'must',
      basis: 'stated',
      rule: `The answer that the profile declares is the one that the target gives: ${row.question}`,
      section: row.section,
      fix: 'Correct the declaration in the profile, or the implementation.',
    }
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

function textOr(value: unknown, otherwise: string): string {
  return typeof value === 'string' ? value : otherwise
}

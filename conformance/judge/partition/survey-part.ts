/**
 * Judges one part of a trace by itself and selects the exchanges that the last judgement needs. For everything that the
 * part shows these are a few of the components that show it, and what must be compared with other parts.
 */
import type { Exchange, Trace, TraceHeader } from '../../trace/exchange.ts'
import { farBeyondQuota } from '../classify/unmet-quota.ts'
import { gapObservers } from '../gaps/gap-observers.ts'
import { noticesOf } from '../notices.ts'
import { oracles } from '../oracles/oracles.ts'
import type { EvidenceScope } from '../oracles/support/oracle.ts'
import { isAccepted, type ParsedExchange } from '../read/parsed-exchange.ts'
import { suiteFaults } from '../suite-faults.ts'
import { analyzeTrace, type TraceAnalysis } from '../trace-analysis.ts'
import { signatureOf } from './exchange-signature.ts'
import { type Candidate, Marks } from './marks.ts'
import { type SharedValues, sharedValuesOf } from './shared-values.ts'
import { SurveyLog, type SurveyLogOptions } from './survey-log.ts'

/** The exchanges of a part, each with its component; `null` for those that are only context. */
interface SurveyInput {
  readonly header: TraceHeader
  readonly exchanges: readonly Exchange[]
  readonly components: readonly (number | null)[]
}

/** How often something was seen: `requirement operation facet`, then upheld, violated and inconclusive observations. */
export type WitnessCounts = readonly (readonly [obligation: string, held: number, contradicted: number, open: number])[]

export interface PartSurvey {
  readonly candidates: readonly Candidate[]
  readonly witnesses: WitnessCounts
  readonly shared: SharedValues
  /** The component of the request that was accepted last; `null` when none was. */
  readonly lastAccepted: { readonly sentAtMs: number; readonly component: number } | null
}

/** Surveys a part. Never throws for what a target did. */
export function surveyPart({ header, exchanges, components }: SurveyInput): PartSurvey {
  const byId = new Map(exchanges.map(({ id }, index) => [id, components[index] ?? null]))
  const componentOf = (id: string): number | null => byId.get(id) ?? null
  const elsewhere = new Set(exchanges.flatMap(({ id }) => (componentOf(id) === null ? id : [])))
  const footer = { kind: 'footer', exchanges: exchanges.length, modelCalls: 0, durationMs: 0, complete: true } as const
  const trace: Trace = { header, exchanges, notes: [], footer }
  const analysis = analyzeTrace(trace)
  const marks = new Marks()
  const own = analysis.parsedExchanges.filter(({ id }) => !elsewhere.has(id))
  const signatures = new Map(own.map((parsed) => [parsed.id, signatureOf(analysis, parsed)]))
  markSignatures(own, signatures, analysis, (mark, id, most) => marks.add(mark, componentOf(id), most))
  const witnesses = surveyOracles(analysis, {
    marks,
    componentOf,
    elsewhere,
    signatureOf: (id) => signatures.get(id) ?? '',
  })
  markGaps(analysis, marks, componentOf)
  for (const { code, text, exchanges: shown } of noticesOf(analysis))
    for (const id of shown) marks.add(`notice ${code} ${text}`, componentOf(id), 5)
  for (const { reason, exchanges: shown } of suiteFaults(analysis))
    for (const id of shown) marks.add(`suite fault ${reason}`, componentOf(id), 5)
  return {
    candidates: marks.candidates(),
    witnesses,
    shared: sharedValuesOf(analysis, componentOf),
    lastAccepted: lastAcceptedOf(own, componentOf),
  }
}

/** How many components that show one thing are kept for the last judgement. */
export const keptComponents: Readonly<Record<EvidenceScope, number>> = { exchange: 2, thread: 3, tenant: 4, trace: 5 }

/** Beyond a quota that is surely used up: requests at once, one by one, and at once again, see limit-at-once.ts. */
const countedAgain = 54

/** Some of each look; of requests with the throttled key as many as a rule counts. */
function markSignatures(
  own: readonly ParsedExchange[],
  signatures: ReadonlyMap<string, string>,
  { profile }: TraceAnalysis,
  mark: (mark: string, id: string, most: number) => void,
): undefined {
  let quota = profile.throttledAfter === null ? 0 : farBeyondQuota(profile.throttledAfter) + countedAgain
  for (const { id, tenant } of own) {
    mark(signatures.get(id) ?? '', id, 3)
    if (tenant !== 'throttled' || quota === 0) continue
    quota -= 1
    mark(`quota ${id}`, id, 1)
  }
}

function surveyOracles(analysis: TraceAnalysis, around: Omit<SurveyLogOptions, 'requirement' | 'most'>): WitnessCounts {
  const { marks, componentOf } = around
  const witnesses: (readonly [string, number, number, number])[] = []
  for (const [requirement, { scope, judge }] of Object.entries(oracles)) {
    const log = new SurveyLog({ ...around, requirement, most: keptComponents[scope] })
    try {
      judge(analysis, log)
    } catch {
      // The last judgement meets it again, and reports it as a fault of the suite.
      for (const { id } of analysis.parsedExchanges) marks.add(`failed ${requirement}`, componentOf(id), 100)
    }
    for (const { operation, facet, held, contradicted, ambiguous } of log.tallies())
      witnesses.push([`${requirement} ${operation} ${facet}`, held, contradicted, ambiguous])
  }
  return witnesses
}

function markGaps(analysis: TraceAnalysis, marks: Marks, componentOf: (exchange: string) => number | null): undefined {
  for (const [gap, observer] of Object.entries(gapObservers)) {
    if (typeof observer === 'string') continue
    // Group → values that enough components show: a few values are sighted in nearly every exchange.
    const enough = new Map<string, Set<string>>()
    for (const { value, exchange, group = '' } of observer(analysis)) {
      const ofGroup = enough.get(group)
      if (ofGroup?.has(value) === true) continue
      if (!marks.add(`gap ${gap} ${group} ${value}`, componentOf(exchange), 2)) continue
      if (ofGroup === undefined) enough.set(group, new Set([value]))
      else ofGroup.add(value)
    }
  }
}

function lastAcceptedOf(
  own: readonly ParsedExchange[],
  componentOf: (exchange: string) => number | null,
): PartSurvey['lastAccepted'] {
  const last = own.findLast(isAccepted)
  const component = last === undefined ? null : componentOf(last.id)
  return last === undefined || component === null ? null : { sentAtMs: last.sentAtMs, component }
}

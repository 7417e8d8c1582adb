/**
 * Judges requests that must be refused. A success contradicts the rule; a refusal upholds it only as evidence of that rule.
 */
import type { OperationId } from '../../../../spec/index.ts'
import type { FaultRule } from '../../classify/request-fault.ts'
import type { Contradiction, ObservationLog } from '../../observation-log.ts'
import { isAccepted, isRefusal, isSentElsewhere, type ParsedExchange } from '../../read/parsed-exchange.ts'
import { hasSuccessShape } from '../../read/success-shape.ts'
import type { TraceAnalysis } from '../../trace-analysis.ts'
import { answerName } from './answer-name.ts'
import { perTrace, type ScopedOracle } from './oracle.ts'
import { failedForGood } from './permanent-failure.ts'
import { doubtAboutRefusal } from './refusal-evidence.ts'

/** The options of {@link mustBeRefused}. */
export interface RefusalRule {
  readonly operations: readonly OperationId[]
  /** Fault → facet of the obligation. */
  readonly faults: Readonly<Partial<Record<FaultRule, string | null>>>
  /** The request in words, for example `a completion without assistant_id`. */
  readonly what: string
}

/** Judges the requests with one of the given faults, those with further faults as far as they decide anything. */
export function mustBeRefused(analysis: TraceAnalysis, observe: ObservationLog, rule: RefusalRule): void {
  for (const [parsed, facet, fault] of withSoleFault(analysis, rule.operations, rule.faults)) {
    judgeRefusal(analysis, observe, parsed, { fault, facet, what: rule.what })
  }
  for (const operation of rule.operations) {
    for (const parsed of analysis.withSeveralFaults(operation)) judgeSeveralFaults(analysis, observe, parsed, rule)
  }
}

/** An oracle that judges nothing else; the evidence for a refusal may be anywhere in the trace. */
export const refusalOf = (
  operations: RefusalRule['operations'],
  what: string,
  faults: RefusalRule['faults'],
): ScopedOracle => perTrace((analysis, observe) => mustBeRefused(analysis, observe, { operations, faults, what }))

/** Requests whose only fault is one of the given, with the facet that the fault stands for. */
export function* withSoleFault(
  analysis: TraceAnalysis,
  operations: readonly OperationId[],
  faults: RefusalRule['faults'],
): Generator<readonly [parsed: ParsedExchange, facet: string | null, fault: FaultRule]> {
  for (const operation of operations) {
    for (const [rule, facet] of Object.entries(faults)) {
      for (const parsed of analysis.withSoleFault(operation, rule as FaultRule))
        yield [parsed, facet, rule as FaultRule]
    }
  }
}

/** A request that must be refused for a fault, and the obligation that it shows. */
interface FaultyRequest {
  readonly fault: FaultRule
  readonly facet: string | null
  readonly what: string
}

/** One request that must be refused, and nothing else is surely wrong with it. */
export function judgeRefusal(
  analysis: TraceAnalysis,
  observe: ObservationLog,
  parsed: ParsedExchange,
  { fault, facet, what }: FaultyRequest,
): void {
  const { operation, id } = parsed
  if (operation === null) return
  const failed = failedForGood(analysis, parsed)
  if (failed !== null) observe.contradicted(operation, facet, failing(parsed, failed, what))
  else if (isRefusal(parsed) || isSentElsewhere(parsed)) {
    const doubt = doubtAboutRefusal(analysis, parsed, fault)
    if (doubt === null) observe.held(operation, facet, id)
    else observe.ambiguous(operation, facet, id, doubt)
  } else if (isAccepted(parsed) && hasSuccessShape(parsed)) {
    observe.contradicted(operation, facet, accepted(parsed, what))
  } else observe.ambiguous(operation, facet, id, `${id} got ${answerName(parsed)}, which neither accepts nor refuses.`)
}

const accepted = (parsed: ParsedExchange, what: string): Contradiction => ({
  exchanges: [parsed.id],
  expected: 'a rejection',
  actual: answerName(parsed),
  because: `${parsed.id} is ${what}, and it was accepted.`,
  headline: `accepts ${what}`,
})

/** One failure may be a coincidence; the same failure each time is caused by the fault. */
const failing = (parsed: ParsedExchange, attempts: readonly ParsedExchange[], what: string): Contradiction => ({
  exchanges: attempts.map(({ id }) => id),
  expected: 'a rejection',
  actual: answerName(parsed),
  because: `${parsed.id} is ${what}, and it fails in each of ${attempts.length} attempts, while other requests of the operation are served.`,
  headline: `fails on ${what}, in each of ${attempts.length} attempts`,
})

/** Several faults: a success breaks the rule of each, and a refusal may still name one of them. */
function judgeSeveralFaults(
  analysis: TraceAnalysis,
  observe: ObservationLog,
  parsed: ParsedExchange,
  rule: RefusalRule,
): void {
  const { operation, id } = parsed
  const faults = analysis.requestOf(parsed).faults.map((fault) => fault.rule)
  const ofRule = faults.filter((fault) => rule.faults[fault] !== undefined)
  const [first] = ofRule
  const facet = first === undefined ? undefined : rule.faults[first]
  if (operation === null || first === undefined || facet === undefined) return
  if (isAccepted(parsed) && hasSuccessShape(parsed)) {
    const others = faults.filter((fault) => rule.faults[fault] === undefined)
    if (!others.some((fault) => isIgnored(analysis, operation, fault)))
      observe.contradicted(operation, facet, accepted(parsed, rule.what))
    else observe.ambiguous(operation, facet, id, `${id} was accepted in spite of ${faults.join(' and ')}.`)
    return
  }
  if (!isRefusal(parsed)) return
  for (const fault of ofRule) {
    const of = rule.faults[fault] ?? null
    const doubt = doubtAboutRefusal(analysis, parsed, fault)
    if (doubt === null) observe.held(operation, of, id)
    else observe.ambiguous(operation, of, id, doubt)
  }
}

/** Whether a request with this fault alone was accepted: then that rule is broken. */
function isIgnored(analysis: TraceAnalysis, operation: OperationId, fault: FaultRule): boolean {
  return analysis.withSoleFault(operation, fault).some((parsed) => isAccepted(parsed) && hasSuccessShape(parsed))
}

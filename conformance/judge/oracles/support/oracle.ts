/**
 * What an oracle is: a pure function over the docket that testifies about one requirement. And the phrases that many share.
 */
import type { OperationId } from '../../../../spec/index.ts'
import type { FaultRule } from '../../classify/request-fault.ts'
import type { Write } from '../../history/thread-record.ts'
import type { ObservationLog } from '../../observation-log.ts'
import { isAccepted, isRefusal, type ParsedExchange } from '../../read/parsed-exchange.ts'
import { hasSuccessShape } from '../../read/success-shape.ts'
import type { TraceAnalysis } from '../../trace-analysis.ts'

export type Oracle = (analysis: TraceAnalysis, observe: ObservationLog) => void

/** How an answer reads in a report. */
export function answerName({ answer, exchange }: ParsedExchange): string {
  if (answer.kind === 'none')
    return exchange.response === null ? `no answer (${exchange.ending})` : `an answer that was ${exchange.ending}`
  const status = answer.status === null ? '' : `${answer.status} `
  if (answer.code !== null) return `${status}${answer.code}`
  return answer.kind === 'accepted' ? `${status}success` : `${status}without error_code`
}

/** The message that surely stood last in the thread of a request; `null` when it was empty or nobody knows. */
export function newestBefore(analysis: TraceAnalysis, parsed: ParsedExchange): Write | null {
  const newest = analysis.histories.thread(parsed.params.thread_id ?? '')?.timeline.newest(parsed, parsed)
  return newest === undefined || newest === 'none' ? null : newest
}

/** What to look for in {@link mustBeRefused}. */
export interface RefusalRule {
  readonly operations: readonly OperationId[]
  /** Fault → facet of the obligation. */
  readonly faults: Readonly<Partial<Record<FaultRule, string | null>>>
  /** What the request was, for example `a completion without assistant_id`. */
  readonly what: string
}

/** Requests whose only fault is one of the given: a refusal upholds the rule, a success contradicts it. */
export function mustBeRefused(analysis: TraceAnalysis, observe: ObservationLog, rule: RefusalRule): undefined {
  for (const [parsed, facet] of withSoleFault(analysis, rule.operations, rule.faults)) {
    judgeRefusal(observe, parsed, facet, rule.what)
  }
}

/** Requests whose only fault is one of the given, with the facet that the fault stands for. */
export function* withSoleFault(
  analysis: TraceAnalysis,
  operations: readonly OperationId[],
  faults: RefusalRule['faults'],
): Generator<readonly [ParsedExchange, string | null]> {
  for (const operation of operations) {
    for (const [rule, facet] of Object.entries(faults)) {
      for (const parsed of analysis.withSoleFault(operation, rule as FaultRule)) yield [parsed, facet]
    }
  }
}

/** One request that must be refused. */
export function judgeRefusal(
  observe: ObservationLog,
  parsed: ParsedExchange,
  facet: string | null,
  what: string,
): undefined {
  const { operation, id } = parsed
  if (operation === null) return
  if (isRefusal(parsed) || isSentElsewhere(parsed)) observe.held(operation, facet, id)
  else if (isAccepted(parsed) && hasSuccessShape(parsed)) {
    observe.contradicted(operation, facet, {
      exchanges: [id],
      expected: 'a rejection',
      actual: answerName(parsed),
      because: `${id} is ${what}, and it was accepted.`,
    })
  } else observe.ambiguous(operation, facet, id, `${id} got ${answerName(parsed)}, which neither accepts nor refuses.`)
}

/** A redirect to another origin, where a sign-in page may be, is not followed and is no success. */
function isSentElsewhere({ answer, exchange }: ParsedExchange): boolean {
  const location = exchange.response?.headers.find(([name]) => name.toLowerCase() === 'location')?.[1]
  if (answer.kind !== 'redirect' || location === undefined) return false
  const { origin } = new URL(exchange.request.url)
  return URL.canParse(location, origin) && new URL(location, origin).origin !== origin
}

/** One request that must be accepted; `beside` are those that show that nothing else about it is to blame. */
export function judgeAcceptance(
  observe: ObservationLog,
  parsed: ParsedExchange,
  facet: string | null,
  what: string,
  beside: readonly ParsedExchange[] = [],
): undefined {
  const { operation, id } = parsed
  if (operation === null) return
  if (isAccepted(parsed)) observe.held(operation, facet, id)
  else if (isRefusal(parsed)) {
    observe.contradicted(operation, facet, {
      exchanges: [...beside.map((other) => other.id), id],
      expected: 'the success response',
      actual: answerName(parsed),
      because: `${id} is ${what}, and it was refused with ${answerName(parsed)}.`,
    })
  } else observe.ambiguous(operation, facet, id, `${id} got ${answerName(parsed)}.`)
}

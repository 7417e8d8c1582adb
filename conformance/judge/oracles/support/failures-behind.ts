/**
 * Finds server errors that come behind one kind of refusal and nowhere else. A service may fail now and then; one that
 * fails whenever it has just refused a request leaves something behind, such as a connection in a failed transaction.
 */
import { errorRowOf } from '../../../../spec/index.ts'
import { provokedCode } from '../../classify/provoked-code.ts'
import { isRefusal, type ParsedExchange } from '../../read/parsed-exchange.ts'
import { memoPerTrace, type TraceAnalysis } from '../../trace-analysis.ts'

export interface FailuresBehind {
  /** The code of the refusals. */
  readonly code: string
  readonly refusals: number
  /** The failures, in the order in which they were sent. */
  readonly failures: readonly ParsedExchange[]
  /** The refusal before the first failure. */
  readonly first: ParsedExchange
}

/** By chance so many stand behind a seldom refusal once in thousands of runs. */
const leastFailures = 5
const leastShare = 0.8
const mostOftenRefused = 1 / 8

/** Server errors nearly all of which come right behind refusals with one code, or `null`. */
export const failuresBehindRefusals = memoPerTrace((analysis): FailuresBehind | null => {
  const failures = analysis.parsedExchanges.filter(
    (parsed) => parsed.operation !== null && isServerFailure(analysis, parsed),
  )
  if (failures.length < leastFailures) return null
  const ended = analysis.parsedExchanges.toSorted((one, other) => one.endedAtMs - other.endedAtMs)
  const behind = new Map<string, (readonly [ParsedExchange, ParsedExchange])[]>()
  for (const failure of failures) {
    const before = ended.findLast(({ endedAtMs }) => endedAtMs <= failure.sentAtMs)
    if (before === undefined || !isNear(before, failure)) continue
    const code = refusalCode(analysis, before)
    if (code !== null) behind.set(code, [...(behind.get(code) ?? []), [before, failure]])
  }
  for (const [code, pairs] of behind) {
    const refusals = analysis.withCode(code).length
    const [first] = pairs
    const isSeldom = refusals <= analysis.parsedExchanges.length * mostOftenRefused
    const isShare = pairs.length >= Math.max(leastFailures, failures.length * leastShare)
    const places = new Set(pairs.map(([, { operation, path }]) => `${operation} ${path}`))
    if (first !== undefined && isSeldom && isShare && places.size > 1)
      return { code, refusals, failures: pairs.map(([, failure]) => failure), first: first[0] }
  }
  return null
})

/** A part of a long trace has gaps, and what was right before a request may be missing there. */
const isNear = (before: ParsedExchange, after: ParsedExchange): boolean =>
  requestNumberOf(after) - requestNumberOf(before) <= mostAtOnce

const mostAtOnce = 8
/** The number of a request in its run; `NaN` in the trace of another tool. */
export const requestNumberOf = ({ id }: ParsedExchange): number => Number(/^E(\d+)$/.exec(id)?.[1] ?? Number.NaN)

/**
 * Whether a request of the suite got a server error that it did not provoke. Traffic of others is not judged: what their clients
 * send in turn is no chance.
 */
export function isServerFailure(analysis: TraceAnalysis, parsed: ParsedExchange): boolean {
  const { answer, key, exchange } = parsed
  const isOwn = answer.code === 'internal_service_error' || answer.status === 500
  const isAsked = exchange.intent !== null && key === 'sent'
  return isOwn && isAsked && provokedCode(parsed, analysis) === null
}

/** The code of the contract with which a request was refused for what it says, or `null`. */
function refusalCode(analysis: TraceAnalysis, parsed: ParsedExchange): string | null {
  const { code } = parsed.answer
  if (!isRefusal(parsed) || errorRowOf(code) === undefined || provokedCode(parsed, analysis) !== null) return null
  return code === 'rate_limit_gateway' ? null : code
}

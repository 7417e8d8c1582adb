/**
 * Finds server errors that come once after each of several provoked errors, and nowhere else. A service that does not roll back
 * what it wrote before the error, for example, fails the next request that writes.
 */
import { provokedCode } from '../../classify/provoked-code.ts'
import { isAccepted, type ParsedExchange } from '../../read/parsed-exchange.ts'
import { memoPerTrace, type TraceAnalysis } from '../../trace-analysis.ts'
import { isServerFailure, requestNumberOf } from './failures-behind.ts'

export interface FailureBehindProvoked {
  readonly provoked: ParsedExchange
  readonly failure: ParsedExchange
}

/** A run has hundreds of writes: three failures are by chance the first ones after three errors once in millions of runs. */
const leastFailures = 3
/** Errors that stop a request while it is served. */
const stopping: ReadonlySet<string> = new Set(['api_timeout_error', 'internal_service_error'])

/** All server errors that were not provoked, if each is the first write after another provoked error; empty otherwise. */
export const failuresBehindProvoked = memoPerTrace((analysis): readonly FailureBehindProvoked[] => {
  const failures = analysis.parsedExchanges.filter((parsed) => isServerFailure(analysis, parsed))
  if (failures.length < leastFailures) return []
  const provoked = analysis.parsedExchanges.filter((parsed) => {
    const code = provokedCode(parsed, analysis)
    return code !== null && stopping.has(code) && parsed.answer.code === code
  })
  const found: FailureBehindProvoked[] = []
  let isUp = false
  for (const failure of failures) {
    // Several requests are under way at a time, so the failure may have been sent while the error was on its way.
    const before = provoked.findLast(({ endedAtMs }) => endedAtMs <= failure.endedAtMs)
    if (before === undefined || found.some((one) => one.provoked === before)) return []
    const between = servedBetween(analysis, before, failure)
    if (between === null || between.some(isAcceptedWrite)) return []
    // An outage that lasts for a moment would stop what is read as well.
    isUp ||= between.some(isAccepted)
    found.push({ provoked: before, failure })
  }
  return isUp ? found : []
})

/** A grant is asked for with GET, and stores a file. */
const isAcceptedWrite = (parsed: ParsedExchange): boolean =>
  isAccepted(parsed) && (parsed.exchange.request.method !== 'GET' || parsed.operation === 'createUploadGrant')

/**
 * What was sent after one answer and answered before another one; `null` where the trace lacks a request between the two, as a
 * part of a long trace may.
 */
function servedBetween(
  { parsedExchanges }: TraceAnalysis,
  before: ParsedExchange,
  after: ParsedExchange,
): readonly ParsedExchange[] | null {
  const [from, to] = [requestNumberOf(before), requestNumberOf(after)]
  const between = parsedExchanges.filter((parsed) => requestNumberOf(parsed) > from && requestNumberOf(parsed) < to)
  if (between.length !== to - from - 1) return null
  return between.filter(({ sentAtMs, endedAtMs }) => sentAtMs >= before.endedAtMs && endedAtMs <= after.endedAtMs)
}

/**
 * Finds requests that hang in threads whose stream a caller has left, while others are served.
 * A model may be slow, but not many times as slow in these threads only.
 */
import { bothRuns, completionOperations, type OperationId, threadOperations } from '../../../../spec/index.ts'
import { highest } from '../../../trace/highest.ts'
import { threadKey } from '../../read/formats.ts'
import { isAccepted, type ParsedExchange } from '../../read/parsed-exchange.ts'
import { memoPerTrace, type TraceAnalysis } from '../../trace-analysis.ts'

/** So many attempts at least. */
const leastAttempts = 3
/** So much longer than the slowest answer each of them was waited for. */
const leastFactor = 5

export interface HangingRequests {
  /** A stream that its caller left, in the thread of the first attempt. */
  readonly left: ParsedExchange
  readonly attempts: readonly ParsedExchange[]
  /** The shortest time that one of them was waited for, milliseconds. */
  readonly waitedMs: number
  /** How long the slowest answer to such a request took elsewhere, milliseconds. */
  readonly slowestMs: number
}

/** The attempts at an operation that all hung behind left streams, or `null`. */
export function hangingRequests(analysis: TraceAnalysis, operation: OperationId): HangingRequests | null {
  if (!operationsOfThreads.has(operation)) return null
  const attempts = analysis
    .of(operation)
    .filter((parsed) => hasHung(parsed) && analysis.requestOf(parsed).validity === 'valid')
  const [first, second] = attempts
  if (first === undefined || second === undefined || attempts.length < leastAttempts) return null
  const streams = leftStreams(analysis)
  const left = streams.get(threadOf(first))
  if (left === undefined) return null
  const isBehind = (parsed: ParsedExchange): boolean => {
    const stream = streams.get(threadOf(parsed))
    return stream !== undefined && parsed.sentAtMs > stream.endedAtMs
  }
  const served = servedLike(analysis, operation)
  const slowestMs = highest(served.map(durationMs))
  const waitedMs = attempts.reduce((least, attempt) => Math.min(least, durationMs(attempt)), Number.POSITIVE_INFINITY)
  // Where others hang as well, or one of these threads was served since, something else is to blame.
  const areAlone = attempts.every(isBehind) && !served.some(isBehind)
  const isUp = served.some(({ sentAtMs }) => sentAtMs > second.endedAtMs)
  return areAlone && isUp && waitedMs >= leastFactor * slowestMs ? { left, attempts, waitedMs, slowestMs } : null
}

const operationsOfThreads: ReadonlySet<OperationId> = new Set(threadOperations)
const runs: ReadonlySet<OperationId> = new Set(bothRuns)

/** No answer, or the code of the contract for a model that is late. */
const hasHung = ({ exchange, answer }: ParsedExchange): boolean =>
  exchange.ending === 'timed-out' || answer.code === 'api_timeout_error'

const threadOf = ({ params }: ParsedExchange): string => threadKey(params.thread_id ?? '')

const durationMs = ({ sentAtMs, endedAtMs }: ParsedExchange): number => endedAtMs - sentAtMs

/** Thread → the last stream of it that its caller left. */
const leftStreams = memoPerTrace((analysis): ReadonlyMap<string, ParsedExchange> => {
  const left = analysis
    .of('streamThreadRun')
    .filter(({ exchange }) => exchange.ending === 'aborted' && exchange.response?.status === 200)
  return new Map(left.map((parsed) => [threadOf(parsed), parsed]))
})

/** What shows how long an answer takes: of a model any run or completion, otherwise the same operation. */
function servedLike(analysis: TraceAnalysis, operation: OperationId): readonly ParsedExchange[] {
  const alike = runs.has(operation) ? [...completionOperations, ...bothRuns] : [operation]
  return alike
    .flatMap((one) => analysis.of(one))
    .filter((parsed) => isAccepted(parsed) && parsed.exchange.ending === 'complete')
}

/**
 * Finds requests that hang in threads whose stream a caller has aborted, while others are served.
 * A model may be slow, but not many times as slow in these threads only.
 */
import { bothRuns, completionOperations, type OperationId, threadOperations } from '../../../../spec/index.ts'
import { highest, lowest } from '../../../trace/highest.ts'
import { threadKey } from '../../read/formats.ts'
import { isAccepted, type ParsedExchange } from '../../read/parsed-exchange.ts'
import { memoPerTrace, type TraceAnalysis } from '../../trace-analysis.ts'

/** The least number of attempts. */
const leastAttempts = 3
/** The factor by which each wait exceeds the slowest answer. */
const leastFactor = 5

export interface HangingRequests {
  /** A stream that its caller aborted, in the thread of the first attempt. */
  readonly left: ParsedExchange
  readonly attempts: readonly ParsedExchange[]
  /** The shortest time that one of them was waited for, milliseconds. */
  readonly waitedMs: number
  /** How long the slowest answer to such a request took elsewhere, milliseconds. */
  readonly slowestMs: number
}

/** The attempts at an operation that all hung after aborted streams, or `null`. */
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
  const waitedMs = lowest(attempts.map(durationMs))
  // If others hang too, or one of these threads was served since, there is another cause.
  const areAlone = attempts.every(isBehind) && !served.some(isBehind)
  const isUp = served.some(({ sentAtMs }) => sentAtMs > second.endedAtMs)
  return areAlone && isUp && waitedMs >= leastFactor * slowestMs ? { left, attempts, waitedMs, slowestMs } : null
}

const operationsOfThreads: ReadonlySet<OperationId> = new Set(threadOperations)
const runs: ReadonlySet<OperationId> = new Set(bothRuns)

/** Whether there is no answer, or the contract's code for a slow model. */
const hasHung = ({ exchange, answer }: ParsedExchange): boolean =>
  exchange.ending === 'timed-out' || answer.code === 'api_timeout_error'

const threadOf = ({ params }: ParsedExchange): string => threadKey(params.thread_id ?? '')

const durationMs = ({ sentAtMs, endedAtMs }: ParsedExchange): number => endedAtMs - sentAtMs

/** Thread → its last stream that was aborted by the caller. */
const leftStreams = memoPerTrace((analysis): ReadonlyMap<string, ParsedExchange> => {
  const left = analysis
    .of('streamThreadRun')
    .filter(({ exchange }) => exchange.ending === 'aborted' && exchange.response?.status === 200)
  return new Map(left.map((parsed) => [threadOf(parsed), parsed]))
})

/** The operations that show how long an answer takes: for a model any run or completion, otherwise the same operation. */
function servedLike(analysis: TraceAnalysis, operation: OperationId): readonly ParsedExchange[] {
  const alike = runs.has(operation) ? [...completionOperations, ...bothRuns] : [operation]
  return alike
    .flatMap((one) => analysis.of(one))
    .filter((parsed) => isAccepted(parsed) && parsed.exchange.ending === 'complete')
}

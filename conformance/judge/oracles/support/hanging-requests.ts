/**
 * Finds requests that hang in threads whose last run failed or was aborted by its caller, while others are served.
 * A model may be slow, but not many times as slow in these threads only.
 */
import { bothRuns, completionOperations, type OperationId, threadOperations } from '../../../../spec/index.ts'
import { highest, lowest } from '../../../trace/highest.ts'
import { threadKey } from '../../read/formats.ts'
import { isAccepted, type ParsedExchange } from '../../read/parsed-exchange.ts'
import { groupedBy, memoPerTrace, type TraceAnalysis } from '../../trace-analysis.ts'

/** The least number of attempts. */
const leastAttempts = 3
/** The factor by which each wait exceeds the slowest answer. */
const leastFactor = 5

export interface HangingRequests {
  /** A stream that its caller aborted, or a run that failed, in the thread of the first attempt. */
  readonly ended: ParsedExchange
  readonly attempts: readonly ParsedExchange[]
  /** The shortest time that one of them was waited for, milliseconds. */
  readonly waitedMs: number
  /** How long the slowest answer to such a request took elsewhere, milliseconds. */
  readonly slowestMs: number
}

/** The attempts at an operation that all hung after aborted streams or failed runs, or `null`. */
export function hangingRequests(analysis: TraceAnalysis, operation: OperationId): HangingRequests | null {
  if (!operationsOfThreads.has(operation)) return null
  const late = analysis
    .of(operation)
    .filter((parsed) => hasHung(parsed) && analysis.requestOf(parsed).validity === 'valid')
  if (late.length < leastAttempts) return null
  const served = servedLike(analysis, operation)
  const slowestMs = highest(served.map(durationMs))
  // What is answered with the code at once did not hang.
  const isLong = (parsed: ParsedExchange): boolean => durationMs(parsed) >= leastFactor * slowestMs
  const attempts = late.filter(isLong)
  const [first, second] = attempts
  if (first === undefined || second === undefined || attempts.length < leastAttempts) return null
  const endedIn = new Map(
    attempts.toReversed().map((attempt): readonly [string, ParsedExchange | undefined] => {
      const before = endedRuns(analysis)(threadOf(attempt)).filter(({ endedAtMs }) => endedAtMs < attempt.sentAtMs)
      return [threadOf(attempt), before.findLast((run) => isLeftRun(run) || !isLong(run))]
    }),
  )
  const ended = endedIn.get(threadOf(first))
  if (ended === undefined) return null
  const isBehind = (parsed: ParsedExchange): boolean =>
    parsed.sentAtMs > (endedIn.get(threadOf(parsed))?.endedAtMs ?? Number.POSITIVE_INFINITY)
  const waitedMs = lowest(attempts.map(durationMs))
  // If others hang too, or one of these threads was served since, there is another cause.
  const areAlone = attempts.every(isBehind) && !served.some(isBehind)
  const isUp = served.some(({ sentAtMs }) => sentAtMs > second.endedAtMs)
  return areAlone && isUp ? { ended, attempts, waitedMs, slowestMs } : null
}

const operationsOfThreads: ReadonlySet<OperationId> = new Set(threadOperations)
const runs: ReadonlySet<OperationId> = new Set(bothRuns)

/** Whether there is no answer, or the contract's code for a slow model. */
const hasHung = ({ exchange, answer }: ParsedExchange): boolean =>
  exchange.ending === 'timed-out' || answer.code === 'api_timeout_error'

const threadOf = ({ params }: ParsedExchange): string => threadKey(params.thread_id ?? '')

const durationMs = ({ sentAtMs, endedAtMs }: ParsedExchange): number => endedAtMs - sentAtMs

/** Thread → its streams that the caller aborted and its runs that failed, as they were sent. */
const endedRuns = memoPerTrace((analysis) => {
  const ended = bothRuns.flatMap((form) => analysis.of(form)).filter((parsed) => isLeftRun(parsed) || hasFailed(parsed))
  return groupedBy(
    ended.toSorted((one, other) => one.sentAtMs - other.sentAtMs),
    threadOf,
  )
})

/** A stream that its caller left behind its head, or a whole run before it. */
export const isLeftRun = ({ operation, exchange: { ending, response } }: ParsedExchange): boolean =>
  ending === 'aborted' && (operation === 'runThread' ? response === null : response?.status === 200)

const hasFailed = ({ answer, exchange }: ParsedExchange): boolean =>
  answer.kind === 'environmental' && exchange.ending === 'complete' && answer.code !== 'rate_limit_gateway'

/** The operations that show how long an answer takes: for a model any run or completion, otherwise the same operation. */
function servedLike(analysis: TraceAnalysis, operation: OperationId): readonly ParsedExchange[] {
  const alike = runs.has(operation) ? [...completionOperations, ...bothRuns] : [operation]
  return alike
    .flatMap((one) => analysis.of(one))
    .filter((parsed) => isAccepted(parsed) && parsed.exchange.ending === 'complete')
}

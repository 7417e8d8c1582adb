/**
 * Finds requests that get no answer in threads whose stream a caller has left, while others are served.
 * A model may be slow, but not many times as slow in these threads only.
 */
import { bothRuns, completionOperations, type OperationId, threadOperations } from '../../../../spec/index.ts'
import { threadKey } from '../../read/formats.ts'
import { isAccepted, type ParsedExchange } from '../../read/parsed-exchange.ts'
import { memoPerTrace, type TraceAnalysis } from '../../trace-analysis.ts'

/** So many attempts at least. */
const leastAttempts = 3
/** So much longer than the slowest answer each of them was waited for. */
const leastFactor = 5

export interface VainWait {
  /** A stream that its caller left, in the thread of the first attempt. */
  readonly left: ParsedExchange
  readonly attempts: readonly ParsedExchange[]
  /** How long the slowest answer to such a request took elsewhere, milliseconds. */
  readonly slowestMs: number
}

/** The attempts at an operation that waited in vain, or `null`. */
export function waitedInVain(analysis: TraceAnalysis, operation: OperationId): VainWait | null {
  if (!operationsOfThreads.has(operation)) return null
  const unanswered = analysis.of(operation).filter(({ exchange }) => exchange.ending === 'timed-out')
  const attempts = unanswered.filter((parsed) => analysis.requestOf(parsed).validity === 'valid')
  const [, second] = attempts
  if (second === undefined || attempts.length < leastAttempts) return null
  const streams = leftStreams(analysis)
  const left = streams.get(threadOf(attempts[0]))
  if (left === undefined) return null
  const served = servedLike(analysis, operation)
  const slowestMs = Math.max(...served.map(durationMs))
  const isVain = (parsed: ParsedExchange): boolean =>
    durationMs(parsed) >= leastFactor * slowestMs &&
    (streams.get(threadOf(parsed))?.endedAtMs ?? Number.POSITIVE_INFINITY) < parsed.sentAtMs
  // Where others wait as well, or one of these threads was served since, something else is to blame.
  const isServedSince = served.some(
    (parsed) => (streams.get(threadOf(parsed))?.endedAtMs ?? Number.POSITIVE_INFINITY) < parsed.sentAtMs,
  )
  const isUp = served.some(({ sentAtMs }) => sentAtMs > second.endedAtMs)
  return attempts.every(isVain) && isUp && !isServedSince ? { left, attempts, slowestMs } : null
}

const operationsOfThreads: ReadonlySet<OperationId> = new Set(threadOperations)

const threadOf = (parsed?: ParsedExchange): string | null =>
  parsed?.params.thread_id == null ? null : threadKey(parsed.params.thread_id)

const durationMs = ({ sentAtMs, endedAtMs }: ParsedExchange): number => endedAtMs - sentAtMs

/** Thread → the last stream of it that its caller left. */
const leftStreams = memoPerTrace((analysis): ReadonlyMap<string | null, ParsedExchange> => {
  const left = analysis
    .of('streamThreadRun')
    .filter(({ exchange }) => exchange.ending === 'aborted' && exchange.response?.status === 200)
  return new Map(left.map((parsed) => [threadOf(parsed), parsed]))
})

/** What shows how long an answer takes: of a model any run or completion, otherwise the same operation. */
function servedLike(analysis: TraceAnalysis, operation: OperationId): readonly ParsedExchange[] {
  const isRun = (bothRuns as readonly OperationId[]).includes(operation)
  const alike = isRun ? [...completionOperations, ...bothRuns] : [operation]
  return alike
    .flatMap((one) => analysis.of(one))
    .filter((parsed) => isAccepted(parsed) && parsed.exchange.ending === 'complete')
}

/**
 * Finds runs of a thread that get no answer since a caller left its stream, while assistants answer elsewhere.
 * A model may be slow, but not twenty times as slow in one thread only.
 */
import { bothRuns, completionOperations, type OperationId } from '../../../../spec/index.ts'
import { threadKey } from '../../read/formats.ts'
import { isAccepted, type ParsedExchange } from '../../read/parsed-exchange.ts'
import { memoPerTrace, type TraceAnalysis } from '../../trace-analysis.ts'

/** So many attempts at least. */
const leastAttempts = 3
/** So many answers say how long an answer takes. */
const leastAnswers = 5
/** So much longer than the slowest of them was waited. */
const leastFactor = 20

export interface VainWait {
  /** The stream that its caller left. */
  readonly left: ParsedExchange
  readonly attempts: readonly ParsedExchange[]
  /** How long the slowest answer took, milliseconds. */
  readonly slowestMs: number
}

/** The attempts at such runs in one thread, or `null`. */
export function waitedInVain(analysis: TraceAnalysis, operation: OperationId): VainWait | null {
  const { slowestMs, unanswered } = answersOf(analysis)
  const threads = new Set(unanswered.map(threadOf))
  const [thread] = threads
  // Where several threads or completions wait in vain, the model is to blame.
  if (slowestMs === null || threads.size !== 1 || thread == null) return null
  const left = streamLeftIn(analysis, thread)
  if (left === undefined) return null
  const attempts = unanswered.filter(
    (parsed) =>
      parsed.operation === operation &&
      parsed.sentAtMs > left.endedAtMs &&
      analysis.requestOf(parsed).validity === 'valid' &&
      parsed.endedAtMs - parsed.sentAtMs >= leastFactor * slowestMs,
  )
  const last = attempts[leastAttempts - 1]
  if (last === undefined) return null
  const wasUp = analysis.parsedExchanges.some((parsed) => isAccepted(parsed) && parsed.sentAtMs > last.endedAtMs)
  return wasUp ? { left, attempts, slowestMs } : null
}

const threadOf = ({ params }: ParsedExchange): string | null =>
  params.thread_id == null ? null : threadKey(params.thread_id)

/** A stream of a thread that its caller left, and that nobody has run with success since. */
function streamLeftIn(analysis: TraceAnalysis, thread: string): ParsedExchange | undefined {
  const own = bothRuns.flatMap((operation) => analysis.of(operation)).filter((parsed) => threadOf(parsed) === thread)
  const isLeft = ({ exchange }: ParsedExchange): boolean =>
    exchange.ending === 'aborted' && exchange.response?.status === 200
  const lastServedMs = Math.max(...own.filter((one) => isAccepted(one) && !isLeft(one)).map(({ sentAtMs }) => sentAtMs))
  return own.find((one) => isLeft(one) && one.sentAtMs > lastServedMs)
}

/** How long the slowest answer took, `null` where too few came; and which runs and completions timed out. */
const answersOf = memoPerTrace((analysis) => {
  const asked = [...completionOperations, ...bothRuns].flatMap((operation) => analysis.of(operation))
  const durations = asked
    .filter((parsed) => isAccepted(parsed) && parsed.exchange.ending === 'complete')
    .map(({ sentAtMs, endedAtMs }) => endedAtMs - sentAtMs)
  return {
    slowestMs: durations.length < leastAnswers ? null : Math.max(...durations),
    unanswered: asked.filter(({ exchange }) => exchange.ending === 'timed-out'),
  }
})

/** Finds refusals that a run still under way on the same thread may explain. The contract is silent on them. */
import { highest } from '../../trace/highest.ts'
import type { ThreadHistories, ThreadHistory } from '../history/thread-histories.ts'
import type { Write } from '../history/thread-record.ts'
import { memoPer } from '../memo.ts'
import { isRefusal, isRun, type ParsedExchange } from '../read/parsed-exchange.ts'
import { addAmbiguity, type FaultList } from './request-fault.ts'

const usualSpread = 3
const usualSlackMs = 1000

/**
 * The time at which a run whose client has disconnected is surely over, by the duration of the longest answer;
 * milliseconds.
 */
export const longestBusyMs = (longestMs: number): number => usualSpread * longestMs + usualSlackMs

/**
 * A message or run that is refused beside a run. If its client disconnected, a run may continue until a list shows its
 * answer.
 */
export function busyAmbiguity(
  parsed: ParsedExchange,
  thread: ThreadHistory,
  histories: ThreadHistories,
  list: FaultList,
): undefined {
  // A thread that exists is not missing during a run either.
  if (!isRefusal(parsed) || parsed.answer.code === 'thread_not_found') return
  if (mayMeetRun(parsed, thread, histories)) addAmbiguity(list, 'a request while a run of its thread may be under way')
}

/** Whether another run of the thread may be under way during a request, of those that count. */
export function mayMeetRun(
  parsed: ParsedExchange,
  { writes }: ThreadHistory,
  histories: ThreadHistories,
  counts: (run: ParsedExchange) => boolean = () => true,
): boolean {
  const mayBeUnderWay = ({ kind, parsed: run, sentAtMs, certainFromMs }: Write): boolean =>
    kind === 'answer' &&
    isRun(run) &&
    run !== parsed &&
    counts(run) &&
    sentAtMs < parsed.endedAtMs &&
    certainFromMs > parsed.sentAtMs &&
    parsed.sentAtMs < Math.max(run.endedAtMs, sentAtMs + longestBusyMs(longestAnswerMs(histories)))
  return writes.some(mayBeUnderWay)
}

/** Of the whole answers of the trace; `Infinity` where there is none. */
const longestAnswerMs = memoPer(({ threads }: ThreadHistories): number => {
  const took = threads.flatMap(({ acknowledged }) =>
    acknowledged.flatMap(({ kind, parsed: { sentAtMs, endedAtMs } }) =>
      kind === 'answer' ? [endedAtMs - sentAtMs] : [],
    ),
  )
  return took.length === 0 ? Number.POSITIVE_INFINITY : highest(took)
})

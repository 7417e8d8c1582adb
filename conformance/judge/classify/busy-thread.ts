/** Finds refusals that a run of the same thread explains which is still under way. The contract is silent on them. */
import type { ThreadHistories, ThreadHistory } from '../history/thread-histories.ts'
import type { Write } from '../history/thread-record.ts'
import { isRefusal, isRun, type ParsedExchange } from '../read/parsed-exchange.ts'
import { addAmbiguity, type FaultList } from './request-fault.ts'

/** A run without a client surely takes no longer than so many times the longest answer, and as many milliseconds more. */
const usualSpread = 3
const usualSlackMs = 1000

/** A refused message or run beside a run. One whose client left may go on until a list shows its answer. */
export function busyAmbiguity(
  parsed: ParsedExchange,
  { writes }: ThreadHistory,
  histories: ThreadHistories,
  list: FaultList,
): undefined {
  if (!isRefusal(parsed)) return
  const mayBeUnderWay = ({ kind, parsed: run, sentAtMs, certainFromMs }: Write): boolean =>
    kind === 'answer' &&
    isRun(run) &&
    run !== parsed &&
    sentAtMs < parsed.endedAtMs &&
    certainFromMs > parsed.sentAtMs &&
    parsed.sentAtMs < Math.max(run.endedAtMs, sentAtMs + usualSpread * longestAnswerMs(histories) + usualSlackMs)
  if (writes.some(mayBeUnderWay)) addAmbiguity(list, 'a request while a run of its thread may be under way')
}

const known = new WeakMap<ThreadHistories, number>()

/** Of the whole answers of the trace; `Infinity` where there is none. */
function longestAnswerMs(histories: ThreadHistories): number {
  const before = known.get(histories)
  if (before !== undefined) return before
  const took = histories.threads.flatMap(({ acknowledged }) =>
    acknowledged.flatMap(({ kind, parsed: { sentAtMs, endedAtMs } }) =>
      kind === 'answer' ? [endedAtMs - sentAtMs] : [],
    ),
  )
  const longest = took.length === 0 ? Number.POSITIVE_INFINITY : took.reduce((left, right) => Math.max(left, right))
  known.set(histories, longest)
  return longest
}

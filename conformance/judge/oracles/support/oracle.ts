/** What an oracle is: a pure function that reads an analysed trace and records observations about one requirement. */
import type { Write } from '../../history/thread-record.ts'
import type { ObservationLog } from '../../observation-log.ts'
import type { ParsedExchange } from '../../read/parsed-exchange.ts'
import type { TraceAnalysis } from '../../trace-analysis.ts'

export type Oracle = (analysis: TraceAnalysis, observe: ObservationLog) => void

/** The message that surely stood last in the thread of a request; `null` when it was empty or nobody knows. */
export function newestBefore(analysis: TraceAnalysis, parsed: ParsedExchange): Write | null {
  const newest = analysis.histories.thread(parsed.params.thread_id ?? '')?.timeline.newest(parsed, parsed)
  return newest === undefined || newest === 'none' ? null : newest
}

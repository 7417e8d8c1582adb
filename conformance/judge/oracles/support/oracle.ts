/** Defines an oracle: a pure function that reads an analysed trace and records observations about one requirement. */
import type { Write } from '../../history/thread-record.ts'
import type { ObservationLog } from '../../observation-log.ts'
import type { ParsedExchange } from '../../read/parsed-exchange.ts'
import type { TraceAnalysis } from '../../trace-analysis.ts'

export type Oracle = (analysis: TraceAnalysis, observe: ObservationLog) => void

/**
 * The partitioning of a requirement's evidence. A long trace is judged in parts that keep threads whole; a requirement
 * that needs more than its own part is judged on exchanges gathered from all of them.
 */
export type EvidenceScope = 'exchange' | 'thread' | 'tenant' | 'trace'

/** An oracle, and the evidence that it needs together. */
export interface ScopedOracle {
  readonly scope: EvidenceScope
  readonly judge: Oracle
}

/** Needs one exchange, and the class of its request. */
export const perExchange = (judge: Oracle): ScopedOracle => ({ scope: 'exchange', judge })

/** Needs the exchanges of one thread or upload. */
export const perThread = (judge: Oracle): ScopedOracle => ({ scope: 'thread', judge })

/** Needs the exchanges of one key, with its assistants. */
export const perTenant = (judge: Oracle): ScopedOracle => ({ scope: 'tenant', judge })

/** Needs any others, such as controls without the fault, twins, or ids that must differ. */
export const perTrace = (judge: Oracle): ScopedOracle => ({ scope: 'trace', judge })

/** The message that surely stood last in the thread of a request; `null` when it was empty or unknown. */
export function newestBefore(analysis: TraceAnalysis, parsed: ParsedExchange): Write | null {
  const newest = analysis.histories.thread(parsed.params.thread_id ?? '')?.timeline.newest(parsed, parsed)
  return newest === undefined || newest === 'none' ? null : newest
}

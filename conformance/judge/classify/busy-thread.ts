/** Finds refusals that a run of the same thread explains which is still under way. The contract is silent on them. */
import type { ThreadHistory } from '../history/thread-histories.ts'
import type { Write } from '../history/thread-record.ts'
import { isRefusal, isRun, type ParsedExchange } from '../read/parsed-exchange.ts'
import { addAmbiguity, type FaultList } from './request-fault.ts'

/** A refused message or run beside a run. One whose client left may go on until a list shows its answer. */
export function busyAmbiguity(parsed: ParsedExchange, { writes }: ThreadHistory, list: FaultList): undefined {
  if (!isRefusal(parsed)) return
  const mayBeUnderWay = ({ kind, parsed: run, sentAtMs, certainFromMs }: Write): boolean =>
    kind === 'answer' && isRun(run) && run !== parsed && sentAtMs < parsed.endedAtMs && certainFromMs > parsed.sentAtMs
  if (writes.some(mayBeUnderWay)) addAmbiguity(list, 'a request while a run of its thread may be under way')
}

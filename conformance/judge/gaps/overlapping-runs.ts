/** Observer of the gap threads.overlapping-runs: what the later of two runs gets that are under way on one thread. */
import { bothRuns } from '../../../spec/index.ts'
import { threadKey } from '../read/formats.ts'
import { isAccepted, isRefusal, type ParsedExchange } from '../read/parsed-exchange.ts'
import type { GapObserver } from './gap-observer.ts'

export const overlappingRuns: GapObserver = function* (analysis) {
  const latest = new Map<string, ParsedExchange>()
  const runs = bothRuns.flatMap((operation) => analysis.of(operation))
  for (const run of runs.sort((left, right) => left.sentAtMs - right.sentAtMs)) {
    const thread = threadKey(run.params.thread_id ?? '')
    const before = latest.get(thread)
    latest.set(thread, run)
    if (before === undefined || before.tenant !== run.tenant || before.endedAtMs <= run.sentAtMs) continue
    // A run that breaks a rule is refused for that, whatever else is under way.
    if ([run, before].some((one) => analysis.requestOf(one).faults.length > 0)) continue
    const isRefused = isRefusal(run) || isRefusal(before)
    if (isRefused || (isAccepted(run) && isAccepted(before)))
      yield { value: isRefused ? 'rejected' : 'accepted', exchange: run.id }
  }
}

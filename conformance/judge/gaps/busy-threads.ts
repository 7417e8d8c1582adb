/** Observers of gaps about runs: what another run and a message get while one is under way on their thread. */
import { bothRuns } from '../../../spec/index.ts'
import type { Write } from '../history/thread-record.ts'
import { threadKey } from '../read/formats.ts'
import { isAccepted, isRefusal, isRun, type ParsedExchange } from '../read/parsed-exchange.ts'
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

export const messageDuringRun: GapObserver = function* (analysis) {
  for (const message of analysis.of('createMessage')) {
    const { faults, ambiguities } = analysis.requestOf(message)
    const { writes = [] } = analysis.histories.thread(message.params.thread_id ?? '') ?? {}
    const isBeside = ({ kind, parsed: run, sentAtMs }: Write): boolean =>
      kind === 'answer' && isRun(run) && sentAtMs < message.sentAtMs && run.endedAtMs > message.endedAtMs
    const isRefused = isRefusal(message) && ambiguities.some(({ about }) => about === whileRunning)
    if (faults.length === 0 && (isRefused || (isAccepted(message) && writes.some(isBeside))))
      yield { value: isRefused ? 'rejected' : 'accepted', exchange: message.id }
  }
}

const whileRunning = 'a request while a run of its thread may be under way'

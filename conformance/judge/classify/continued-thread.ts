/** Finds the open questions about a completion that names a thread. */
import type { ThreadHistory } from '../history/thread-histories.ts'
import { mayHoldCalls } from '../history/tool-calls.ts'
import { isRefusal, type ParsedExchange, queryValues } from '../read/parsed-exchange.ts'
import type { JudgeContext } from './judge-context.ts'
import { addAmbiguity, type FaultList } from './request-fault.ts'
import { isWithoutTenant, otherAnswererAmbiguity } from './state-faults.ts'

/** A completion may go on in a thread; which ones it may name is not shown. */
export function queriedThread(parsed: ParsedExchange, around: JudgeContext, list: FaultList): undefined {
  const [id] = queryValues(parsed, 'thread_id')
  if (id === undefined || id === '' || id === 'null') return
  const thread = around.histories.thread(id)
  const isOwn =
    thread?.origin.tenant === parsed.tenant || isWithoutTenant(parsed) || goesOnForTenant(parsed, thread, around)
  const own = isOwn && thread?.origin.kind === 'completion'
  if (!own) addAmbiguity(list, 'a completion in a thread that no completion of this key made')
  else if (parsed.operation === 'streamChatCompletionEvents')
    addAmbiguity(list, 'a query parameter of the events stream')
  else {
    otherAnswererAmbiguity(parsed, thread, around, list)
    // Whether it may go on where a call has no result is not said; a call shows in an answer that was returned or listed.
    if (isRefusal(parsed) && mayHoldCalls(thread, around.profile.tools, parsed.sentAtMs))
      addAmbiguity(list, 'a thread that may hold open tool calls')
  }
}

/**
 * Whether one key of the first tenant goes on where the other one began. A refusal of that is judged only where the records of both
 * keys show one tenant.
 */
function goesOnForTenant(parsed: ParsedExchange, thread: ThreadHistory | null, { profile }: JudgeContext): boolean {
  const names = [thread?.origin.tenant, parsed.tenant]
  return !isRefusal(parsed) && names.every((name) => name != null && profile.primaryKeys.has(name))
}

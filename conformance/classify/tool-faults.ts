/**
 * Whether a tool message answers a call that an earlier assistant message of its thread asked for, and if not, in which
 * of the ways that servers get wrong.
 */
import type { Call } from '../ledger/calls.ts'
import type { Ledger, LedgerThread } from '../ledger/index.ts'
import { callsOf } from '../ledger/writes.ts'
import type { ToolMapping } from '../profile/target-profile.ts'
import { addDoubt, addFault, type FaultList, type FaultRule } from './fault.ts'
import { type JsonObject, textField } from './json.ts'
import type { Reading } from './reading.ts'
import type { Circumstances } from './state-faults.ts'

/** Finds what is wrong with a tool message in a thread that exists and takes messages. */
export function toolMessageFaults(
  reading: Reading,
  body: JsonObject,
  thread: LedgerThread,
  { profile, ledger }: Circumstances,
  list: FaultList,
): undefined {
  const { tools } = profile
  const field = tools?.resultField ?? contractField
  const loc = ['body', field] as const
  if (Object.keys(body).every((name) => name === 'content' || name === 'role')) {
    return addFault(list, 'tool-without-id', ...loc)
  }
  const id = textField(body, field)
  const call = id === null ? undefined : thread.calls.get(id)
  if (call !== undefined) return matchDoubts(call, reading, thread, list)
  if (tools === null || id === null) {
    if (hasNoAssistantMessage(thread, reading)) return addFault(list, 'tool-without-assistant-message', ...loc)
    if (id !== null && isNowhere(id, thread, reading)) return addFault(list, 'tool-id-unknown', ...loc)
    return addDoubt(list, 'a tool message whose call id the profile does not locate')
  }
  if (!thread.alone || !thread.origin.startsEmpty) return addDoubt(list, 'a thread that may hold other tool calls')
  addFault(list, mismatch(id, { reading, thread, ledger, tools }), ...loc)
}

/** The name that the contract's own rules use, for profiles without a mapping. */
const contractField = 'tool_call_id'

/** Without a mapping a call may stand in any field, so an id is unknown only when no message of the thread shows it anywhere. */
function isNowhere(id: string, thread: LedgerThread, reading: Reading): boolean {
  if (!thread.alone || !thread.origin.startsEmpty) return false
  const asking = thread.writes.filter(
    (write) => write.role === 'assistant' && write.reading !== reading && write.sentAtMs < reading.endedAtMs,
  )
  const answered = asking.map(({ returned, stored }) => returned ?? stored?.first.item)
  const posted = asking.map(({ reading: { body } }) => (body.kind === 'json' ? body.value : null))
  const listed = [...thread.stored.values()].map(({ first }) => first.item)
  const isSeenWhole = answered.every((message) => message !== undefined)
  return isSeenWhole && !JSON.stringify([answered, posted, listed]).includes(JSON.stringify(id).slice(1, -1))
}

function matchDoubts(call: Call, reading: Reading, thread: LedgerThread, list: FaultList): undefined {
  if (call.certainFromMs > reading.sentAtMs) return addDoubt(list, 'a tool message while its call is being written')
  if (call.answers.some((write) => write.reading !== reading && write.sentAtMs < reading.endedAtMs)) {
    return addDoubt(list, 'a second tool message for one call')
  }
  if (!isNextToCall(call, thread, reading)) addDoubt(list, 'a tool message away from its call')
}

/** Whether only results of the same assistant message stand between a call and now. */
function isNextToCall(call: Call, thread: LedgerThread, reading: Reading): boolean {
  const newest = thread.timeline.newest(reading, reading)
  if (newest === null || newest === 'none' || call.askedBy === null) return false
  if (newest === call.askedBy) return true
  return newest.answersCall !== null && thread.calls.get(newest.answersCall)?.askedBy === call.askedBy
}

interface Search {
  readonly reading: Reading
  readonly thread: LedgerThread
  readonly ledger: Ledger
  readonly tools: ToolMapping
}

/** In which of the ways that servers confuse an id is unknown to its thread. */
function mismatch(id: string, { reading, thread, ledger, tools }: Search): FaultRule {
  const isCarried = thread.writes.some(
    ({ reading: other, role, status }) =>
      (role === 'user' || role === 'system') &&
      status === 'acknowledged' &&
      other !== reading &&
      carries(other, id, tools),
  )
  if (isCarried) return 'tool-id-of-other-role'
  if (ledger.threadsAsking(id).some((other) => other !== thread)) return 'tool-id-of-other-thread'
  if (hasNoAssistantMessage(thread, reading)) return 'tool-without-assistant-message'
  return [...thread.calls.keys()].some((known) => isSimilar(known, id)) ? 'tool-id-inexact' : 'tool-id-unknown'
}

function carries({ body }: Reading, id: string, tools: ToolMapping): boolean {
  if (body.kind !== 'json') return false
  const isField = callsOf(body.value, tools).includes(id) || textField(body.value, tools.resultField) === id
  return isField || textField(body.value, 'content')?.includes(id) === true
}

/** Another case, blanks around it, or one the beginning of the other. */
function isSimilar(known: string, given: string): boolean {
  const [one, other] = [known.trim().toLowerCase(), given.trim().toLowerCase()]
  return one === other || (other.length > 3 && (one.startsWith(other) || other.startsWith(one)))
}

function hasNoAssistantMessage(thread: LedgerThread, reading: Reading): boolean {
  if (!thread.alone || !thread.origin.startsEmpty) return false
  for (const { explanation } of thread.stored.values()) if (explanation !== 'written') return false
  return !thread.writes.some(({ role, sentAtMs }) => role === 'assistant' && sentAtMs < reading.endedAtMs)
}

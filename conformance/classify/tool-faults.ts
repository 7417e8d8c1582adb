/**
 * Whether a tool message answers a call that an earlier assistant message of its thread asked for, and if not, in which
 * of the ways that servers get wrong.
 */
import type { Call } from '../ledger/calls.ts'
import type { LedgerThread } from '../ledger/index.ts'
import { callsOf } from '../ledger/writes.ts'
import { addDoubt, addFault, type FaultList } from './fault.ts'
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
  const loc = ['body', profile.tools?.resultField ?? 'tool_call_id'] as const
  if (Object.keys(body).every((name) => name === 'content' || name === 'role')) {
    return addFault(list, 'tool-without-id', ...loc)
  }
  if (hasNoAssistantMessage(thread, reading)) return addFault(list, 'tool-without-assistant-message', ...loc)
  const id = profile.tools === null ? null : textField(body, profile.tools.resultField)
  if (id === null) return addDoubt(list, 'a tool message whose call id the profile does not locate')
  const call = thread.calls.get(id)
  if (call !== undefined) {
    if (call.certainFromMs > reading.sentAtMs) return addDoubt(list, 'a tool message while its call is being written')
    if (call.answers.some((write) => write.reading !== reading && write.sentAtMs < reading.endedAtMs)) {
      addDoubt(list, 'a second tool message for one call')
    }
    if (!isNextToCall(call, thread, reading)) addDoubt(list, 'a tool message away from its call')
    return
  }
  if (!thread.alone || !thread.origin.startsEmpty) return addDoubt(list, 'a thread that may hold other tool calls')
  addFault(
    list,
    mismatch(id, reading, thread, ledger.threads, (write) => callsOf(write, profile.tools)),
    ...loc,
  )
}

/** Whether only results of the same assistant message stand between a call and now. */
function isNextToCall(call: Call, thread: LedgerThread, reading: Reading): boolean {
  const newest = thread.timeline.newest(reading, reading)
  if (newest === null || newest === 'none' || call.askedBy === null) return false
  if (newest === call.askedBy) return true
  return newest.answersCall !== null && thread.calls.get(newest.answersCall)?.askedBy === call.askedBy
}

type Mismatch = 'tool-id-unknown' | 'tool-id-of-other-thread' | 'tool-id-of-other-role' | 'tool-id-inexact'

function mismatch(
  id: string,
  reading: Reading,
  thread: LedgerThread,
  threads: readonly LedgerThread[],
  callsIn: (body: unknown) => readonly string[],
): Mismatch {
  const carriedByOther = thread.writes.some(
    ({ reading: other, role }) =>
      role !== 'assistant' && other !== reading && other.body.kind === 'json' && callsIn(other.body.value).includes(id),
  )
  if (carriedByOther) return 'tool-id-of-other-role'
  if (threads.some((other) => other !== thread && other.calls.has(id))) return 'tool-id-of-other-thread'
  const plain = id.trim().toLowerCase()
  for (const known of thread.calls.keys()) {
    const other = known.toLowerCase()
    if (other === plain || (plain.length > 3 && (other.startsWith(plain) || plain.startsWith(other))))
      return 'tool-id-inexact'
  }
  return 'tool-id-unknown'
}

function hasNoAssistantMessage(thread: LedgerThread, reading: Reading): boolean {
  if (!thread.alone || !thread.origin.startsEmpty) return false
  for (const { explanation } of thread.stored.values()) if (explanation !== 'written') return false
  return !thread.writes.some(({ role, sentAtMs }) => role === 'assistant' && sentAtMs < reading.endedAtMs)
}

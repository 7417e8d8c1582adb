/**
 * What is wrong with a request because of what came before it: whose assistant, which thread, what the thread holds.
 * Only what surely held counts as a fault; whatever the trace leaves open is a doubt.
 */

import type { JudgeProfile } from '../judging/judge-profile.ts'
import { callsState } from '../ledger/calls.ts'
import type { Ledger, LedgerThread } from '../ledger/index.ts'
import type { Write } from '../ledger/thread-ledger.ts'
import { textAt } from '../staging/template-place.ts'
import type { AssistantBook, AssistantRecord } from './assistant-book.ts'
import { addDoubt, addFault, addLeniency, type FaultList } from './fault.ts'
import { hasField, isObject, type JsonObject, textField } from './json.ts'
import { idForm, type Reading } from './reading.ts'
import { toolMessageFaults } from './tool-faults.ts'

/** What the rest of the trace tells. */
export interface Circumstances {
  readonly profile: JudgeProfile
  readonly book: AssistantBook
  readonly ledger: Ledger
}

/** The assistant that a completion names: does it exist, is it the tenant's, can it stream, what does it require. */
export function assistantFaults(
  reading: Reading,
  body: JsonObject,
  { book }: Circumstances,
  list: FaultList,
): undefined {
  const id = textField(body, 'assistant_id')
  if (id === null || idForm(reading, id) !== 'exact') return
  const loc = ['body', 'assistant_id'] as const
  const standing = book.standing(reading.tenant, id)
  if (standing === 'unknown') return addFault(list, 'assistant-unknown', ...loc)
  if (standing === 'foreign') return addFault(list, 'assistant-foreign', ...loc)
  const record = book.recordOf(reading.tenant, id)
  if (record === null) return addDoubt(list, 'an assistant of which no list was seen')
  requiredFieldFaults(record, body, list)
  if (reading.operation === 'createChatCompletion' || record.streaming === true) return
  addDoubt(list, 'a streamed completion with an assistant that may not stream')
}

function requiredFieldFaults({ requires }: AssistantRecord, body: JsonObject, list: FaultList): undefined {
  for (const [path, names] of requires) {
    if (path === '__root__') {
      for (const name of names) rootFieldFault(body, name, list)
    } else if (path === 'user_data') {
      const data = body.user_data
      for (const name of isObject(data) ? names : []) {
        if (!hasField(data, name)) addFault(list, 'required-user_data-field', 'body', 'user_data', name)
      }
      if (data !== undefined && !isObject(data)) addDoubt(list, 'user_data that is no object')
    } else addDoubt(list, 'a required path that the contract does not show')
  }
}

/** The fields that the contract itself asks for have faults of their own. */
function rootFieldFault(body: JsonObject, name: string, list: FaultList): undefined {
  if (hasField(body, name) || name === 'assistant_id' || name === 'messages') return
  addFault(list, 'required-root-field', 'body', name)
}

/** The thread of the path: does it exist, whose is it. Gives it when the request may go on in it. */
export function threadFaults(reading: Reading, around: Circumstances, list: FaultList): LedgerThread | null {
  const id = reading.params.thread_id ?? ''
  const form = idForm(reading, reading.spelled.thread_id ?? '')
  if (form !== 'exact') {
    if (form === 'lenient') addLeniency(list, 'another spelling of a UUID')
    else addDoubt(list, 'a thread_id that is no UUID')
    return null
  }
  const thread = around.ledger.thread(id)
  if (thread === null || thread.origin.kind === 'unseen') {
    if (wasHeardOf(id, thread, reading, around)) addDoubt(list, 'a thread that an answer told of in its own way')
    else if (around.profile.source === 'suite') addFault(list, 'thread-unknown', 'path', 'thread_id')
    else addDoubt(list, 'a thread of which the beginning was not seen')
    return null
  }
  if (thread.origin.fromMs > reading.sentAtMs) addDoubt(list, 'a thread that was just being made')
  const { tenant } = thread.origin
  if (tenant === reading.tenant) return thread
  if (areTwoTenants(tenant, reading.tenant)) addFault(list, 'thread-foreign', 'path', 'thread_id')
  else addDoubt(list, 'a thread of a key that may be of the same tenant')
  return null
}

/** A thread without a known origin is no unknown one when an answer mentions it, or when a request about it was accepted before. */
function wasHeardOf(id: string, thread: LedgerThread | null, reading: Reading, { ledger }: Circumstances): boolean {
  const isBefore = ({ reading: other }: Write): boolean => other !== reading && other.endedAtMs <= reading.sentAtMs
  return ledger.isMentioned(id) || thread?.acknowledged.some(isBefore) === true
}

/** Only `primary` and `secondary` are surely two tenants; a throttled key may be of either. */
export const areTwoTenants = (one: string | null, other: string | null): boolean =>
  (one === 'primary' && other === 'secondary') || (one === 'secondary' && other === 'primary')

/** A message that is added: to a thread that takes messages, and a tool message to a call that it answers. */
export function additionFaults(
  reading: Reading,
  body: JsonObject,
  thread: LedgerThread,
  around: Circumstances,
  list: FaultList,
): undefined {
  if (thread.origin.kind === 'completion') addFault(list, 'thread-made-by-completion', 'path', 'thread_id')
  lengthDoubt(reading, thread, list)
  if (hasLost(reading, thread, list)) return
  const role = textField(body, 'role')
  if (role === 'tool') return toolMessageFaults(reading, body, thread, around, list)
  const newest = thread.timeline.newest(reading, reading)
  if (role === 'system' && newest !== 'none') addDoubt(list, 'a system message that may not be the first')
  const state = callsState(thread, around.profile.tools, reading)
  if (state === 'unanswered' || state === 'partly-answered') addDoubt(list, 'a message while a tool call is open')
}

/** The contract shows no limit of a thread, only the size of a page; a conversation of this many messages must fit. */
const surelyFewMessages = 20

function lengthDoubt({ sentAtMs }: Reading, { writes }: LedgerThread, list: FaultList): undefined {
  const beyond = writes[surelyFewMessages]
  if (beyond !== undefined && beyond.sentAtMs < sentAtMs) addDoubt(list, 'a thread of many messages')
}

/** A service that lost a message goes by the others; that it lost one is another rule's. */
function hasLost({ sentAtMs }: Reading, { lost }: LedgerThread, list: FaultList): boolean {
  if (!lost.some((write) => write.sentAtMs < sentAtMs)) return false
  addDoubt(list, 'a thread that lost a message')
  return true
}

/** A run: the thread holds a user message, every call has its result, and a stream ends on user or tool. */
export function runStateFaults(
  reading: Reading,
  thread: LedgerThread,
  around: Circumstances,
  list: FaultList,
): undefined {
  if (thread.origin.kind === 'completion') addDoubt(list, 'a run of a thread that a completion made')
  lengthDoubt(reading, thread, list)
  if (hasLost(reading, thread, list)) return
  const hasUser = thread.timeline.hasUser(reading)
  if (hasUser === 'no') addFault(list, 'thread-without-user', 'path', 'thread_id')
  if (hasUser === 'maybe') addDoubt(list, 'a thread that may hold no user message')
  const state = callsState(thread, around.profile.tools, reading)
  if (state === 'unanswered') addFault(list, 'calls-unanswered', 'path', 'thread_id')
  if (state === 'partly-answered') addFault(list, 'calls-partly-answered', 'path', 'thread_id')
  if (state === 'maybe') addDoubt(list, 'a thread that may hold open tool calls')
  if (state === 'unanswered' || state === 'partly-answered') return
  if (hasUser !== 'no') endFaults(reading, thread, list)
  if (reading.operation === 'streamThreadRun') streamSupport(reading, thread, around, list)
}

function endFaults(reading: Reading, thread: LedgerThread, list: FaultList): undefined {
  const streamed = reading.operation === 'streamThreadRun'
  const newest = thread.timeline.newest(reading, reading)
  if (newest === 'none') return
  if (newest === null) return addDoubt(list, 'a thread of which the end is not sure')
  if (newest.role === 'assistant') {
    if (streamed) addFault(list, 'thread-ends-on-assistant', 'path', 'thread_id')
    else addDoubt(list, 'a run right after an answer')
  }
  if (newest.role === 'system' && streamed) addFault(list, 'thread-ends-on-system', 'path', 'thread_id')
}

function streamSupport(
  reading: Reading,
  thread: LedgerThread,
  { book, profile }: Circumstances,
  list: FaultList,
): undefined {
  const id = runAssistant(reading, thread, profile)
  const record = id === null ? null : book.recordOf(reading.tenant, id)
  if (record?.streaming === false) return addFault(list, 'assistant-without-streaming', 'path', 'thread_id')
  if (record?.streaming === true) return
  const all = [...(book.listedFor(reading.tenant)?.values() ?? [])]
  if (all.length === 0 || all.some(({ streaming }) => streaming !== true)) {
    addDoubt(list, 'a thread whose assistant may not stream')
  }
}

/** The assistant of a run as far as the profile's ways tell it: named in the run, or bound to the thread. */
export function runAssistant(reading: Reading, thread: LedgerThread | null, profile: JudgeProfile): string | null {
  const named = reading.body.kind === 'json' ? textAt(reading.body.value, profile.runAssistantAt) : null
  return named?.toLowerCase() ?? thread?.origin.assistant ?? null
}

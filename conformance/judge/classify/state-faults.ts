/**
 * Finds faults of a request that depend on earlier exchanges: its assistant, its thread and the contents of the thread.
 * Only a state that is certain makes a fault; a state that the trace leaves open makes a doubt.
 */

import { mayBeNamesake } from '../history/namesakes.ts'
import type { ThreadHistory } from '../history/thread-histories.ts'
import { areTwoTenants, createdByMessage } from '../history/thread-origins.ts'
import type { Write } from '../history/thread-record.ts'
import { callsState } from '../history/tool-calls.ts'
import { hasField, isObject, type JsonObject, textField } from '../read/json.ts'
import { idForm, isRefusal, isRun, type ParsedExchange } from '../read/parsed-exchange.ts'
import { type AssistantRecord, keyThatLists, lacksRequiredField } from './assistant-registry.ts'
import type { JudgeContext } from './judge-context.ts'
import { addAmbiguity, addFault, addLeniency, type FaultList } from './request-fault.ts'
import { runAssistant } from './run-assistant.ts'
import { isInPlainOrder, postedCallsAmbiguity, toolMessageFaults } from './tool-faults.ts'

/** Checks the assistant of a completion: existence, tenant, streaming and required fields. */
export function assistantFaults(
  parsed: ParsedExchange,
  body: JsonObject,
  around: JudgeContext,
  list: FaultList,
): undefined {
  const { registry } = around
  const id = textField(body, 'assistant_id')
  if (id === null || idForm(parsed, id) !== 'exact') return
  const loc = ['body', 'assistant_id'] as const
  if (isWithoutTenant(parsed)) {
    const record = registry.anyRecordOf(id)
    if (record === null) return addAmbiguity(list, 'an assistant of which no list was seen')
    return recordFaults(parsed, body, record, list)
  }
  const tenant = keyThatLists(parsed, id, around)
  const standing = registry.standing(tenant, id)
  if (standing === 'unknown') return addFault(list, 'assistant-unknown', ...loc)
  if (standing === 'foreign') return addFault(list, 'assistant-foreign', ...loc)
  const record = registry.recordOf(tenant, id)
  if (record === null) return addAmbiguity(list, 'an assistant of which no list was seen')
  recordFaults(parsed, body, record, list)
}

/** A key that names no tenant leaves the rest of the request as it would be with the key of the owner. */
export const isWithoutTenant = ({ key }: ParsedExchange): boolean => key === 'missing' || key === 'unknown'

function recordFaults(parsed: ParsedExchange, body: JsonObject, record: AssistantRecord, list: FaultList): undefined {
  requiredFieldFaults(record, body, list)
  if (parsed.operation === 'createChatCompletion' || record.streaming === true) return
  addAmbiguity(list, 'a streamed completion with an assistant that may not stream')
}

function requiredFieldFaults({ requires }: AssistantRecord, body: JsonObject, list: FaultList): undefined {
  for (const [path, names] of requires) {
    if (path === '__root__') {
      for (const name of names) rootFieldFault(body, name, list)
    } else if (path === 'user_data') {
      const data = body.user_data
      // Null holds no field; where user_data may be left out, it may stand for that.
      const isNeeded = data === null && requires.get('__root__')?.includes('user_data') === true
      for (const name of isObject(data) || isNeeded ? names : []) {
        if (!hasField(data, name)) addFault(list, 'required-user_data-field', 'body', 'user_data', name)
      }
      if (data !== undefined && !isObject(data)) addAmbiguity(list, 'user_data that is no object')
    } else addAmbiguity(list, 'a required path that the contract does not show')
  }
}

/** The fields that the contract itself asks for have faults of their own. */
function rootFieldFault(body: JsonObject, name: string, list: FaultList): undefined {
  if (hasField(body, name) || name === 'assistant_id' || name === 'messages') return
  addFault(list, 'required-root-field', 'body', name)
}

/** Checks the thread of the path: existence and owner. Returns it when its state is known. */
export function threadFaults(parsed: ParsedExchange, around: JudgeContext, list: FaultList): ThreadHistory | null {
  const id = parsed.params.thread_id ?? ''
  const form = idForm(parsed, parsed.spelled.thread_id ?? '')
  if (form !== 'exact') {
    if (form === 'lenient') addLeniency(list, 'another spelling of a UUID')
    else addAmbiguity(list, 'a thread_id that is no UUID')
    return null
  }
  const thread = around.histories.thread(id)
  if (thread === null || thread.origin.kind === 'unseen') {
    if (wasHeardOf(id, thread, parsed, around))
      addAmbiguity(list, 'a thread that an answer names in a field the contract does not know')
    else if (around.profile.source === 'suite') addFault(list, 'thread-unknown', 'path', 'thread_id')
    else addAmbiguity(list, 'a thread of which the beginning was not seen')
    return null
  }
  if (thread.origin.fromMs === Number.POSITIVE_INFINITY) {
    addAmbiguity(list, 'a thread of the profile that the target never showed')
    return null
  }
  if (isBeforeFirstMessage(parsed, thread)) {
    addFault(list, 'thread-unknown', 'path', 'thread_id')
    return null
  }
  if (isOnlyNamed(parsed, thread, around)) {
    addAmbiguity(list, 'a thread that a command may only have named')
    return null
  }
  if (createdByMessage(thread) && thread.origin.by === parsed)
    addAmbiguity(list, 'a message to a thread that was never created')
  else if (thread.origin.fromMs > parsed.sentAtMs) addAmbiguity(list, 'a thread that was just being made')
  const { tenant } = thread.origin
  if (tenant === parsed.tenant || isWithoutTenant(parsed)) return thread
  if (mayBeNamesake(parsed, thread, around.histories))
    addAmbiguity(list, 'a thread that another tenant may have made under the same id')
  else if (areTwoTenants(tenant, parsed.tenant)) addFault(list, 'thread-foreign', 'path', 'thread_id')
  else addAmbiguity(list, 'a thread of a key that may be of the same tenant')
  return thread
}

/** A request that was over before the message that created its thread was sent. */
const isBeforeFirstMessage = ({ index, endedAtMs }: ParsedExchange, thread: ThreadHistory): boolean => {
  const { by } = thread.origin
  return by !== null && createdByMessage(thread) && index < by.index && endedAtMs <= by.sentAtMs
}

/**
 * A thread without a known origin does not count as unknown when an answer mentions it, or when a request about it was
 * accepted before.
 */
function wasHeardOf(
  id: string,
  thread: ThreadHistory | null,
  parsed: ParsedExchange,
  { histories }: JudgeContext,
): boolean {
  const isBefore = ({ parsed: other }: Write): boolean => other !== parsed && other.endedAtMs <= parsed.sentAtMs
  return histories.isMentioned(id) || thread?.acknowledged.some(isBefore) === true
}

/** A command of the profile may make up an id, for a service that creates threads with their first message. */
function isOnlyNamed(
  { answer, sentAtMs }: ParsedExchange,
  { writes, origin }: ThreadHistory,
  { profile }: JudgeContext,
): boolean {
  const isOfCommand = profile.threads?.kind === 'command' && origin.fromMs === Number.NEGATIVE_INFINITY
  if (!isOfCommand || answer.code !== 'thread_not_found') return false
  return !writes.some((write) => write.sentAtMs < sentAtMs)
}

/** Checks an added message: its thread must take messages, and a tool message must answer a call. */
export function additionFaults(
  parsed: ParsedExchange,
  body: JsonObject,
  thread: ThreadHistory,
  around: JudgeContext,
  list: FaultList,
): undefined {
  if (thread.origin.kind === 'completion') addFault(list, 'thread-made-by-completion', 'path', 'thread_id')
  lengthAmbiguity(parsed, thread, list)
  if (hasLost(parsed, thread, list)) return
  const role = textField(body, 'role')
  if (role === 'tool') return toolMessageFaults(parsed, body, thread, around, list)
  if (isRefusal(parsed)) postedCallsAmbiguity(body, around, list)
  const newest = thread.timeline.newest(parsed, parsed)
  if (role === 'system' && newest === null) addAmbiguity(list, 'a thread of which the end is not sure')
  else if (role === 'system' && newest !== 'none') addAmbiguity(list, 'a system message that may not be the first')
  const state = callsState(thread, around.profile.tools, parsed)
  if (state === 'unanswered' || state === 'partly-answered') addAmbiguity(list, 'a message while a tool call is open')
}

/** The contract shows no limit of a thread, only the size of a page; a conversation of this many messages must fit. */
const surelyFewMessages = 20

function lengthAmbiguity({ sentAtMs, answer }: ParsedExchange, { writes }: ThreadHistory, list: FaultList): undefined {
  // These errors name another reason than the length of the thread.
  if (answer.code === 'engine_does_not_support_streaming' || answer.code === 'message_content_empty') return
  const beyond = writes[surelyFewMessages]
  if (beyond !== undefined && beyond.sentAtMs < sentAtMs) addAmbiguity(list, 'a thread of many messages')
}

/** A service that lost a message goes by the others; another rule covers the loss. */
function hasLost({ sentAtMs }: ParsedExchange, { lost }: ThreadHistory, list: FaultList): boolean {
  if (!lost.some((write) => write.sentAtMs < sentAtMs)) return false
  addAmbiguity(list, 'a thread that lost a message')
  return true
}

/** Checks a run: the thread holds a user message, every call has its result, and a streamed run ends on user or tool. */
export function runStateFaults(
  parsed: ParsedExchange,
  thread: ThreadHistory,
  around: JudgeContext,
  list: FaultList,
): undefined {
  if (thread.origin.kind === 'completion') addAmbiguity(list, 'a run of a thread that a completion made')
  runAssistantAmbiguity(parsed, thread, around, list)
  lengthAmbiguity(parsed, thread, list)
  if (hasLost(parsed, thread, list)) return
  const hasUser = thread.timeline.hasUser(parsed)
  if (hasUser === 'no') addFault(list, 'thread-without-user', 'path', 'thread_id')
  if (hasUser === 'maybe') addAmbiguity(list, 'a thread that may hold no user message')
  const state = callsState(thread, around.profile.tools, parsed)
  if (state === 'unanswered') addFault(list, 'calls-unanswered', 'path', 'thread_id')
  if (state === 'partly-answered') addFault(list, 'calls-partly-answered', 'path', 'thread_id')
  if (state === 'maybe') addAmbiguity(list, 'a thread that may hold open tool calls')
  if (state === 'answered' && !isInPlainOrder(thread, parsed)) addAmbiguity(list, 'tool messages away from their calls')
  if (state === 'unanswered' || state === 'partly-answered') return
  if (hasUser !== 'no') endFaults(parsed, thread, list)
  if (parsed.operation === 'streamThreadRun') streamSupport(parsed, thread, around, list)
  else wholeRunSupport(parsed, thread, around, list)
}

/** An assistant outside the tenant is not available to a run either, but which field of a run names it is not shown. */
function runAssistantAmbiguity(
  parsed: ParsedExchange,
  thread: ThreadHistory,
  { registry, profile, fieldlessRuns }: JudgeContext,
  list: FaultList,
): undefined {
  const id = runAssistant(parsed, thread, profile)
  if (id === null || isWithoutTenant(parsed)) return
  const record = registry.recordOf(parsed.tenant, id)
  const lacksField = record !== null && !fieldlessRuns.has(record) && lacksRequiredField(record, parsed)
  // Whether the fields that completions need are needed in a run as well is not shown.
  if (lacksField && parsed.answer.code === 'validation_error')
    addAmbiguity(list, 'a run of an assistant that requires fields')
  const isOfThread = id === thread.origin.assistant
  const standing = registry.standing(isOfThread ? thread.origin.tenant : parsed.tenant, id)
  // An assistant that a list omits now may have existed when the thread was created for it.
  if (isOfThread ? standing === 'foreign' : standing !== 'own')
    addAmbiguity(list, 'a run with an assistant that is not listed for the tenant')
}

/** Whether a second assistant may answer in a thread is not said; where it does, the answer is judged as its own. */
export function otherAnswererAmbiguity(
  parsed: ParsedExchange,
  thread: ThreadHistory,
  { registry, profile }: JudgeContext,
  list: FaultList,
): undefined {
  if (list.faults.length > 0 || !isRefusal(parsed)) return
  const assistant = isRun(parsed) ? runAssistant(parsed, thread, profile) : completionAssistant(parsed)
  if (assistant === null || registry.recordOf(parsed.tenant, assistant) === null) return
  const isOther = ({ kind, parsed: asked, status, sentAtMs }: Write): boolean => {
    if (kind !== 'answer' || status !== 'acknowledged' || sentAtMs >= parsed.sentAtMs) return false
    const answerer = isRun(asked) ? runAssistant(asked, thread, profile) : completionAssistant(asked)
    return answerer !== null && answerer !== assistant
  }
  if (thread.writes.some(isOther)) addAmbiguity(list, 'a thread in which another assistant has answered')
}

/** The assistant that a completion names. */
const completionAssistant = ({ body }: ParsedExchange): string | null =>
  body.kind === 'json' ? (textField(body.value, 'assistant_id')?.toLowerCase() ?? null) : null

/**
 * The table lists this error for whole runs too, but its text recommends them: it may be right only if no record is
 * known.
 */
function wholeRunSupport(
  parsed: ParsedExchange,
  thread: ThreadHistory,
  { registry, profile }: JudgeContext,
  list: FaultList,
): undefined {
  if (parsed.answer.code !== 'engine_does_not_support_streaming') return
  const id = runAssistant(parsed, thread, profile)
  const record = id === null ? null : registry.recordOf(parsed.tenant, id)
  if (typeof record?.streaming !== 'boolean') addAmbiguity(list, 'a whole run of an assistant that may not stream')
}

function endFaults(parsed: ParsedExchange, thread: ThreadHistory, list: FaultList): undefined {
  if (parsed.operation !== 'streamThreadRun') return
  const newest = thread.timeline.newest(parsed, parsed)
  if (newest === 'none' || thread.timeline.endRole(parsed, parsed) === 'user') return
  if (newest === null) return addAmbiguity(list, 'a thread of which the end is not sure')
  // Nothing states that an answer is stored, so a thread surely ends on it only when a list shows it.
  if (newest.role === 'assistant' && newest.kind === 'answer' && newest.stored === null)
    return addAmbiguity(list, 'a streamed run after an answer that no list shows')
  if (newest.role === 'assistant') addFault(list, 'thread-ends-on-assistant', 'path', 'thread_id')
  if (newest.role === 'system') addFault(list, 'thread-ends-on-system', 'path', 'thread_id')
}

function streamSupport(
  parsed: ParsedExchange,
  thread: ThreadHistory,
  { registry, profile }: JudgeContext,
  list: FaultList,
): undefined {
  const id = runAssistant(parsed, thread, profile)
  // The assistant that a thread is bound to belongs to the thread's tenant, regardless of the requesting key.
  const isOfThread = isWithoutTenant(parsed) || id === thread.origin.assistant
  const tenant = isOfThread ? thread.origin.tenant : parsed.tenant
  const record = id === null ? null : registry.recordOf(tenant, id)
  if (record?.streaming === false) return addFault(list, 'assistant-without-streaming', 'path', 'thread_id')
  if (record?.streaming === true) return
  const all = [...(registry.listedFor(tenant)?.values() ?? [])]
  if (all.length === 0 || all.some(({ streaming }) => streaming !== true)) {
    addAmbiguity(list, 'a thread whose assistant may not stream')
  }
}

/**
 * Decides whether a tool message answers a call of an earlier assistant message in its thread. If it does not, the
 * fault names how.
 */

import type { ToolMapping } from '../../profile/target-profile.ts'
import type { ThreadHistories, ThreadHistory } from '../history/thread-histories.ts'
import type { Write } from '../history/thread-record.ts'
import {
  type Call,
  callInOtherCase,
  isAnswered,
  isShown,
  readsOtherIds,
  readsPostedCalls,
} from '../history/tool-calls.ts'
import { callsOf } from '../history/writes.ts'
import { memoPer } from '../memo.ts'
import { isUuid } from '../read/formats.ts'
import { type JsonObject, textField } from '../read/json.ts'
import { isRefusal, type ParsedExchange } from '../read/parsed-exchange.ts'
import type { JudgeContext } from './judge-context.ts'
import { addAmbiguity, addFault, type FaultList, type FaultRule } from './request-fault.ts'

/** The code of a result whose call is not found; with it, a refusal is not about the form of the id. */
export const noMatchingCall = 'tool_message_has_no_matching_tool_call'

/** Finds what is wrong with a tool message in a thread that exists and takes messages. */
export function toolMessageFaults(
  parsed: ParsedExchange,
  body: JsonObject,
  thread: ThreadHistory,
  around: JudgeContext,
  list: FaultList,
): undefined {
  const { profile, histories } = around
  const { tools } = profile
  const field = tools?.resultField ?? contractField
  const loc = ['body', field] as const
  if (Object.keys(body).every((name) => name === 'content' || name === 'role')) {
    return addFault(list, 'tool-without-id', ...loc)
  }
  const id = textField(body, field)
  const call = id === null ? undefined : thread.calls.get(id)
  if (call !== undefined) {
    if (!isConfirmed(around)) addAmbiguity(list, 'a tool message by a mapping that nothing confirms')
    else if (isUnread(call)) addAmbiguity(list, 'a tool message for a call that the target may not read')
    if (isUnread(call)) return
    return matchAmbiguities(call, parsed, thread, list)
  }
  if (id !== null && isRefusal(parsed) && parsed.answer.code !== noMatchingCall) idFormAmbiguity([id], around, list)
  if (tools === null || id === null) {
    if (hasNoAssistantMessage(thread, parsed)) return addFault(list, 'tool-without-assistant-message', ...loc)
    if (id !== null && isNowhere(id, thread, parsed)) return addFault(list, 'tool-id-unknown', ...loc)
    return addAmbiguity(list, 'a tool message whose call id the profile does not locate')
  }
  if (!thread.alone || !thread.origin.startsEmpty) return addAmbiguity(list, 'a thread that may hold other tool calls')
  if (callInOtherCase(thread.calls, id) !== undefined)
    return addAmbiguity(list, 'a tool message whose call id is in another case')
  addFault(list, mismatch(id, { parsed, thread, histories, tools }), ...loc)
}

/** A refused message of a client that asks for tools, if the target accepted no such message. */
export function postedCallsAmbiguity(body: JsonObject, around: JudgeContext, list: FaultList): undefined {
  const { profile, histories } = around
  const calls = callsOf(body, profile.tools)
  if (calls.length === 0) return
  if (!readsPostedCalls(histories)) return addAmbiguity(list, 'a message with calls that the target may not take')
  idFormAmbiguity(calls, around, list)
}

/** Ids that a target may refuse for their form alone, as long as it reads none of that form. */
function idFormAmbiguity(ids: readonly string[], { histories }: JudgeContext, list: FaultList): undefined {
  if (!ids.every(isUuid) && !readsOtherIds(histories)) addAmbiguity(list, 'a tool call id that is no UUID')
}

/** The name that the contract's own rules use, for profiles without a mapping. */
const contractField = 'tool_call_id'

/** Whether the target goes by the mapping of the profile: a wrong one makes right answers look like refusals of matching ones. */
const isConfirmed = memoPer(({ histories, profile: { tools } }: JudgeContext): boolean =>
  histories.threads.some(({ calls }) =>
    [...calls.values()].some((call) => isAnswered(call) || (tools !== null && isShownAlone(call, histories, tools))),
  ),
)

/** Whether the target itself showed the call, under an id that no other thread has, as the name of a tool would be. */
function isShownAlone(call: Call, histories: ThreadHistories, tools: ToolMapping): boolean {
  if (tools.resultField !== contractField || histories.threadsAsking(call.id).length > 1) return false
  return isShown(call, tools)
}

/** Without a mapping a call may stand in any field, so an id is unknown only when no message of the thread shows it anywhere. */
function isNowhere(id: string, thread: ThreadHistory, parsed: ParsedExchange): boolean {
  if (!thread.alone || !thread.origin.startsEmpty) return false
  const asking = thread.writes.filter(
    (write) => write.role === 'assistant' && write.parsed !== parsed && write.sentAtMs < parsed.endedAtMs,
  )
  const answered = asking.map(({ returned, stored }) => returned ?? stored?.first.item)
  const posted = asking.map(({ parsed: { body } }) => (body.kind === 'json' ? body.value : null))
  const listed = [...thread.stored.values()].map(({ first }) => first.item)
  const isSeenWhole = answered.every((message) => message !== undefined)
  return isSeenWhole && !JSON.stringify([answered, posted, listed]).includes(JSON.stringify(id).slice(1, -1))
}

function matchAmbiguities(call: Call, parsed: ParsedExchange, thread: ThreadHistory, list: FaultList): undefined {
  if (call.certainFromMs > parsed.sentAtMs) return addAmbiguity(list, 'a tool message while its call is being written')
  if (call.answers.some((write) => write.parsed !== parsed && write.sentAtMs < parsed.endedAtMs)) {
    return addAmbiguity(list, 'a second tool message for one call')
  }
  if (isNextToCall(call, thread, parsed)) return
  const isBehindNewer = isBehindServedMessage(call, thread, parsed)
  addAmbiguity(
    list,
    isBehindNewer ? 'a tool message behind a newer assistant message' : 'a tool message away from its call',
  )
}

/** A client's message was accepted, and nothing says that the target found the call in it. */
const isUnread = ({ askedBy, certainFromMs }: Call): boolean =>
  askedBy?.status === 'acknowledged' && certainFromMs === Number.POSITIVE_INFINITY

/** Whether an assistant message surely came between a call and now, and no such message waits for results of its own. */
function isBehindServedMessage({ askedBy }: Call, thread: ThreadHistory, parsed: ParsedExchange): boolean {
  if (askedBy === null || !thread.alone) return false
  const newer = thread.writes.filter(
    ({ role, sentAtMs }) => role === 'assistant' && sentAtMs > askedBy.sentAtMs && sentAtMs < parsed.endedAtMs,
  )
  const isThere = ({ status, sentAtMs, certainFromMs }: Write): boolean =>
    status === 'acknowledged' && sentAtMs >= askedBy.certainFromMs && certainFromMs < parsed.sentAtMs
  const isServed = (id: string): boolean =>
    thread.calls.get(id)?.answers.some(({ certainFromMs }) => certainFromMs < parsed.sentAtMs) === true
  return newer.some(isThere) && newer.every((write) => write.calls.every(isServed))
}

/** Whether only results of the same assistant message stand between a call and now. */
function isNextToCall(call: Call, thread: ThreadHistory, parsed: ParsedExchange): boolean {
  const newest = thread.timeline.newest(parsed, parsed)
  if (newest === 'none' || call.askedBy === null) return false
  if (newest === null) return hasOnlyResultsSince(call.askedBy, thread, parsed)
  return newest === call.askedBy || isResultOf(call.askedBy, newest, thread)
}

const isResultOf = (askedBy: Write, { answersCall }: Write, { calls }: ThreadHistory): boolean =>
  answersCall !== null && calls.get(answersCall)?.askedBy === askedBy

/** Which of several results at the same time came last is open; that nothing else was sent since their calls is not. */
function hasOnlyResultsSince(askedBy: Write, thread: ThreadHistory, parsed: ParsedExchange): boolean {
  const others = thread.writes.filter((write) => write.parsed !== parsed && write.sentAtMs <= parsed.endedAtMs)
  const since = others.slice(others.indexOf(askedBy) + 1)
  const before = others.slice(0, others.length - since.length)
  return (
    thread.alone &&
    since.every((write) => isResultOf(askedBy, write, thread)) &&
    before.every((write) => write === askedBy || write.certainFromMs < askedBy.sentAtMs)
  )
}

/** Whether every tool message stands next to its call, and no call has two: of any other order the contract is silent. */
export const isInPlainOrder = (thread: ThreadHistory, { sentAtMs }: ParsedExchange): boolean =>
  [...thread.calls.values()].every((call) => {
    const answers = call.answers.filter((write) => write.sentAtMs < sentAtMs)
    return answers.length < 2 && answers.every(({ parsed }) => parsed !== null && isNextToCall(call, thread, parsed))
  })

interface Search {
  readonly parsed: ParsedExchange
  readonly thread: ThreadHistory
  readonly histories: ThreadHistories
  readonly tools: ToolMapping
}

/** The kind of unknown id, among those that servers confuse with a known one. */
function mismatch(id: string, { parsed, thread, histories, tools }: Search): FaultRule {
  const isCarried = thread.writes.some(
    ({ parsed: other, role, status }) =>
      (role === 'user' || role === 'system') &&
      status === 'acknowledged' &&
      other !== parsed &&
      carries(other, id, tools),
  )
  if (isCarried) return 'tool-id-of-other-role'
  if (histories.threadsAsking(id).some((other) => other !== thread)) return 'tool-id-of-other-thread'
  if (hasNoAssistantMessage(thread, parsed)) return 'tool-without-assistant-message'
  return [...thread.calls.keys()].some((known) => isSimilar(known, id)) ? 'tool-id-inexact' : 'tool-id-unknown'
}

function carries({ body }: ParsedExchange, id: string, tools: ToolMapping): boolean {
  if (body.kind !== 'json') return false
  const isField = callsOf(body.value, tools).includes(id) || textField(body.value, tools.resultField) === id
  return isField || textField(body.value, 'content')?.includes(id) === true
}

/**
 * Whether the ids differ only in surrounding blanks or letter case, one is a prefix of the other, or they are UUIDs of which two
 * digits differ at most.
 */
function isSimilar(known: string, given: string): boolean {
  const [one, other] = [known.trim().toLowerCase(), given.trim().toLowerCase()]
  if (isUuid(one) && isUuid(other)) return [...one].filter((digit, at) => digit !== other[at]).length <= 2
  return one === other || (other.length > 3 && (one.startsWith(other) || other.startsWith(one)))
}

function hasNoAssistantMessage(thread: ThreadHistory, parsed: ParsedExchange): boolean {
  if (!thread.alone || !thread.origin.startsEmpty) return false
  for (const { explanation } of thread.stored.values()) if (explanation !== 'written') return false
  return !thread.writes.some(({ role, sentAtMs }) => role === 'assistant' && sentAtMs < parsed.endedAtMs)
}

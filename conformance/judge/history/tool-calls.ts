/**
 * Tracks the tool calls of a thread: the message and time of each, and its tool message. Only the profile's mapping
 * knows where a message carries them, so without a mapping there are none.
 */

import type { ToolMapping } from '../../profile/target-profile.ts'
import { endedWithRun } from '../../trace/exchange.ts'
import { memoPer } from '../memo.ts'
import { isUuid } from '../read/formats.ts'
import { isObject, textField } from '../read/json.ts'
import type { ParsedExchange } from '../read/parsed-exchange.ts'
import type { ThreadRecord, Write } from './thread-record.ts'
import { callsOf, isCutShort } from './writes.ts'

/** A tool message that answers a call. */
interface CallResult {
  /** The request that added it; `null` when only a list showed it. */
  readonly parsed: ParsedExchange | null
  readonly sentAtMs: number
  /** Since when it is surely there; `Infinity` while it only may be. */
  readonly certainFromMs: number
}

export interface Call {
  readonly id: string
  /** The message that asks for it; `null` when only a list showed it. */
  readonly askedBy: Write | null
  /** Since when it is surely asked for. */
  readonly certainFromMs: number
  /** Since when it may be. */
  readonly possibleFromMs: number
  readonly answers: CallResult[]
  /** Messages that ask with the same id once more. */
  readonly again: Write[]
}

/** Calls by id, asked for by assistant messages of this thread. */
export type Calls = ReadonlyMap<string, Call>

/** Reads the calls from the thread's writes, and from listed answers whose calls a stream did not show. */
export function threadCalls(thread: ThreadRecord, tools: ToolMapping | null): Calls {
  const calls = new Map<string, Call>()
  if (tools === null) return calls
  const add = (id: string, askedBy: Write | null, certainFromMs: number, possibleFromMs: number): void => {
    const known = calls.get(id)
    if (known === undefined) calls.set(id, { id, askedBy, certainFromMs, possibleFromMs, answers: [], again: [] })
    else if (askedBy !== null && askedBy !== known.askedBy && !known.again.includes(askedBy)) known.again.push(askedBy)
  }
  for (const write of thread.writes) {
    if (write.role !== 'assistant') continue
    for (const id of write.calls) add(id, write, write.certainFromMs, write.sentAtMs)
  }
  for (const { first, write, certainFromMs } of thread.stored.values()) {
    if (textField(first.item, 'role') !== 'assistant') continue
    for (const id of callsOf(first.item, tools).filter((shown) => !write?.calls.some((id) => isCutShort(shown, id))))
      add(id, write, certainFromMs, write?.sentAtMs ?? Number.NEGATIVE_INFINITY)
  }
  for (const write of thread.writes) {
    if (write.answersCall !== null) addResult(write, write.answersCall, calls)
  }
  addListedResults(thread, tools, calls)
  return calls
}

/**
 * Calls in the messages of clients, as long as the target showed none of them and took no result for one: whether it reads
 * such calls at all is open, so that nothing is sure about them.
 */
export function withoutUnreadCalls(threads: readonly Calls[], tools: ToolMapping | null): readonly Calls[] {
  const posted = threads.flatMap((calls) => [...calls.values()].filter(isPosted))
  if (posted.length === 0 || posted.some((call) => isAnswered(call) || isShown(call, tools))) return threads
  const doubted = (call: Call): Call => (isPosted(call) ? { ...call, certainFromMs: Number.POSITIVE_INFINITY } : call)
  return threads.map((calls) => new Map([...calls].map(([id, call]) => [id, doubted(call)])))
}

/** Whether the message of a client asks for the call. */
export const isPosted = ({ askedBy }: Call): boolean => askedBy?.kind === 'created'

/** Whether the call surely has a result. */
export const isAnswered = ({ answers }: Call): boolean =>
  answers.some(({ certainFromMs }) => certainFromMs < Number.POSITIVE_INFINITY)

/** Whether the target showed the call in the message that asks for it, even with a truncated id. */
export const isShown = ({ id, askedBy }: Call, tools: ToolMapping | null): boolean =>
  [askedBy?.returned, askedBy?.stored?.first.item].some((message) =>
    callsOf(message, tools).some((shown) => shown === id || isCutShort(shown, id)),
  )

/** Whether the target surely found a call in the message of a client. */
export const readsPostedCalls = memoPer(
  ({ threads }: { readonly threads: readonly { readonly calls: Calls }[] }): boolean =>
    threads.some(({ calls }) =>
      [...calls.values()].some((call) => isPosted(call) && Number.isFinite(call.certainFromMs)),
    ),
)

/** Whether the target surely knows a call whose id is no UUID; the contract says that all ids are UUIDs. */
export const readsOtherIds = memoPer(
  ({ threads }: { readonly threads: readonly { readonly calls: Calls }[] }): boolean =>
    threads.some(({ calls }) =>
      [...calls.values()].some(({ id, certainFromMs }) => !isUuid(id) && Number.isFinite(certainFromMs)),
    ),
)

/** Adds a result to its call. One that writes the id in another case may answer it: whether it does is open. */
function addResult(write: Write, id: string, calls: Calls): undefined {
  const exact = calls.get(id)
  if (exact !== undefined) exact.answers.push(write)
  else callInOtherCase(calls, id)?.answers.push({ ...write, certainFromMs: Number.POSITIVE_INFINITY })
}

/** The call whose id differs from this one in nothing but the case of its letters. */
export function callInOtherCase(calls: Calls, id: string): Call | undefined {
  const lower = id.toLowerCase()
  return [...calls.values()].find((call) => call.id !== id && call.id.toLowerCase() === lower)
}

/** Adds results from before the trace. One whose call the list does not show may answer any call that only lists show. */
function addListedResults(thread: ThreadRecord, tools: ToolMapping, calls: Calls): undefined {
  for (const { first, write, certainFromMs } of thread.stored.values()) {
    if (write !== null || textField(first.item, 'role') !== 'tool') continue
    const result = { parsed: null, sentAtMs: Number.NEGATIVE_INFINITY }
    const id = textField(first.item, tools.resultField)
    if (id !== null) calls.get(id)?.answers.push({ ...result, certainFromMs })
    else
      for (const call of calls.values())
        if (call.askedBy === null) call.answers.push({ ...result, certainFromMs: Number.POSITIVE_INFINITY })
  }
}

/**
 * Whether an assistant message asks for tools. The profile's mapping knows; without one a field that is named after tools
 * may hold the calls, in a form that the contract does not show.
 */
export function mayAskForTools(message: unknown, tools: ToolMapping | null): boolean {
  return tools === null ? fieldsNamedAfterTools(message).length > 0 : callsOf(message, tools).length > 0
}

/** The fields of a message that are named after tools and hold something. */
export function fieldsNamedAfterTools(message: unknown): readonly string[] {
  if (!isObject(message)) return []
  return Object.keys(message).filter((name) => /tool|call|function|action/i.test(name) && isFilled(message[name]))
}

const isFilled = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length > 0

type CallsState = 'none' | 'answered' | 'unanswered' | 'partly-answered' | 'maybe'

/** Whether every call that was asked for before a request has its tool message. */
export function callsState(
  thread: ThreadRecord & { readonly calls: Calls },
  tools: ToolMapping | null,
  parsed: ParsedExchange,
): CallsState {
  const { sentAtMs, endedAtMs } = parsed
  const { calls } = thread
  let pending: Call | null = null
  let unsure = !thread.alone || !thread.origin.startsEmpty
  if (tools === null) unsure ||= mayHoldCalls(thread, null, sentAtMs)
  for (const call of [...calls.values()].flatMap(eachAsk)) {
    if (call.possibleFromMs >= endedAtMs || call.askedBy?.parsed === parsed) continue
    if (call.answers.some((write) => write.certainFromMs < sentAtMs)) continue
    const maybeAnswered = call.answers.some((write) => write.sentAtMs < endedAtMs)
    if (call.certainFromMs < sentAtMs && !maybeAnswered && thread.alone) pending ??= call
    else unsure = true
  }
  if (pending !== null) return siblingAnswered(pending, calls, sentAtMs) ? 'partly-answered' : 'unanswered'
  if (unsure) return 'maybe'
  return calls.size === 0 ? 'none' : 'answered'
}

/** A call once for each message that asks for it. Whether an earlier result answers a later message is open. */
function eachAsk(call: Call): readonly Call[] {
  const later = call.again.map((write): Call => {
    const { certainFromMs, sentAtMs: possibleFromMs } = write
    const answers = call.answers.map((answer) =>
      answer.sentAtMs >= certainFromMs ? answer : { ...answer, certainFromMs: Number.POSITIVE_INFINITY },
    )
    return { ...call, askedBy: write, certainFromMs, possibleFromMs, answers, again: [] }
  })
  return [call, ...later]
}

function siblingAnswered(pending: Call, calls: Calls, timeMs: number): boolean {
  for (const call of calls.values()) {
    if (call.askedBy === pending.askedBy && call.answers.some((write) => write.certainFromMs <= timeMs)) return true
  }
  return false
}

/** Whether an answer before that time may ask for tools; so may one that was never seen whole. */
export function mayHoldCalls({ writes }: ThreadRecord, tools: ToolMapping | null, beforeMs: number): boolean {
  return writes.some(({ kind, returned, stored, sentAtMs, parsed }) => {
    if (kind !== 'answer' || sentAtMs >= beforeMs || isLostRefusal(parsed)) return false
    const seen = returned ?? stored?.first.item
    return seen === undefined || mayAskForTools(seen, tools)
  })
}

/** A request that had to be refused, sent when a run died or was stopped: nothing suggests that it was answered by an assistant. */
const isLostRefusal = ({ exchange }: ParsedExchange): boolean =>
  endedWithRun(exchange) && exchange.intent?.expects === 'rejected'

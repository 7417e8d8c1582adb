/** Oracle about the thread of a completion: it lists what was answered. */

import { bothCompletions, completionOperations } from '../../../../spec/index.ts'
import type { GapObservation } from '../../gaps/gap-observer.ts'
import { defaultPageSize } from '../../history/pages.ts'
import type { ThreadHistory } from '../../history/thread-histories.ts'
import type { StoredMessage, View, Write } from '../../history/thread-record.ts'
import type { ObservationLog } from '../../observation-log.ts'
import { isRole, isTimestamp, isUuid } from '../../read/formats.ts'
import { fieldOf, namesOf, textField } from '../../read/json.ts'
import { isAccepted, type ParsedExchange, queryValues } from '../../read/parsed-exchange.ts'
import { streamedThread } from '../../read/stream-chunks.ts'
import { textChange } from '../../read/text-change.ts'
import type { TraceAnalysis } from '../../trace-analysis.ts'
import type { Oracle } from '../support/oracle.ts'
import { changeIn } from '../threads/changed-messages.ts'
import { neverListed, refusedMeanwhile } from './refused-lists.ts'

/** Observes how many of the messages that a completion sent its thread lists; the contract does not say that it lists any. */
export function* sentMessagesStored(analysis: TraceAnalysis): Generator<GapObservation> {
  for (const parsed of bothCompletions.flatMap((operation) => analysis.of(operation))) {
    const thread = bornIn(analysis, parsed)
    const view = thread?.views.find(({ ended, startMs }) => ended && startMs > parsed.endedAtMs)
    const sent = analysis.histories.writesOf(parsed).filter(({ kind, content }) => kind === 'sent' && content !== null)
    if (view === undefined || sent.length === 0) continue
    const listed = contentsOf(view)
    const kept = sent.filter(({ role, content }) => listed.has(`${role}\n${content}`)).length
    const value = kept === sent.length ? 'all of them' : kept === 0 ? 'none of them' : 'some of them'
    yield { value, exchange: parsed.id }
  }
}

/** Oracle of completions.thread-holds-conversation. */
export const threadHoldsConversation: Oracle = (analysis, observe) => {
  for (const operation of completionOperations) {
    for (const parsed of analysis.of(operation)) {
      const thread = bornIn(analysis, parsed) ?? continuedIn(analysis, parsed)
      if (thread !== null) judgeThread(analysis, observe, operation, parsed, thread)
      else judgeListedId(analysis, observe, operation, parsed)
    }
  }
}

type Completion = (typeof completionOperations)[number]

/** Whether a thread that no completion made lists the answer is open; where it does, it is the message that was given. */
function judgeListedId(
  analysis: TraceAnalysis,
  observe: ObservationLog,
  operation: Completion,
  parsed: ParsedExchange,
): undefined {
  const answer = analysis.histories.writesOf(parsed).find(({ kind }) => kind === 'answer')
  const thread = analysis.histories.thread(answeredIn(parsed) ?? '')
  if (answer === undefined || thread === null || analysis.requestOf(parsed).validity === 'invalid') return
  const other = otherIdOf(thread, answer)
  if (other !== null) contradictId(observe, operation, answer, other)
}

/** The message that a thread lists with the words of an answer, where it lists none under the answer's id. */
function otherIdOf(thread: ThreadHistory, { id, content, parsed }: Write): StoredMessage | null {
  const isSame = (item: unknown): boolean =>
    textField(item, 'role') === 'assistant' && textField(item, 'content') === content
  const twins = thread.writes.filter((write) => write.role === 'assistant' && write.content === content)
  if (id === null || !isUuid(id) || content === null || twins.length > 1 || thread.stored.has(id)) return null
  const later = [...thread.stored.values()].filter(({ last }) => last.page.parsed.sentAtMs > parsed.endedAtMs)
  const [same, ...more] = later.filter(({ first, write }) => isSame(first.item) && write?.kind !== 'created')
  return same !== undefined && more.length === 0 && isUuid(same.id) ? same : null
}

function contradictId(
  observe: ObservationLog,
  operation: Completion,
  { id, parsed }: Write,
  { id: listed, last }: StoredMessage,
): undefined {
  const list = last.page.parsed.id
  observe.contradicted(operation, 'answer', {
    exchanges: [parsed.id, list],
    expected: `the id ${id}`,
    actual: listed,
    pointer: `/items/${last.at}/id`,
    because: `${parsed.id} answered with message ${id}, and ${list} lists this answer as ${listed}.`,
    headline: 'the thread lists the answer under another id',
  })
}

/** The answer is in the list by its id, with other words. */
function contradictContent(
  observe: ObservationLog,
  operation: Completion,
  { parsed, content }: Write,
  { id, first }: StoredMessage,
): undefined {
  const list = first.page.parsed.id
  const listed = fieldOf(first.item, 'content')
  const [expected, actual] = namesOf(content, listed)
  observe.contradicted(operation, 'answer', {
    exchanges: [parsed.id, list],
    expected,
    actual,
    pointer: `/items/${first.at}/content`,
    because: `${parsed.id} answered with message ${id}, and ${list} lists it with ${actual}.`,
    headline: `the thread lists the answer ${textChange(content, listed) ?? 'with other content'}`,
  })
}

/** Whether the list has another created_at for an answer than the response that gave it. */
function isStampedOtherwise({ returned, stored }: Write): boolean {
  const [given, listed] = [returned, stored?.first.item].map((message) => textField(message, 'created_at'))
  return isTimestamp(given) && isTimestamp(listed) && given !== listed
}

function contradictStamp(
  observe: ObservationLog,
  operation: Completion,
  { parsed, returned, stored }: Write,
): undefined {
  if (stored === null) return
  const list = stored.first.page.parsed.id
  const { before, after } = changeIn('created_at', returned, stored.first.item)
  observe.contradicted(operation, 'answer', {
    exchanges: [parsed.id, list],
    expected: `created_at ${before}`,
    actual: after,
    pointer: `/items/${stored.first.at}/created_at`,
    because: `${parsed.id} answered with a message of ${before}, and ${list} lists it with created_at ${after}.`,
    headline: 'the thread lists the answer with another created_at',
  })
}

/**
 * The thread that an accepted completion made; the contract does not say what happens with one that should have been
 * refused.
 */
function bornIn(analysis: TraceAnalysis, parsed: ParsedExchange): ThreadHistory | null {
  const id = answeredIn(parsed)
  if (id === null || queryValues(parsed, 'thread_id').length > 0) return null
  return analysis.requestOf(parsed).validity === 'invalid' ? null : analysis.histories.thread(id)
}

/** The thread that a completion of the same key had made, and in which an accepted one went on. */
function continuedIn(analysis: TraceAnalysis, parsed: ParsedExchange): ThreadHistory | null {
  const thread = analysis.histories.thread(queryValues(parsed, 'thread_id')[0] ?? '')
  if (thread?.origin.kind !== 'completion' || answeredIn(parsed)?.toLowerCase() !== thread.id) return null
  return analysis.requestOf(parsed).validity === 'valid' ? thread : null
}

function answeredIn(parsed: ParsedExchange): string | null {
  if (!isAccepted(parsed)) return null
  const { stream, body } = parsed.answer
  if (stream === null) return textField(body.kind === 'json' ? body.value : null, 'thread_id')
  return streamedThread(parsed)
}

function judgeThread(
  analysis: TraceAnalysis,
  observe: ObservationLog,
  operation: Completion,
  parsed: ParsedExchange,
  thread: ThreadHistory,
): undefined {
  const later = thread.views.filter((one) => one.startMs > parsed.endedAtMs)
  const view = later.find((one) => one.ended) ?? later[0]
  const refusal =
    view === undefined ? neverListed(analysis, parsed, thread) : refusedMeanwhile(analysis, parsed, thread)
  if (refusal !== null) return observe.contradicted(operation, 'answer', refusal)
  if (view === undefined) return
  const listed = contentsOf(view)
  const writes = analysis.histories.writesOf(parsed)
  const others = new Set(thread.acknowledged.flatMap((write) => (writes.includes(write) ? [] : (write.id ?? []))))
  const isEvents = operation === 'streamChatCompletionEvents'
  const answers = writes.filter(({ kind, id, content }) => kind === 'answer' && (isEvents ? id : content) !== null)
  const [first] = answers
  if (first === undefined) return
  // What a stream said in pieces is compared with what is stored by a rule of its own; of events, the text is not known.
  const isListed = ({ id, role, content }: Write): boolean =>
    listed.get(`${role}\n${content}`)?.some((one) => one === id || one === null || !others.has(one)) === true ||
    (operation !== 'createChatCompletion' && id !== null && thread.stored.has(id))
  const lost = answers.find((write) => !isListed(write))
  if (lost === undefined) {
    const other = otherIdOf(thread, first)
    if (other !== null) return contradictId(observe, operation, first, other)
    if (isStampedOtherwise(first)) return contradictStamp(observe, operation, first)
    return observe.held(operation, 'answer', parsed.id, view.pages[0].parsed.id)
  }
  // A walk that was not finished may have ended before the message, and a malformed message may be the missing one.
  if (!(view.ended || isPastAnswer(view, writes)) || hasMalformed(view, lost)) return
  const altered = lost.id === null ? undefined : thread.stored.get(lost.id)
  if (lost.content !== null && altered !== undefined) return contradictContent(observe, operation, lost, altered)
  observe.contradicted(operation, 'answer', {
    exchanges: [parsed.id, ...view.pages.map((page) => page.parsed.id)],
    expected: `the answer in the list of thread ${thread.id}`,
    actual: isEvents
      ? `no message ${lost.id}`
      : `no ${listed.has(`${lost.role}\n${lost.content}`) ? 'further ' : ''}${lost.role} message with that content`,
    pointer: '/items',
    because: `${parsed.id} was answered in thread ${thread.id}, and the list of that thread lacks the answer.`,
    headline: 'the thread of the answer lists no such message',
  })
}

/**
 * Whether the newest page has come to what the completion sent, which is older than its answer. The page has room for more,
 * so that its cursor leads to nothing, or to what is older still.
 */
function isPastAnswer({ pages: [page, ...more] }: View, writes: readonly Write[]): boolean {
  const isSent = (item: unknown): boolean =>
    writes.some(
      ({ kind, role, content }) =>
        kind === 'sent' &&
        role === textField(item, 'role') &&
        content !== null &&
        content === textField(item, 'content'),
    )
  return more.length === 0 && page.defaultLimit && page.items.length < defaultPageSize && page.items.some(isSent)
}

/** Whether a view shows a message that may be the missing one, with a content or a role that no message has. */
function hasMalformed(view: View, { content }: Write): boolean {
  return view.pages.some(({ items }) =>
    items.some((item) => {
      const listed = textField(item, 'content')
      return listed === null || (listed === content && !isRole(textField(item, 'role')))
    }),
  )
}

/** The ids of the messages of each role and content. */
function contentsOf(view: View): ReadonlyMap<string, readonly (string | null)[]> {
  const found = new Map<string, (string | null)[]>()
  for (const { items, ids } of view.pages) {
    for (const [at, item] of items.entries()) {
      const key = `${textField(item, 'role')}\n${textField(item, 'content')}`
      const same = found.get(key)
      if (same === undefined) found.set(key, [ids[at] ?? null])
      else same.push(ids[at] ?? null)
    }
  }
  return found
}

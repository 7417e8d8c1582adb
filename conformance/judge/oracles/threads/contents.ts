/**
 * Oracles about the contents of a thread: its own messages only, unchanged, nothing invented, and no trace of refused
 * requests.
 */

import type { OperationId } from '../../../../spec/index.ts'
import type { ThreadHistory } from '../../history/thread-histories.ts'
import type { Page, StoredMessage, Write } from '../../history/thread-record.ts'
import type { ObservationLog } from '../../observation-log.ts'
import { threadKey } from '../../read/formats.ts'
import { sameJson, textField } from '../../read/json.ts'
import type { ParsedExchange } from '../../read/parsed-exchange.ts'
import { isRefusal, queryValues } from '../../read/parsed-exchange.ts'
import { respellingOf } from '../../read/text-change.ts'
import type { TraceAnalysis } from '../../trace-analysis.ts'
import type { Oracle } from '../support/oracle.ts'
import { judgeSentMessages } from './sent-messages.ts'

/** Where a stored message was listed first. */
export const shownMessages = ({ first, id }: StoredMessage) => ({
  list: first.page.parsed.id,
  pointer: `/items/${first.at}`,
  id,
})

/** Oracle of threads.only-own-messages. */
export const onlyOwnMessages: Oracle = (analysis, observe) => {
  for (const thread of analysis.histories.threads) {
    judgeMadeTwice(observe, thread)
    for (const page of thread.pages) {
      const at = page.items.findIndex((item, index) => isForeign(analysis, thread, item, page.ids[index] ?? null))
      if (at >= 0) {
        const item = page.items[at]
        const carried = textField(item, 'thread_id')
        const isAdded = carried !== null && threadKey(carried) === thread.id
        const why = isAdded ? 'a message that was added to another thread' : `thread_id ${carried}`
        observe.contradicted('listMessages', null, {
          exchanges: [...originOf(analysis, page.ids[at] ?? null), page.parsed.id],
          expected: `messages of thread ${thread.id}`,
          actual: why,
          pointer: `/items/${at}`,
          because: `${page.parsed.id} lists thread ${thread.id}, and item ${at} is ${why}.`,
          headline: `lists ${isAdded ? why : 'a message with the thread_id of another thread'}`,
        })
      } else if (page.items.length > 0) observe.held('listMessages', null, page.parsed.id)
    }
  }
}

/** Two threads were asked for and got one id: what was added to the first is listed in the second. */
function judgeMadeTwice(observe: ObservationLog, thread: ThreadHistory): undefined {
  for (const { id, write, last } of thread.alone ? thread.stored.values() : []) {
    const { page, at } = last
    const again = thread.origin.again.find(
      ({ sentAtMs, endedAtMs }) =>
        write !== null && write.certainFromMs <= sentAtMs && page.parsed.sentAtMs >= endedAtMs,
    )
    if (write === null || again === undefined) continue
    return observe.contradicted('listMessages', null, {
      exchanges: [write.parsed.id, again.id, page.parsed.id],
      expected: 'a new thread without messages',
      actual: `message ${id}, which was added to the thread before it`,
      pointer: `/items/${at}`,
      because: `${again.id} makes a new thread and gets the id of one that ${write.parsed.id} had added to, and ${page.parsed.id} lists that message.`,
      headline: 'a new thread has the id of an earlier one, and its messages',
    })
  }
}

function isForeign(analysis: TraceAnalysis, thread: ThreadHistory, item: unknown, id: string | null): boolean {
  const carried = textField(item, 'thread_id')
  if (carried !== null && threadKey(carried) !== thread.id) return true
  return id !== null && thread.stored.get(id)?.explanation === 'other-thread' && !wasAskedFor(analysis, thread, id)
}

/** Whether a completion asked for this thread, and only its answer named another. */
function wasAskedFor(analysis: TraceAnalysis, thread: ThreadHistory, id: string): boolean {
  return analysis.histories.threads.some(({ writes }) =>
    writes.some(
      (write) =>
        (write.id === id ||
          (write.id === null && write.content === textField(thread.stored.get(id)?.first.item, 'content'))) &&
        queryValues(write.parsed, 'thread_id')
          .slice(0, 1)
          .some((asked) => threadKey(asked) === thread.id),
    ),
  )
}

/** The exchange that added a message to any thread. */
function originOf(analysis: TraceAnalysis, id: string | null): readonly string[] {
  for (const thread of id === null ? [] : analysis.histories.threads) {
    const write = thread.writes.find((one) => one.id === id)
    if (write !== undefined) return [write.parsed.id]
  }
  return []
}

/** Oracle of threads.no-phantom-messages. */
export const noPhantomMessages: Oracle = (analysis, observe) => {
  for (const thread of analysis.histories.threads) {
    if (!thread.exclusive || hasWrongWrites(analysis, thread)) continue
    judgeSentMessages(observe, thread)
    if (!thread.alone) continue
    for (const page of thread.pages) judgeSecondCopies(observe, page)
    for (const stored of thread.stored.values()) {
      const { list, pointer, id } = shownMessages(stored)
      if (stored.explanation === 'written') observe.held('listMessages', null, list)
      else if (isPhantom(thread, stored)) {
        const isCopy = stored.explanation === 'copy'
        observe.contradicted('listMessages', null, {
          exchanges: [...(isCopy ? writerOf(thread, stored) : []), list],
          expected: 'only what was added',
          actual: isCopy ? `a second copy, message ${id}` : `message ${id}, which nobody added`,
          pointer,
          because: isCopy
            ? `${list} lists message ${id}, a second copy of one that was added once.`
            : `${list} lists message ${id}, which no request added and no run answered.`,
          headline: `lists ${isCopy ? 'a second copy of one that was added once' : 'a message that nobody added'}`,
        })
      }
    }
  }
}

/** The contract does not say what happens with a request that should have been refused. */
const hasWrongWrites = (analysis: TraceAnalysis, { writes }: ThreadHistory): boolean =>
  writes.some(({ status, parsed }) => status === 'acknowledged' && analysis.requestOf(parsed).validity === 'invalid')

/** The same message a second time on one page. */
function judgeSecondCopies(observe: ObservationLog, page: Page): undefined {
  const at = secondCopyOn(page)
  if (at < 0) return
  observe.contradicted('listMessages', null, {
    exchanges: [page.parsed.id],
    expected: 'only what was added',
    actual: `message ${page.ids[at]} a second time`,
    pointer: `/items/${at}`,
    because: `${page.parsed.id} lists message ${page.ids[at]} a second time on the same page.`,
    headline: 'lists a message twice on one page',
  })
}

/** The place of a message that the page shows twice, or -1; two messages of one id are a fault of ids. */
export function secondCopyOn({ ids, items }: Page): number {
  const seen = new Map<string, unknown>()
  return ids.findIndex((id, at) => {
    if (id === null) return false
    const isSecond = seen.has(id) && sameJson(seen.get(id), items[at])
    seen.set(id, items[at])
    return isSecond
  })
}

/**
 * A message before the first one of a thread that was created empty is invented too; the thread of a completion may
 * list the prompt that the service put before the messages.
 */
function isPhantom(thread: ThreadHistory, stored: StoredMessage): boolean {
  const { explanation } = stored
  if (explanation === 'copy') return true
  const isNew = explanation === 'unexplained' || (explanation === 'earlier' && thread.origin.kind === 'made')
  return isNew && !isRespelled(thread, stored)
}

/**
 * Whether it is the message of a client that disconnected before the answer, in another spelling: another rule covers
 * the change.
 */
function isRespelled({ writes }: ThreadHistory, { first }: StoredMessage): boolean {
  const [role, content] = [textField(first.item, 'role'), textField(first.item, 'content')]
  const left = writes.filter((write) => write.status === 'possible' && write.stored === null && write.role === role)
  return left.some((write) => respellingOf(write.content ?? '', content ?? '') !== null)
}

function writerOf(thread: ThreadHistory, stored: StoredMessage): readonly string[] {
  const content = textField(stored.first.item, 'content')
  const writer = thread.writes.find((write) => write.content === content)
  return writer === undefined ? [] : [writer.parsed.id]
}

/** Oracle of threads.rejected-leaves-no-trace. */
export const rejectedLeavesNoTrace: Oracle = (analysis, observe) => {
  const convicted = convictedAlone(analysis)
  for (const thread of analysis.histories.threads) {
    const suspects = suspectsIn(thread)
    for (const refusal of thread.refusals) {
      const later = thread.views.find((view) => view.startMs > refusal.parsed.endedAtMs)
      if (later === undefined || refusal.parsed.operation === null) continue
      const trace = traceOf(thread, suspects, refusal)
      // A message of a kind that another operation is known to leave may come from that operation here too.
      if (trace !== null && convicted.size > 0 && !convicted.has(refusal.parsed.operation)) continue
      if (trace === null) observe.held(refusal.parsed.operation, null, refusal.parsed.id, later.pages[0].parsed.id)
      else {
        const { list, pointer, id } = shownMessages(trace)
        observe.contradicted(refusal.parsed.operation, null, {
          exchanges: [refusal.parsed.id, list],
          expected: 'a thread without a trace of the refused request',
          actual: `message ${id}`,
          pointer,
          because: `${refusal.parsed.id} was refused, and ${list} lists message ${id}, which it left behind.`,
          headline: 'a refused request leaves a message behind',
        })
      }
    }
  }
}

/** Operations that left a message for which no refused request of another operation can be the cause. */
function convictedAlone({ histories }: TraceAnalysis): ReadonlySet<OperationId | null> {
  const causes = histories.threads.flatMap((thread) =>
    suspectsIn(thread).map((stored) => {
      const able = thread.refusals.filter(
        (refusal) => traceOf(thread, [stored], refusal) !== null && !wasListedSince(thread, refusal, stored),
      )
      return [...new Set(able.map(({ parsed }) => parsed.operation))]
    }),
  )
  return new Set(causes.flatMap((operations) => (operations.length === 1 ? operations : [])))
}

/** Whether a whole list behind the refusal does not show the message yet. */
const wasListedSince = ({ views }: ThreadHistory, { parsed }: Write, { first }: StoredMessage): boolean =>
  views.some((view) => view.ended && view.startMs > parsed.endedAtMs && view.endMs < first.page.parsed.sentAtMs)

const suspectsIn = (thread: ThreadHistory): readonly StoredMessage[] =>
  [...thread.stored.values()].filter(
    (stored) => stored.explanation !== 'copy' && (stored.explanation === 'refused' || isPhantom(thread, stored)),
  )

/** A listed message that only this refused request explains. */
function traceOf(thread: ThreadHistory, suspects: readonly StoredMessage[], refusal: Write): StoredMessage | null {
  for (const stored of suspects) {
    const listed = stored.first.page.parsed
    if (listed.endedAtMs < refusal.sentAtMs) continue
    if (refusal.kind !== 'answer' && isContentOf(stored, refusal)) return stored
    const isAnswer = textField(stored.first.item, 'role') === 'assistant'
    if (refusal.kind === 'answer' && isAnswer && isOnlyCause(thread, refusal, listed)) return stored
  }
  return null
}

const isContentOf = ({ first, explanation }: StoredMessage, { content }: Write): boolean =>
  explanation === 'refused' && content !== null && textField(first.item, 'content') === content

/** Whether between the last list without the message and the first one with it nothing but this run could have added it. */
function isOnlyCause(thread: ThreadHistory, refusal: Write, listed: ParsedExchange): boolean {
  const before = thread.views.filter((view) => view.ended && view.endMs <= refusal.sentAtMs).at(-1)
  const sinceMs = before?.startMs ?? Number.NEGATIVE_INFINITY
  const isBetween = ({ sentAtMs, certainFromMs }: Write): boolean =>
    sentAtMs < listed.endedAtMs && certainFromMs > sinceMs
  const runs = thread.writes.filter((write) => write.kind === 'answer' && isBetween(write))
  return runs.length === 0 && isRefusal(refusal.parsed)
}

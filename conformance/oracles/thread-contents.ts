/** Oracles about what a thread holds: its own messages only, unchanged, nothing invented, nothing left of what was refused. */
import { canonicalUuid, threadKey } from '../classify/forms.ts'
import { differenceOf, fieldOf, nameOf, sameJson, textField } from '../classify/json.ts'
import type { Reading } from '../classify/reading.ts'
import { isRefusal, queryValues } from '../classify/reading.ts'
import type { Docket } from '../judging/docket.ts'
import type { Testimony } from '../judging/testimony.ts'
import type { LedgerThread } from '../ledger/index.ts'
import type { Page, StoredMessage, Write } from '../ledger/thread-ledger.ts'
import type { Oracle } from './oracle.ts'

/** Where a stored message was listed first. */
export const shown = ({ first, id }: StoredMessage) => ({
  list: first.page.reading.id,
  pointer: `/items/${first.at}`,
  id,
})

/** Oracle of threads.message-never-changes. */
export const messageNeverChanges: Oracle = (docket, testify) => {
  for (const thread of docket.ledger.threads) {
    judgeIdentity(testify, thread)
    for (const { changes, first, last, id } of thread.stored.values()) {
      const [change] = changes
      if (change === undefined) {
        if (first !== last) testify.held('listMessages', null, first.page.reading.id, last.page.reading.id)
        continue
      }
      const { at, before, after } = changeIn(change.field, change.before.item, change.after.item)
      testify.contradicted('listMessages', null, {
        exchanges: [change.before.page.reading.id, change.after.page.reading.id],
        expected: `${at} ${before}`,
        actual: after,
        pointer: `/items/${change.after.at}/${at}`,
        because: `Message ${id} has ${at} ${before} in ${change.before.page.reading.id} and ${after} in ${change.after.page.reading.id}.`,
      })
    }
  }
}

/** The same words of the same instant under another id, in a list that no longer shows the first id. */
function judgeIdentity(testify: Testimony, thread: LedgerThread): undefined {
  const owners = new Map<string, StoredMessage>()
  const all = [...thread.stored.values()]
  if (!all.some(isSurplus)) return
  for (const stored of all) {
    const { item, page, at } = stored.first
    const key = JSON.stringify([fieldOf(item, 'role'), fieldOf(item, 'content'), fieldOf(item, 'created_at')])
    const owner = owners.get(key)
    owners.set(key, owner ?? stored)
    // Two messages of a client's own may well say the same in the same instant.
    if (!isSurplus(stored)) continue
    if (owner === undefined || owner.first.page === page || page.ids.includes(owner.id)) continue
    testify.contradicted('listMessages', null, {
      exchanges: [owner.first.page.reading.id, page.reading.id],
      expected: `id ${owner.id}`,
      actual: stored.id,
      pointer: `/items/${at}/id`,
      because: `${owner.first.page.reading.id} lists a message under the id ${owner.id}, and ${page.reading.id} lists the same message under ${stored.id}.`,
    })
  }
}

const isSurplus = ({ explanation }: StoredMessage): boolean => ['copy', 'renamed', 'unexplained'].includes(explanation)

/** What of a field is another in a later message: `meta_data/intent` and the two values in words. */
export function changeIn(field: string, earlier: unknown, later: unknown): Record<'at' | 'before' | 'after', string> {
  const [left, right] = [fieldOf(earlier, field), fieldOf(later, field)]
  const difference = differenceOf(left, right) ?? { at: '', left, right }
  return { at: `${field}${difference.at}`, before: nameOf(difference.left), after: nameOf(difference.right) }
}

/** Oracle of threads.only-own-messages. */
export const onlyOwnMessages: Oracle = (docket, testify) => {
  for (const thread of docket.ledger.threads) {
    judgeMadeTwice(testify, thread)
    for (const page of thread.pages) {
      const at = page.items.findIndex((item, index) => isForeign(docket, thread, item, page.ids[index] ?? null))
      if (at >= 0) {
        const item = page.items[at]
        const carried = textField(item, 'thread_id')
        const why =
          carried !== null && canonicalUuid(carried) === thread.id
            ? 'a message that was added to another thread'
            : `thread_id ${carried}`
        testify.contradicted('listMessages', null, {
          exchanges: [...originOf(docket, page.ids[at] ?? null), page.reading.id],
          expected: `messages of thread ${thread.id}`,
          actual: why,
          pointer: `/items/${at}`,
          because: `${page.reading.id} lists thread ${thread.id}, and item ${at} is ${why}.`,
        })
      } else if (page.items.length > 0) testify.held('listMessages', null, page.reading.id)
    }
  }
}

/** Two threads were asked for and got one id: what was added to the first is listed in the second. */
function judgeMadeTwice(testify: Testimony, thread: LedgerThread): undefined {
  const [again] = thread.alone ? thread.origin.again : []
  if (again === undefined) return
  for (const { id, write, last } of thread.stored.values()) {
    const { page, at } = last
    if (write === null || write.certainFromMs > again.sentAtMs || page.reading.sentAtMs < again.endedAtMs) continue
    return testify.contradicted('listMessages', null, {
      exchanges: [write.reading.id, again.id, page.reading.id],
      expected: 'a new thread without messages',
      actual: `message ${id}, which was added to the thread before it`,
      pointer: `/items/${at}`,
      because: `${again.id} makes a new thread and gets the id of one that ${write.reading.id} had added to, and ${page.reading.id} lists that message.`,
    })
  }
}

function isForeign(docket: Docket, thread: LedgerThread, item: unknown, id: string | null): boolean {
  const carried = textField(item, 'thread_id')
  if (carried !== null && threadKey(carried) !== thread.id) return true
  return id !== null && thread.stored.get(id)?.explanation === 'other-thread' && !wasAskedFor(docket, thread, id)
}

/** Whether a completion asked for this thread, and only its answer named another. */
function wasAskedFor(docket: Docket, thread: LedgerThread, id: string): boolean {
  return docket.ledger.threads.some(({ writes }) =>
    writes.some(
      (write) =>
        (write.id === id ||
          (write.id === null && write.content === textField(thread.stored.get(id)?.first.item, 'content'))) &&
        queryValues(write.reading, 'thread_id')[0]?.toLowerCase() === thread.id,
    ),
  )
}

/** The exchange that added a message to whichever thread. */
function originOf(docket: Docket, id: string | null): readonly string[] {
  for (const thread of id === null ? [] : docket.ledger.threads) {
    const write = thread.writes.find((one) => one.id === id)
    if (write !== undefined) return [write.reading.id]
  }
  return []
}

/** Oracle of threads.no-phantom-messages. */
export const noPhantomMessages: Oracle = (docket, testify) => {
  for (const thread of docket.ledger.threads) {
    if (!thread.alone || hasWrongWrites(docket, thread)) continue
    for (const page of thread.pages) judgeSecondCopies(testify, page)
    for (const stored of thread.stored.values()) {
      const { list, pointer, id } = shown(stored)
      if (stored.explanation === 'written') testify.held('listMessages', null, list)
      else if (isPhantom(thread, stored)) {
        const isCopy = stored.explanation === 'copy'
        testify.contradicted('listMessages', null, {
          exchanges: [...(isCopy ? writerOf(thread, stored) : []), list],
          expected: 'only what was added',
          actual: isCopy ? `a second copy, message ${id}` : `message ${id}, which nobody added`,
          pointer,
          because: isCopy
            ? `${list} lists message ${id}, a second copy of one that was added once.`
            : `${list} lists message ${id}, which no request added and no run answered.`,
        })
      }
    }
  }
}

/** What a service makes of a request that it should have refused is nobody's rule. */
const hasWrongWrites = (docket: Docket, { writes }: LedgerThread): boolean =>
  writes.some(({ status, reading }) => status === 'acknowledged' && docket.requestOf(reading).validity === 'invalid')

/** The same message a second time on one page. */
function judgeSecondCopies(testify: Testimony, page: Page): undefined {
  const at = secondCopyOn(page)
  if (at < 0) return
  testify.contradicted('listMessages', null, {
    exchanges: [page.reading.id],
    expected: 'only what was added',
    actual: `message ${page.ids[at]} a second time`,
    pointer: `/items/${at}`,
    because: `${page.reading.id} lists message ${page.ids[at]} a second time on the same page.`,
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
 * What stands before the first message of a thread that was made empty was invented as well; the thread of a completion may
 * list the prompt that the service put before the messages.
 */
function isPhantom(thread: LedgerThread, { explanation }: StoredMessage): boolean {
  return (
    explanation === 'unexplained' ||
    explanation === 'copy' ||
    (explanation === 'earlier' && thread.origin.kind === 'made')
  )
}

function writerOf(thread: LedgerThread, stored: StoredMessage): readonly string[] {
  const content = textField(stored.first.item, 'content')
  const writer = thread.writes.find((write) => write.content === content)
  return writer === undefined ? [] : [writer.reading.id]
}

/** Oracle of threads.rejected-leaves-no-trace. */
export const rejectedLeavesNoTrace: Oracle = (docket, testify) => {
  for (const thread of docket.ledger.threads) {
    const suspects = [...thread.stored.values()].filter(
      ({ explanation }) => explanation === 'refused' || explanation === 'unexplained',
    )
    for (const refusal of thread.refusals) {
      const later = thread.views.find((view) => view.startMs > refusal.reading.endedAtMs)
      if (later === undefined || refusal.reading.operation === null) continue
      const trace = traceOf(thread, suspects, refusal)
      if (trace === null) testify.held(refusal.reading.operation, null, refusal.reading.id, later.pages[0].reading.id)
      else {
        const { list, pointer, id } = shown(trace)
        testify.contradicted(refusal.reading.operation, null, {
          exchanges: [refusal.reading.id, list],
          expected: 'a thread without a trace of the refused request',
          actual: `message ${id}`,
          pointer,
          because: `${refusal.reading.id} was refused, and ${list} lists message ${id}, which came of it.`,
        })
      }
    }
  }
}

/** A listed message that only this refused request explains. */
function traceOf(thread: LedgerThread, suspects: readonly StoredMessage[], refusal: Write): StoredMessage | null {
  for (const stored of suspects) {
    const listed = stored.first.page.reading
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
function isOnlyCause(thread: LedgerThread, refusal: Write, listed: Reading): boolean {
  const before = thread.views.filter((view) => view.ended && view.endMs <= refusal.sentAtMs).at(-1)
  const sinceMs = before?.startMs ?? Number.NEGATIVE_INFINITY
  const isBetween = ({ sentAtMs, certainFromMs }: Write): boolean =>
    sentAtMs < listed.endedAtMs && certainFromMs > sinceMs
  const runs = thread.writes.filter((write) => write.kind === 'answer' && isBetween(write))
  return runs.length === 0 && isRefusal(refusal.reading)
}

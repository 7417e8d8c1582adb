/** Oracles about created messages in lists: there, once, in time, and as they were created. */

import type { ThreadHistory } from '../../history/thread-histories.ts'
import type { Page, View, Write } from '../../history/thread-record.ts'
import type { ObservationLog } from '../../observation-log.ts'
import { isLater, isTimestamp } from '../../read/formats.ts'
import { fieldOf, nameOf, namesOf, textField } from '../../read/json.ts'
import { textChange } from '../../read/text-change.ts'
import type { TraceAnalysis } from '../../trace-analysis.ts'
import type { Oracle } from '../support/oracle.ts'
import { secondCopyOn } from './contents.ts'

/** `lost`: no later list shows it; `late`: a list missed it and a later one shows it; `once`: a single list missed it. */
type Listing = 'listed' | 'lost' | 'late' | 'once' | 'unseen'

/** The state of an acknowledged write in the lists that should show it. */
function listingOf(write: Write): Listing {
  const missed = write.missingFrom.at(-1)
  if (missed === undefined) return write.stored === null ? 'unseen' : 'listed'
  const lastSeenMs = write.stored?.last.page.parsed.endedAtMs ?? Number.NEGATIVE_INFINITY
  if (lastSeenMs > missed.startMs) return 'late'
  return write.missingFrom.length > 1 || newerIn(missed, write) !== undefined ? 'lost' : 'once'
}

/** The id of a younger message in a list: such a list is not merely old, and a message missing from it is lost. */
function newerIn(view: View, { createdAt }: Write): string | null | undefined {
  if (!isTimestamp(createdAt)) return undefined
  for (const { items, ids } of view.pages) {
    const at = items.findIndex((item) => {
      const stamp = textField(item, 'created_at')
      return isTimestamp(stamp) && stamp > createdAt
    })
    if (at >= 0) return ids[at] ?? null
  }
  return undefined
}

function* createdWrites(analysis: TraceAnalysis): Generator<{ readonly thread: ThreadHistory; readonly write: Write }> {
  for (const thread of analysis.histories.threads) {
    for (const write of thread.acknowledged) if (write.kind === 'created') yield { thread, write }
  }
}

const firstPageId = (view: View): string => view.pages[0].parsed.id
const pageIds = (view: View): readonly string[] => view.pages.map(({ parsed }) => parsed.id)

/** Oracle of threads.created-is-listed. */
export const createdIsListed: Oracle = (analysis, observe) => {
  for (const { thread, write } of createdWrites(analysis)) judgeListed(observe, thread, write)
  for (const thread of analysis.histories.threads) {
    for (const page of thread.pages) {
      const twice = secondCopyOn(page)
      if (twice < 0) continue
      observe.contradicted('listMessages', null, {
        exchanges: [page.parsed.id],
        expected: 'every message once',
        actual: `message ${page.ids[twice]} twice`,
        pointer: `/items/${twice}/id`,
        because: `${page.parsed.id} lists message ${page.ids[twice]} twice on one page.`,
        headline: 'lists a message twice on one page',
      })
    }
  }
}

function judgeListed(observe: ObservationLog, thread: ThreadHistory, write: Write): undefined {
  const [missed] = write.missingFrom
  const listing = listingOf(write)
  if (listing === 'listed' || listing === 'late') {
    return observe.held('listMessages', null, write.parsed.id, write.stored?.first.page.parsed.id ?? write.parsed.id)
  }
  if (missed === undefined) return
  if (listing === 'once') {
    return observe.ambiguous(
      'listMessages',
      null,
      firstPageId(missed),
      `One list misses the message of ${write.parsed.id}; no later one was asked for.`,
    )
  }
  const last = write.missingFrom.at(-1) ?? missed
  // Another list misses it too, or this one shows what was added later: otherwise it might be late.
  const beside = last === missed ? writerOf(thread, newerIn(last, write)) : pageIds(missed)
  observe.contradicted('listMessages', null, missing(write, last, beside))
}

/** The exchange that added a listed message, when it is known. */
function writerOf({ stored }: ThreadHistory, id: string | null | undefined): readonly string[] {
  const write = stored.get(id ?? '')?.write
  return write == null ? [] : [write.parsed.id]
}

/** A list that lacks a message; `beside` are exchanges without which it might be no contradiction. */
function missing(write: Write, view: View, beside: readonly string[] = []) {
  const lists = pageIds(view)
  return {
    exchanges: [...new Set([write.parsed.id, ...beside.filter((id) => !lists.includes(id)), ...lists])],
    expected: `message ${write.id} in the list`,
    actual: 'a list without it',
    pointer: '/items',
    because: `${write.parsed.id} created message ${write.id}, and ${firstPageId(view)}, asked for afterwards, does not list it.`,
    headline: 'does not list a message that was created before',
  }
}

/** Oracle of threads.read-your-writes. */
export const readYourWrites: Oracle = (analysis, observe) => {
  for (const { thread, write } of createdWrites(analysis)) {
    if (thread.sharedIds.has(write.id ?? '')) continue
    const missed = write.missingFrom.find((view) => isStale(view, write))
    const seenIn = write.stored?.first.page.parsed
    if (missed !== undefined) observe.contradicted('listMessages', null, missing(write, missed))
    else if (seenIn !== undefined && seenIn.sentAtMs > write.certainFromMs)
      observe.held('listMessages', null, write.parsed.id, seenIn.id)
  }
}

/**
 * A list that does not show yet what it should begin with; another rule covers messages that were seen before or belong
 * after a cursor.
 */
function isStale({ pages, startMs }: View, { stored, createdAt }: Write): boolean {
  if (stored !== null && stored.first.page.parsed.endedAtMs <= startMs) return false
  const [head, ...rest] = pages
  return (
    rest.length === 0 ||
    createdAt === null ||
    head.items.some((item) => isLater(createdAt, textField(item, 'created_at') ?? ''))
  )
}

const comparedFields = ['role', 'content', 'created_at'] as const

/** Oracle of threads.listed-as-created. */
export const listedAsCreated: Oracle = (analysis, observe) => {
  for (const { thread, write } of createdWrites(analysis)) {
    const { stored, returned, parsed } = write
    if (stored === null) {
      judgeOtherId(observe, thread, write)
      continue
    }
    const list = stored.first.page.parsed.id
    observe.held('listMessages', 'id', parsed.id, list)
    for (const field of comparedFields) {
      const created = fieldOf(returned, field)
      const listed = fieldOf(stored.first.item, field)
      if (created === undefined || listed === undefined || thread.sharedIds.has(stored.id)) continue
      if (created === listed) observe.held('listMessages', field, parsed.id, list)
      else {
        const [expected, actual] = namesOf(created, listed)
        const change = textChange(created, listed)
        observe.contradicted('listMessages', field, {
          exchanges: [parsed.id, list],
          expected,
          actual,
          pointer: `/items/${stored.first.at}/${field}`,
          because: `${parsed.id} returned message ${stored.id} with ${field} ${expected}, and ${list} lists it with ${actual}.`,
          headline:
            change === null
              ? `lists a message with another ${field} than its creation returned`
              : `lists the ${field} of a message ${change}`,
        })
      }
    }
  }
}

/** The message is there, but under another id than the one that its creation returned. */
function judgeOtherId(observe: ObservationLog, thread: ThreadHistory, write: Write): undefined {
  if (write.id === null || write.content === null) return
  for (const { explanation, first } of thread.stored.values()) {
    if (explanation !== 'renamed' || textField(first.item, 'content') !== write.content) continue
    return observe.contradicted('listMessages', 'id', {
      exchanges: [write.parsed.id, first.page.parsed.id],
      expected: `message ${write.id}`,
      actual: nameOf(fieldOf(first.item, 'id')),
      pointer: `/items/${first.at}/id`,
      because: `${write.parsed.id} returned the id ${write.id}, and ${first.page.parsed.id} lists the same message under another one.`,
      headline: 'lists a message under another id than its creation returned',
    })
  }
}

/** Oracle of threads.concurrent-creates. */
export const concurrentCreates: Oracle = (analysis, observe) => {
  for (const thread of analysis.histories.threads) {
    const together = overlapping(thread)
    const doubled = together.length === 0 ? new Map<string, Page>() : listedTwice(thread)
    for (const write of together) {
      const listing = listingOf(write)
      const [missed] = write.missingFrom
      const twice = doubled.get(write.id ?? '')
      if (twice !== undefined) {
        observe.contradicted('createMessage', null, {
          exchanges: [write.parsed.id, twice.parsed.id],
          expected: 'the message once',
          actual: `message ${write.id} twice`,
          pointer: '/items',
          because: `${write.parsed.id} was sent at the same time as others, and ${twice.parsed.id} lists its message twice.`,
          headline: 'lists a message twice that was sent at the same time as others',
        })
      } else if (listing === 'listed' || listing === 'late') observe.held('createMessage', null, write.parsed.id)
      else if (listing === 'lost' && missed !== undefined) {
        observe.contradicted('createMessage', null, {
          ...missing(write, missed),
          because: `${write.parsed.id} was sent at the same time as others and acknowledged, and ${firstPageId(missed)} does not list its message.`,
          headline: 'a message that was sent at the same time as others is lost',
        })
      } else if (missed !== undefined)
        observe.ambiguous('createMessage', null, write.parsed.id, 'Only one list was asked for afterwards.')
    }
  }
}

/** Messages that one page shows twice, under one id or as a second copy. */
function listedTwice(thread: ThreadHistory): ReadonlyMap<string, Page> {
  const found = new Map<string, Page>()
  for (const page of thread.pages) {
    const seen = new Set<string>()
    for (const id of page.ids) {
      if (id !== null && seen.has(id)) found.set(id, page)
      if (id !== null) seen.add(id)
    }
  }
  const copies = new Map<string, Page>()
  for (const { explanation, first } of thread.stored.values()) {
    if (explanation === 'copy') copies.set(contentOf(first.item), first.page)
  }
  for (const { id, write } of thread.stored.values()) {
    const copy = write === null ? undefined : copies.get(contentOf(write))
    if (copy?.ids.includes(id)) found.set(id, copy)
  }
  return found
}

const contentOf = (message: unknown): string => `${textField(message, 'role')}\n${textField(message, 'content')}`

/** Acknowledged creations that were under way together with another one; one pass over the writes by time of sending. */
function overlapping(thread: ThreadHistory): readonly Write[] {
  const created = thread.writes.filter(({ kind, status }) => kind === 'created' && status === 'acknowledged')
  const found = new Set<Write>()
  let longest: Write | null = null
  for (const write of created) {
    if (longest !== null && write.sentAtMs < longest.parsed.endedAtMs) found.add(longest).add(write)
    if (longest === null || write.parsed.endedAtMs > longest.parsed.endedAtMs) longest = write
  }
  return [...found]
}

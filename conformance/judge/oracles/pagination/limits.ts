/**
 * Oracles about how many messages a page holds. They ask for the default, for the limit as a cap, and for full pages
 * while messages remain.
 */

import { countText } from '../../../../spec/index.ts'
import type { ThreadHistory } from '../../history/thread-histories.ts'
import type { Page } from '../../history/thread-record.ts'
import type { ObservationLog } from '../../observation-log.ts'
import { textField } from '../../read/json.ts'
import { memoPerTrace, type TraceAnalysis } from '../../trace-analysis.ts'
import type { Oracle } from '../support/oracle.ts'

/** Every plainly asked page, with its thread. */
export function* plainPages(
  analysis: TraceAnalysis,
): Generator<{ readonly thread: ThreadHistory; readonly page: Page }> {
  for (const thread of analysis.histories.threads) {
    for (const page of thread.pages) if (page.isPlain) yield { thread, page }
  }
}

/** How many messages surely remained for a page when nothing was written meanwhile; `null` when unknown. */
export function remainingFor(analysis: TraceAnalysis, thread: ThreadHistory, page: Page): number | null {
  const known = remainders(analysis)
  const before = known.get(page)
  if (before !== undefined) return before
  const remaining = countRemaining(thread, page)
  known.set(page, remaining)
  return remaining
}

const remainders = memoPerTrace(() => new Map<Page, number | null>())

function countRemaining(thread: ThreadHistory, page: Page): number | null {
  const { sentAtMs, endedAtMs } = page.parsed
  if (!thread.timeline.isQuiet(sentAtMs, endedAtMs)) return null
  let shown = 0
  let start = page
  for (let before = page.previous; before !== null; before = before.previous) {
    shown += before.items.length
    start = before
  }
  if (start.cursorIn !== null || !thread.timeline.isQuiet(start.parsed.sentAtMs, endedAtMs)) return null
  if (hasGap(thread, page)) return null
  return thread.timeline.countAt(sentAtMs) - shown
}

/** Whether the list lacks a message that is newer than the last one that it shows; then its fault is not its length. */
function hasGap(thread: ThreadHistory, page: Page): boolean {
  const shown = new Set<string | null>()
  for (let one: Page | null = page; one !== null; one = one.previous) for (const id of one.ids) shown.add(id)
  const last = textField(page.items.at(-1), 'created_at')
  // A first page with nothing on it, of a thread that was listed before, holds too few.
  if (page.items.length === 0 && page.previous === null && thread.pages.some((other) => isEarlier(other, page)))
    return false
  for (const { id, first, certainFromMs } of thread.stored.values()) {
    const stamp = textField(first.item, 'created_at') ?? ''
    if (certainFromMs < page.parsed.sentAtMs && !shown.has(id) && (last === null || stamp > last)) return true
  }
  return false
}

const isEarlier = (other: Page, { parsed }: Page): boolean =>
  other.items.length > 0 && other.parsed.endedAtMs <= parsed.sentAtMs

/** A list that shows a message which the page lacks: without it the missing message would be unknown. */
export function listOfRest({ stored }: ThreadHistory, { ids, parsed }: Page): readonly string[] {
  for (const { id, certainFromMs, first } of stored.values()) {
    const by = first.page.parsed
    if (certainFromMs < parsed.sentAtMs && by !== parsed && !ids.includes(id)) return [by.id]
  }
  return []
}

/** Oracle of pagination.default-limit. */
export const defaultLimit: Oracle = (analysis, observe) => {
  for (const { thread, page } of plainPages(analysis)) {
    if (!page.defaultLimit) continue
    if (page.cursorIn !== null) {
      judgeRest(analysis, observe, thread, page)
      continue
    }
    const count = thread.timeline.countAt(page.parsed.sentAtMs)
    const isTooLong = page.items.length > 100
    if (!isTooLong && count <= 100) continue
    if (page.items.length === 100) observe.held('listMessages', null, page.parsed.id)
    else {
      observe.contradicted('listMessages', null, {
        exchanges: [...listOfRest(thread, page), page.parsed.id],
        expected: '100 messages',
        actual: countText(page.items.length, 'message'),
        pointer: '/items',
        because: `${page.parsed.id} names no limit, the thread holds ${Math.max(count, page.items.length)} messages, and the page has ${page.items.length}.`,
        headline: `without a limit, the page has ${page.items.length} of ${Math.max(count, page.items.length)} messages`,
      })
    }
  }
}

/**
 * What a cursor without a limit leads to: all that remains, where it fits into the default. A cursor may bring the limit of
 * the pages before it along, so only a rest is judged that is within that as well.
 */
function judgeRest(analysis: TraceAnalysis, observe: ObservationLog, thread: ThreadHistory, page: Page): undefined {
  const remaining = remainingFor(analysis, thread, page)
  if (remaining === null || remaining < 1 || remaining > Math.min(100, ...limitsBefore(page))) return
  if (page.items.length >= remaining) return observe.held('listMessages', null, page.parsed.id)
  observe.contradicted('listMessages', null, {
    exchanges: [...(page.previous === null ? [] : [page.previous.parsed.id]), page.parsed.id],
    expected: countText(remaining, 'message'),
    actual: countText(page.items.length, 'message'),
    pointer: '/items',
    because: `${page.parsed.id} follows a cursor with ${countText(remaining, 'message')} remaining and without a limit, and the page has ${page.items.length}.`,
    headline: `without a limit, a page has ${page.items.length} of the remaining ${countText(remaining, 'message')}`,
  })
}

function* limitsBefore(page: Page): Generator<number> {
  for (let before = page.previous; before !== null; before = before.previous) yield before.limit ?? 100
}

/** Which facet a limit stands for in a thread of so many messages. */
function facetsOf(limit: number, count: number): readonly string[] {
  const facets = [limit === 1 ? 'limit-1' : '', limit === 2 ? 'limit-2' : '']
  const nearby = { [count - 1]: 'limit-n-1', [count]: 'limit-n', [count + 1]: 'limit-n+1' }[limit]
  const found = [...facets, nearby ?? ''].filter((facet) => facet !== '')
  return found.length > 0 ? found : ['another limit']
}

/** Oracle of pagination.limit-caps-page. */
export const limitCapsPage: Oracle = (analysis, observe) => {
  for (const { thread, page } of plainPages(analysis)) {
    if (page.limit === null) continue
    const count = page.cursorIn === null ? thread.timeline.countAt(page.parsed.sentAtMs) : Number.NaN
    const facets = facetsOf(page.limit, count).filter((facet) => facet !== 'limit-n' && facet !== 'limit-n+1')
    if (page.items.length > page.limit) {
      for (const facet of facets.length > 0 ? facets : ['another limit']) tooMany(observe, facet, page, page.limit)
    } else if (count > page.limit) for (const facet of facets) observe.held('listMessages', facet, page.parsed.id)
  }
}

function tooMany(observe: ObservationLog, facet: string, page: Page, limit: number): undefined {
  observe.contradicted('listMessages', facet, {
    exchanges: [page.parsed.id],
    expected: `at most ${countText(limit, 'message')}`,
    actual: countText(page.items.length, 'message'),
    pointer: '/items',
    because: `${page.parsed.id} asks for at most ${countText(limit, 'message')} and gets ${page.items.length}.`,
    headline: `a request for at most ${countText(limit, 'message')} gets ${page.items.length}`,
  })
}

/** Oracle of pagination.limit-fills-page. */
export const limitFillsPage: Oracle = (analysis, observe) => {
  for (const { thread, page } of plainPages(analysis)) {
    const remaining = remainingFor(analysis, thread, page)
    if (page.limit === null || page.limit > 100 || remaining === null || remaining < 1) continue
    const count = thread.timeline.countAt(page.parsed.sentAtMs)
    const expected = Math.min(page.limit, remaining)
    for (const facet of facetsOf(page.limit, count)) {
      if (page.items.length >= expected) observe.held('listMessages', facet, page.parsed.id)
      else {
        observe.contradicted('listMessages', facet, {
          exchanges: [...listOfRest(thread, page), page.parsed.id],
          expected: countText(expected, 'message'),
          actual: countText(page.items.length, 'message'),
          pointer: '/items',
          because: `${page.parsed.id} asks for ${countText(page.limit, 'message')} of the remaining ${remaining} and gets ${page.items.length}.`,
          headline: `a request for ${countText(page.limit, 'message')} of the remaining ${remaining} gets ${page.items.length}`,
        })
      }
    }
  }
}

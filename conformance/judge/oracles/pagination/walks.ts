/**
 * Oracles about walks: following cursors shows every message once and comes to an end. Messages that are added
 * meanwhile do not disturb it.
 */

import { countText } from '../../../../spec/index.ts'
import type { ThreadHistory } from '../../history/thread-histories.ts'
import type { Page, StoredMessage, View } from '../../history/thread-record.ts'
import { belongs } from '../../history/timeline.ts'
import type { ObservationLog } from '../../observation-log.ts'
import { isLater } from '../../read/formats.ts'
import { textField } from '../../read/json.ts'
import { isRefusal, type ParsedExchange, queryValues } from '../../read/parsed-exchange.ts'
import { memoPerTrace, type TraceAnalysis } from '../../trace-analysis.ts'
import { answerName } from '../support/answer-name.ts'
import type { Oracle } from '../support/oracle.ts'

export interface Walk {
  readonly thread: ThreadHistory
  readonly view: View
  /** All ids of the walk, in its order. */
  readonly ids: readonly string[]
  /** Whether nothing was written while it went on. */
  readonly isQuiet: boolean
}

/** Every walk of the trace. */
export const walksOf = memoPerTrace(({ histories }): readonly Walk[] =>
  histories.threads.flatMap((thread) =>
    thread.views.map((view): Walk => {
      const ids = view.pages.flatMap((page) => page.ids.filter((id) => id !== null))
      return { thread, view, ids, isQuiet: thread.timeline.isQuiet(view.startMs, view.endMs) }
    }),
  ),
)

/** The exchanges of its pages. */
export const exchangesOf = (view: View): readonly string[] => view.pages.map(({ parsed }) => parsed.id)
const lastId = (view: View): string => (view.pages.at(-1) ?? view.pages[0]).parsed.id

/** The first id that a walk shows on two pages, with the page that repeats it. */
function repeated({ view }: Walk): { readonly id: string; readonly page: Page; readonly at: number } | null {
  const shown = new Set<string>()
  for (const page of view.pages) {
    const at = page.ids.findIndex((id) => id !== null && shown.has(id))
    const id = page.ids[at]
    if (id !== null && id !== undefined) return { id, page, at }
    for (const one of page.ids) if (one !== null) shown.add(one)
  }
  return null
}

/** A message that was there before a walk began and that the walk does not show, as far as it went. */
function hidden({ thread, view, ids }: Walk): StoredMessage | null {
  const shown = new Set(ids)
  for (const stored of thread.stored.values()) {
    if (stored.certainFromMs >= view.startMs || shown.has(stored.id) || !belongs(thread, stored)) continue
    if (!view.ended && !isBeforeEnd(stored, view)) continue
    if (isThereStill(thread, stored, view) && isBehindCursor(stored, view)) return stored
  }
  return null
}

/** Whether another list shows the message later on, or showed it since the last write. */
function isThereStill({ timeline }: ThreadHistory, { last }: StoredMessage, { startMs, endMs }: View): boolean {
  const { sentAtMs, endedAtMs } = last.page.parsed
  return endedAtMs > startMs || timeline.isQuiet(sentAtMs, endMs)
}

/** Whether a message belongs behind the first page: one that the first page should begin with was not lost by a cursor. */
function isBehindCursor({ first }: StoredMessage, { pages: [head] }: View): boolean {
  const own = textField(first.item, 'created_at')
  const end = textField(head.items.at(-1), 'created_at')
  return own === null || end === null || own === end || isLater(end, own)
}

/** Whether a walk that was not followed to its end went on to older messages. */
function isBeforeEnd({ first }: StoredMessage, { pages }: View): boolean {
  const own = textField(first.item, 'created_at')
  const end = textField((pages.at(-1) ?? pages[0]).items.at(-1), 'created_at')
  return own !== null && end !== null && isLater(own, end)
}

function judgeNothingTwice(observe: ObservationLog, walk: Walk, facet: string | null): boolean {
  const twice = repeated(walk)
  if (twice === null) return true
  observe.contradicted('listMessages', facet, {
    exchanges: exchangesOf(walk.view),
    expected: 'messages that no page before has shown',
    actual: `message ${twice.id} again`,
    pointer: `/items/${twice.at}`,
    because: `${twice.page.parsed.id} follows the cursor of the page before it and shows message ${twice.id} a second time.`,
    headline: 'paging by cursor shows a message twice',
  })
  return false
}

function judgeNothingMissing(observe: ObservationLog, walk: Walk, facet: string | null): boolean {
  const lost = hidden(walk)
  if (lost === null) return true
  observe.contradicted('listMessages', facet, {
    exchanges: [lost.first.page.parsed.id, ...exchangesOf(walk.view)],
    expected: `message ${lost.id} on some page`,
    actual: 'a walk without it',
    pointer: '/items',
    because: `The pages up to ${lastId(walk.view)} never show message ${lost.id}, which ${lost.first.page.parsed.id} lists.`,
    headline: 'paging by cursor skips a message',
  })
  return false
}

/**
 * Oracle of pagination.cursor-continues. If other clients may write too, only a message that is listed before and after
 * counts as missing.
 */
export const cursorContinues: Oracle = (analysis, observe) => {
  for (const walk of walksOf(analysis)) {
    const { view, isQuiet, thread } = walk
    const isFollowed = view.pages.length > 1
    if (!isFollowed && (!view.ended || view.exhaustive)) continue
    if (!isQuiet && thread.alone) continue
    if (isQuiet && judgeNothingTwice(observe, walk, 'nothing-twice') && isFollowed && walk.ids.length > 1)
      observe.held('listMessages', 'nothing-twice', lastId(view))
    if (judgeNothingMissing(observe, walk, 'nothing-missing') && view.ended && isFollowed && isQuiet)
      observe.held('listMessages', 'nothing-missing', lastId(view))
  }
}

/** Oracle of pagination.stable-while-inserting. */
export const stableWhileInserting: Oracle = (analysis, observe) => {
  for (const walk of walksOf(analysis)) {
    const { thread, view } = walk
    if (view.pages.length < 2 || !thread.alone || !isInsertedInto(walk)) continue
    const isWhole = judgeNothingTwice(observe, walk, null) && judgeNothingAhead(observe, walk)
    if (judgeNothingMissing(observe, walk, null) && isWhole && walk.ids.length > 1) {
      const [head, second] = view.pages
      observe.held('listMessages', null, head.parsed.id, second?.parsed.id)
    }
  }
}

/** Behind a cursor stand older messages only: none that was added after the cursor was handed out. */
function judgeNothingAhead(observe: ObservationLog, { thread, view }: Walk): boolean {
  for (const page of view.pages) {
    const since = page.previous?.parsed.endedAtMs ?? Number.POSITIVE_INFINITY
    const at = page.ids.findIndex((id) => (thread.stored.get(id ?? '')?.write?.sentAtMs ?? 0) >= since)
    if (at < 0) continue
    const added = thread.stored.get(page.ids[at] ?? '')?.write?.parsed.id ?? ''
    observe.contradicted('listMessages', null, {
      exchanges: [...(page.previous === null ? [] : [page.previous.parsed.id]), added, page.parsed.id],
      expected: 'messages that are older than the cursor',
      actual: `message ${page.ids[at]}, which was added later`,
      pointer: `/items/${at}`,
      because: `${page.parsed.id} follows a cursor, and shows the message that ${added} added after the cursor had been handed out.`,
      headline: 'a page after a cursor shows a message that was added later',
    })
    return false
  }
  return true
}

/** Whether a message was added for certain after the first page came and before the last one was asked for. */
function isInsertedInto({ thread, view }: Walk): boolean {
  const from = view.pages[0].parsed.endedAtMs
  const until = (view.pages.at(-1) ?? view.pages[0]).parsed.sentAtMs
  return thread.acknowledged.some((write) => write.sentAtMs >= from && write.parsed.endedAtMs <= until)
}

/** Oracle of pagination.any-limit-same-list: each walk against the last one of every other limit, while nothing is added. */
export const anyLimitSameList: Oracle = (analysis, observe) => {
  let thread: ThreadHistory | null = null
  const byLimit = new Map<number, Walk>()
  for (const walk of walksOf(analysis)) {
    if (walk.thread !== thread) byLimit.clear()
    thread = walk.thread
    for (const [limit, other] of byLimit) {
      if (limit !== limitOf(walk) && isQuietOver(thread, other.view, walk.view)) compareWalks(observe, other, walk)
    }
    byLimit.set(limitOf(walk), walk)
  }
}

function compareWalks(observe: ObservationLog, other: Walk, walk: Walk): undefined {
  const length = Math.min(other.ids.length, walk.ids.length)
  const differing = walk.ids.slice(0, length).findIndex((id, index) => id !== other.ids[index])
  const [shorter] = [other, walk].sort((left, right) => left.ids.length - right.ids.length)
  // A full page without a cursor breaks off: that is a rule of cursors.
  const isShorter =
    other.view.ended && walk.view.ended && other.ids.length !== walk.ids.length && shorter?.view.exhaustive
  const at = differing < 0 && isShorter ? length : differing
  if (at < 0) {
    if (length > 1) observe.held('listMessages', null, lastId(other.view), lastId(walk.view))
    return
  }
  observe.contradicted('listMessages', null, {
    exchanges: [...exchangesOf(other.view), ...exchangesOf(walk.view)],
    expected: `${nameOfId(other.ids[at])} at place ${at}, as with limit ${limitOf(other)}`,
    actual: nameOfId(walk.ids[at]),
    because: `With limit ${limitOf(other)} and with limit ${limitOf(walk)} the same thread lists different messages at position ${at}.`,
    headline: `with limit ${limitOf(other)} and with limit ${limitOf(walk)} the same thread lists different messages at position ${at}`,
  })
}

const nameOfId = (id: string | undefined): string => (id === undefined ? 'the end' : `message ${id}`)

const limitOf = ({ view }: Walk): number => view.pages[0].limit ?? 100

const isQuietOver = (thread: ThreadHistory, one: View, other: View): boolean =>
  thread.timeline.isQuiet(Math.min(one.startMs, other.startMs), Math.max(one.endMs, other.endMs))

/** Oracle of pagination.cursor-repeatable. */
export const cursorRepeatable: Oracle = (analysis, observe) => {
  samePages(
    analysis,
    observe,
    (page) => (page.cursorIn === null ? null : `${page.cursorIn} ${page.limit}`),
    'the same cursor',
  )
  for (const parsed of analysis.of('listMessages')) {
    if (isRefusal(parsed) && analysis.requestOf(parsed).validity === 'valid') judgeUsedUp(analysis, observe, parsed)
  }
}

/** Whether a page of the same limit gave the cursor: one of another limit may be bound to that. */
const handsOut = ({ cursorOut, parsed }: Page, cursor: string | undefined, refused: ParsedExchange): boolean =>
  cursorOut === cursor && queryValues(parsed, 'limit')[0] === queryValues(refused, 'limit')[0]

/** A cursor that led to a page, and nothing was added, and now it is refused. */
function judgeUsedUp(analysis: TraceAnalysis, observe: ObservationLog, refused: ParsedExchange): undefined {
  const thread = analysis.histories.thread(refused.params.thread_id ?? '')
  const [cursor] = queryValues(refused, 'cursor')
  const before = thread?.pages.findLast(
    ({ parsed, cursorIn, isPlain }) =>
      isPlain &&
      cursorIn !== null &&
      cursorIn === cursor &&
      parsed.tenant === refused.tenant &&
      parsed.endedAtMs <= refused.sentAtMs,
  )
  if (before === undefined || !thread?.pages.some((page) => handsOut(page, cursor, refused))) return
  if (!thread.timeline.isQuiet(before.parsed.sentAtMs, refused.endedAtMs)) return
  observe.contradicted('listMessages', null, {
    exchanges: [before.parsed.id, refused.id],
    expected: `the same ${countText(before.items.length, 'message')}`,
    actual: answerName(refused),
    because: `${before.parsed.id} and ${refused.id} ask for the same cursor while nothing is added, and the second one gets ${answerName(refused)}.`,
    headline: `the same cursor gets ${answerName(refused)} when it is used again`,
  })
}

/** Oracle of pagination.reads-are-pure. */
export const readsArePure: Oracle = (analysis, observe) =>
  samePages(analysis, observe, (page) => (page.cursorIn === null ? `${page.limit}` : null), 'the same list')

/** Effects of a refused request are covered by another rule. */
const wasRefusedBetween = ({ refusals }: ThreadHistory, before: Page, page: Page): boolean =>
  refusals.some(({ sentAtMs }) => sentAtMs > before.parsed.sentAtMs && sentAtMs < page.parsed.endedAtMs)

/** Pages that were asked for in the same way, while nothing was added, show the same messages. */
function samePages(
  analysis: TraceAnalysis,
  observe: ObservationLog,
  keyOf: (page: Page) => string | null,
  what: string,
): undefined {
  for (const thread of analysis.histories.threads) {
    const last = new Map<string, Page>()
    for (const page of thread.pages) {
      const key = page.isPlain ? keyOf(page) : null
      if (key === null) continue
      const before = last.get(key)
      last.set(key, page)
      if (
        before !== undefined &&
        !wasRefusedBetween(thread, before, page) &&
        thread.timeline.isQuiet(before.parsed.sentAtMs, Math.max(before.parsed.endedAtMs, page.parsed.endedAtMs))
      ) {
        compare(observe, before, page, what)
      }
    }
  }
}

function compare(observe: ObservationLog, before: Page, page: Page, what: string): undefined {
  const isSame = before.ids.length === page.ids.length && before.ids.every((id, at) => id === page.ids[at])
  if (isSame) return observe.held('listMessages', null, before.parsed.id, page.parsed.id)
  observe.contradicted('listMessages', null, {
    exchanges: [before.parsed.id, page.parsed.id],
    expected: `the same ${countText(before.ids.length, 'message')} in the same order`,
    actual: `${countText(page.ids.length, 'message')}, different or in another order`,
    pointer: '/items',
    because: `${before.parsed.id} and ${page.parsed.id} ask for ${what} while nothing is added, and get different messages.`,
    headline: `gives different messages for ${what}, though nothing was added`,
  })
}

/** Oracles about walks: following cursors shows every message once, comes to an end, and is not disturbed by what is added. */
import { textField } from '../classify/json.ts'
import { isRefusal, type Reading } from '../classify/reading.ts'
import { type Docket, oncePerDocket } from '../judging/docket.ts'
import type { Testimony } from '../judging/testimony.ts'
import type { LedgerThread } from '../ledger/index.ts'
import type { Page, StoredMessage, View } from '../ledger/thread-ledger.ts'
import { belongs } from '../ledger/timeline.ts'
import { answerName, type Oracle } from './oracle.ts'

interface Walk {
  readonly thread: LedgerThread
  readonly view: View
  /** All ids of the walk, in its order. */
  readonly ids: readonly string[]
  /** Whether nothing was written while it went on. */
  readonly isQuiet: boolean
}

const walksOf = oncePerDocket(({ ledger }): readonly Walk[] =>
  ledger.threads.flatMap((thread) =>
    thread.views.map((view): Walk => {
      const ids = view.pages.flatMap((page) => page.ids.filter((id) => id !== null))
      return { thread, view, ids, isQuiet: thread.timeline.isQuiet(view.startMs, view.endMs) }
    }),
  ),
)

const exchangesOf = (view: View): readonly string[] => view.pages.map(({ reading }) => reading.id)
const lastId = (view: View): string => (view.pages.at(-1) ?? view.pages[0]).reading.id

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

/** A message that was there before a walk began and that the whole walk does not show. */
function hidden({ thread, view, ids }: Walk): StoredMessage | null {
  if (!view.ended) return null
  const shown = new Set(ids)
  for (const stored of thread.stored.values()) {
    if (stored.certainFromMs >= view.startMs || shown.has(stored.id) || !belongs(thread, stored)) continue
    if (isThereStill(thread, stored, view) && isBehindCursor(stored, view)) return stored
  }
  return null
}

/** Whether another list shows the message later on, or showed it since the last write. */
function isThereStill({ timeline }: LedgerThread, { last }: StoredMessage, { startMs, endMs }: View): boolean {
  const { sentAtMs, endedAtMs } = last.page.reading
  return endedAtMs > startMs || timeline.isQuiet(sentAtMs, endMs)
}

/** Whether a message belongs behind the first page: one that the first page should begin with was not lost by a cursor. */
function isBehindCursor({ first }: StoredMessage, { pages: [head] }: View): boolean {
  const own = textField(first.item, 'created_at')
  const end = textField(head.items.at(-1), 'created_at')
  return own === null || end === null || own <= end
}

function judgeNothingTwice(testify: Testimony, walk: Walk, facet: string | null): boolean {
  const twice = repeated(walk)
  if (twice === null) return true
  testify.contradicted('listMessages', facet, {
    exchanges: exchangesOf(walk.view),
    expected: 'messages that no page before has shown',
    actual: `message ${twice.id} again`,
    pointer: `/items/${twice.at}`,
    because: `${twice.page.reading.id} follows the cursor of the page before it and shows message ${twice.id} a second time.`,
  })
  return false
}

function judgeNothingMissing(testify: Testimony, walk: Walk, facet: string | null): boolean {
  const lost = hidden(walk)
  if (lost === null) return true
  testify.contradicted('listMessages', facet, {
    exchanges: [lost.first.page.reading.id, ...exchangesOf(walk.view)],
    expected: `message ${lost.id} on some page`,
    actual: 'a walk without it',
    pointer: '/items',
    because: `The walk from ${walk.view.pages[0].reading.id} to ${lastId(walk.view)} comes to its end without message ${lost.id}, which ${lost.first.page.reading.id} lists.`,
  })
  return false
}

/** Oracle of pagination.cursor-continues. */
export const cursorContinues: Oracle = (docket, testify) => {
  for (const walk of walksOf(docket)) {
    const isCutShort = walk.view.ended && !walk.view.exhaustive
    if (!walk.isQuiet || (walk.view.pages.length < 2 && !isCutShort)) continue
    const twice = judgeNothingTwice(testify, walk, 'nothing-twice')
    if (twice && walk.view.pages.length > 1 && walk.ids.length > 1)
      testify.held('listMessages', 'nothing-twice', lastId(walk.view))
    if (judgeNothingMissing(testify, walk, 'nothing-missing') && walk.view.ended && walk.view.pages.length > 1) {
      testify.held('listMessages', 'nothing-missing', lastId(walk.view))
    }
  }
}

/** Oracle of pagination.stable-while-inserting. */
export const stableWhileInserting: Oracle = (docket, testify) => {
  for (const walk of walksOf(docket)) {
    const { thread, view } = walk
    if (view.pages.length < 2 || !thread.alone || !isInsertedInto(walk)) continue
    const isWhole = judgeNothingTwice(testify, walk, null) && judgeNothingAhead(testify, walk)
    if (judgeNothingMissing(testify, walk, null) && isWhole && walk.ids.length > 1) {
      const [head, second] = view.pages
      testify.held('listMessages', null, head.reading.id, second?.reading.id)
    }
  }
}

/** Behind a cursor stand older messages only: none that was added after the cursor was handed out. */
function judgeNothingAhead(testify: Testimony, { thread, view }: Walk): boolean {
  for (const page of view.pages) {
    const since = page.previous?.reading.endedAtMs ?? Number.POSITIVE_INFINITY
    const at = page.ids.findIndex((id) => (thread.stored.get(id ?? '')?.write?.sentAtMs ?? 0) >= since)
    if (at < 0) continue
    const added = thread.stored.get(page.ids[at] ?? '')?.write?.reading.id ?? ''
    testify.contradicted('listMessages', null, {
      exchanges: [...(page.previous === null ? [] : [page.previous.reading.id]), added, page.reading.id],
      expected: 'messages that are older than the cursor',
      actual: `message ${page.ids[at]}, which was added later`,
      pointer: `/items/${at}`,
      because: `${page.reading.id} follows a cursor, and shows the message that ${added} added after the cursor had been handed out.`,
    })
    return false
  }
  return true
}

/** Whether a message was added for certain after the first page came and before the last one was asked for. */
function isInsertedInto({ thread, view }: Walk): boolean {
  const from = view.pages[0].reading.endedAtMs
  const until = (view.pages.at(-1) ?? view.pages[0]).reading.sentAtMs
  return thread.acknowledged.some((write) => write.sentAtMs >= from && write.reading.endedAtMs <= until)
}

/** Oracle of pagination.walk-ends. */
export const walkEnds: Oracle = (docket, testify) => {
  for (const walk of walksOf(docket)) {
    const { view, isQuiet } = walk
    const last = view.pages.at(-1) ?? view.pages[0]
    if (view.ended) testify.held('listMessages', null, last.reading.id)
    else if (isQuiet && view.pages.length > 1 && isAllShown(view)) {
      testify.contradicted('listMessages', null, {
        exchanges: exchangesOf(view),
        expected: 'an end of the walk',
        actual: 'a page of messages that were shown before, and a cursor that leads on',
        pointer: '/cursor',
        because: `${last.reading.id} follows a cursor, shows nothing but messages that the walk has shown, and hands out another cursor.`,
      })
    }
  }
}

/** Whether the last page holds only what pages before it held. */
function isAllShown({ pages }: View): boolean {
  const last = pages.at(-1)
  const shown = new Set(pages.slice(0, -1).flatMap(({ ids }) => ids))
  return last !== undefined && last.ids.length > 0 && last.ids.every((id) => id !== null && shown.has(id))
}

/** Oracle of pagination.any-limit-same-list: each walk against the last one of every other limit, while nothing is added. */
export const anyLimitSameList: Oracle = (docket, testify) => {
  let thread: LedgerThread | null = null
  const byLimit = new Map<number, Walk>()
  for (const walk of walksOf(docket)) {
    if (walk.thread !== thread) byLimit.clear()
    thread = walk.thread
    for (const [limit, other] of byLimit) {
      if (limit !== limitOf(walk) && isQuietOver(thread, other.view, walk.view)) compareWalks(testify, other, walk)
    }
    byLimit.set(limitOf(walk), walk)
  }
}

function compareWalks(testify: Testimony, other: Walk, walk: Walk): undefined {
  const length = Math.min(other.ids.length, walk.ids.length)
  const differing = walk.ids.slice(0, length).findIndex((id, index) => id !== other.ids[index])
  const [shorter] = [other, walk].sort((left, right) => left.ids.length - right.ids.length)
  // A full page without a cursor breaks off: that is a rule of cursors.
  const isShorter =
    other.view.ended && walk.view.ended && other.ids.length !== walk.ids.length && shorter?.view.exhaustive
  const at = differing < 0 && isShorter ? length : differing
  if (at < 0) {
    if (length > 1) testify.held('listMessages', null, lastId(other.view), lastId(walk.view))
    return
  }
  testify.contradicted('listMessages', null, {
    exchanges: [...exchangesOf(other.view), ...exchangesOf(walk.view)],
    expected: `${nameOfId(other.ids[at])} at place ${at}, as with limit ${limitOf(other)}`,
    actual: nameOfId(walk.ids[at]),
    because: `With limit ${limitOf(other)} and with limit ${limitOf(walk)} the same thread lists different messages at place ${at}.`,
  })
}

const nameOfId = (id: string | undefined): string => (id === undefined ? 'the end' : `message ${id}`)

const limitOf = ({ view }: Walk): number => view.pages[0].limit ?? 100

const isQuietOver = (thread: LedgerThread, one: View, other: View): boolean =>
  thread.timeline.isQuiet(Math.min(one.startMs, other.startMs), Math.max(one.endMs, other.endMs))

/** Oracle of pagination.cursor-repeatable. */
export const cursorRepeatable: Oracle = (docket, testify) => {
  samePages(
    docket,
    testify,
    (page) => (page.cursorIn === null ? null : `${page.cursorIn} ${page.limit}`),
    'the same cursor',
  )
  for (const reading of docket.of('listMessages')) {
    if (isRefusal(reading) && docket.requestOf(reading).validity === 'valid') judgeUsedUp(docket, testify, reading)
  }
}

/** A cursor that led to a page, and nothing was added, and now the same request is refused. */
function judgeUsedUp(docket: Docket, testify: Testimony, refused: Reading): undefined {
  const thread = docket.ledger.thread(refused.params.thread_id ?? '')
  const before = thread?.pages.findLast(
    ({ reading, cursorIn, isPlain }) =>
      isPlain &&
      cursorIn !== null &&
      reading.tenant === refused.tenant &&
      reading.query.join('&') === refused.query.join('&') &&
      reading.endedAtMs <= refused.sentAtMs,
  )
  if (before === undefined || !thread?.timeline.isQuiet(before.reading.sentAtMs, refused.endedAtMs)) return
  testify.contradicted('listMessages', null, {
    exchanges: [before.reading.id, refused.id],
    expected: `the same ${before.items.length} messages`,
    actual: answerName(refused),
    because: `${before.reading.id} and ${refused.id} ask for the same cursor while nothing is added, and the second one gets ${answerName(refused)}.`,
  })
}

/** Oracle of pagination.reads-are-pure. */
export const readsArePure: Oracle = (docket, testify) =>
  samePages(docket, testify, (page) => (page.cursorIn === null ? `${page.limit}` : null), 'the same list')

/** Pages that were asked for in the same way, while nothing was added, show the same messages. */
function samePages(docket: Docket, testify: Testimony, keyOf: (page: Page) => string | null, what: string): undefined {
  for (const thread of docket.ledger.threads) {
    const last = new Map<string, Page>()
    for (const page of thread.pages) {
      const key = page.isPlain ? keyOf(page) : null
      if (key === null) continue
      const before = last.get(key)
      last.set(key, page)
      if (
        before !== undefined &&
        thread.timeline.isQuiet(before.reading.sentAtMs, Math.max(before.reading.endedAtMs, page.reading.endedAtMs))
      ) {
        compare(testify, before, page, what)
      }
    }
  }
}

function compare(testify: Testimony, before: Page, page: Page, what: string): undefined {
  const isSame = before.ids.length === page.ids.length && before.ids.every((id, at) => id === page.ids[at])
  if (isSame) return testify.held('listMessages', null, before.reading.id, page.reading.id)
  testify.contradicted('listMessages', null, {
    exchanges: [before.reading.id, page.reading.id],
    expected: `the same ${before.ids.length} messages in the same order`,
    actual: `${page.ids.length} messages that are not the same`,
    pointer: '/items',
    because: `${before.reading.id} and ${page.reading.id} ask for ${what} while nothing is added, and get different messages.`,
  })
}

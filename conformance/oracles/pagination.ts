/** Oracles of chapter pagination: what a page holds, and in which order. */
import type { TestableId } from '../../spec/index.ts'
import { isTimestamp } from '../classify/forms.ts'
import { fieldOf, nameOf, textField } from '../classify/json.ts'
import { documentOf, isRefusal, type Reading } from '../classify/reading.ts'
import type { Docket } from '../judging/docket.ts'
import type { Testimony } from '../judging/testimony.ts'
import type { LedgerThread } from '../ledger/index.ts'
import type { Page } from '../ledger/thread-ledger.ts'
import { servesNothing } from './alike.ts'
import { anArray, contradict } from './field-rules.ts'
import { answerName, mustBeRefused, type Oracle } from './oracle.ts'
import {
  defaultLimit,
  limitCapsPage,
  limitFillsPage,
  listOfRest,
  plainPages,
  remainingFor,
} from './pagination-limits.ts'
import {
  anyLimitSameList,
  cursorContinues,
  cursorRepeatable,
  readsArePure,
  stableWhileInserting,
  walkEnds,
} from './pagination-walks.ts'

const pageFields: Oracle = (docket, testify) => {
  for (const reading of docket.of('listMessages')) {
    const document = documentOf(reading)
    if (document === undefined) continue
    const items = fieldOf(document, 'items')
    if (anArray.holds(items)) testify.held('listMessages', 'items', reading.id)
    else
      contradict(
        testify,
        { operation: 'listMessages', exchange: reading.id, at: '' },
        '/items',
        'items',
        'an array',
        items,
      )
  }
  for (const { thread, page } of plainPages(docket)) judgeCursor(docket, testify, thread, page)
}

function judgeCursor(docket: Docket, testify: Testimony, thread: LedgerThread, page: Page): undefined {
  const cursor = fieldOf(documentOf(page.reading), 'cursor')
  const remaining = remainingFor(docket, thread, page)
  const older = remaining === null ? 0 : remaining - page.items.length
  const isEnd = cursor === undefined || cursor === null || cursor === ''
  if (older > 0 && isEnd && page.items.length > 0) {
    testify.contradicted('listMessages', 'cursor', {
      exchanges: [...listOfRest(thread, page), page.reading.id],
      expected: `a cursor, since ${older} older messages remain`,
      actual: nameOf(cursor),
      pointer: '/cursor',
      because: `${page.reading.id} shows ${page.items.length} of ${remaining} messages and gives no cursor to go on with.`,
    })
  } else if (!isEnd && typeof cursor !== 'string') {
    contradict(
      testify,
      { operation: 'listMessages', exchange: page.reading.id, at: '' },
      '/cursor',
      'cursor',
      'a string',
      cursor,
    )
  } else if (older > 0 && !isEnd) testify.held('listMessages', 'cursor', page.reading.id)
}

const newestFirst: Oracle = (docket, testify) => {
  for (const { thread, page } of plainPages(docket)) {
    const wrong = page.items.findIndex((item, at) => at > 0 && isOlder(page.items[at - 1], item))
    if (wrong > 0) outOfOrder(testify, 'within-page', page, wrong, page.items[wrong - 1])
    else if (page.items.length > 1) testify.held('listMessages', 'within-page', page.reading.id)
    const last = page.previous?.items.at(-1)
    if (last === undefined || page.items.length === 0 || isOutOfWalk(thread, page)) continue
    if (isOlder(last, page.items[0])) outOfOrder(testify, 'across-pages', page, 0, last)
    else testify.held('listMessages', 'across-pages', page.reading.id)
  }
}

/** Whether a page begins with a message that the walk has shown, or that was added since: rules of cursors and not of order. */
function isOutOfWalk(thread: LedgerThread, page: Page): boolean {
  const id = page.ids[0] ?? ''
  const since = page.previous?.reading.endedAtMs ?? Number.POSITIVE_INFINITY
  if ((thread.stored.get(id)?.write?.sentAtMs ?? 0) >= since) return true
  for (let before = page.previous; before !== null; before = before.previous) if (before.ids.includes(id)) return true
  return false
}

function isOlder(above: unknown, below: unknown): boolean {
  const upper = textField(above, 'created_at')
  const lower = textField(below, 'created_at')
  // In nearly every page they stand in order, which is cheaper to see than that they are timestamps.
  return upper !== null && lower !== null && upper < lower && isTimestamp(upper) && isTimestamp(lower)
}

function outOfOrder(testify: Testimony, facet: string, page: Page, at: number, above: unknown): undefined {
  const upper = textField(above, 'created_at')
  const lower = textField(page.items[at], 'created_at')
  testify.contradicted('listMessages', facet, {
    exchanges: [...(at === 0 && page.previous !== null ? [page.previous.reading.id] : []), page.reading.id],
    expected: `a created_at of at most ${upper}`,
    actual: `${lower}`,
    pointer: `/items/${at}/created_at`,
    because: `${page.reading.id} lists a message of ${lower} behind one of ${upper}; newest first was expected.`,
  })
}

/** Going down a page, no message may begin after one above it was finished. */
const orderOfCreation: Oracle = (docket, testify) => {
  for (const { thread, page } of plainPages(docket)) {
    let finished: { readonly atMs: number; readonly exchange: string } | null = null
    let compared = 0
    for (const [at, id] of page.ids.entries()) {
      const write = id === null ? null : (thread.stored.get(id)?.write ?? null)
      if (write === null || write.kind === 'sent') continue
      if (id === null || write.id !== id || thread.sharedIds.has(id)) continue
      compared += 1
      if (finished !== null && finished.atMs < write.sentAtMs) {
        testify.contradicted('listMessages', null, {
          exchanges: [finished.exchange, write.reading.id, page.reading.id],
          expected: `the message of ${write.reading.id} before that of ${finished.exchange}`,
          actual: 'the other way round',
          pointer: `/items/${at}`,
          because: `${write.reading.id} was sent after ${finished.exchange} was answered, and ${page.reading.id} lists its message as the older one.`,
        })
        compared = 0
        break
      }
      if (write.status === 'acknowledged' && (finished === null || write.reading.endedAtMs < finished.atMs)) {
        finished = { atMs: write.reading.endedAtMs, exchange: write.reading.id }
      }
    }
    if (compared > 1) testify.held('listMessages', null, page.reading.id)
  }
}

const emptyThread: Oracle = (docket, testify) => {
  for (const reading of docket.of('listMessages')) {
    const thread = docket.ledger.thread(reading.params.thread_id ?? '')
    if (thread === null || docket.requestOf(reading).validity !== 'valid' || !isSurelyEmpty(thread, reading)) continue
    const page = docket.ledger.pageOf(reading)
    if (page !== null && page.items.length === 0) testify.held('listMessages', null, reading.id)
    else if ((isRefusal(reading) && !servesNothing(docket, 'listMessages')) || page !== null || tellsNull(reading)) {
      const actual = page === null ? answerName(reading) : `${page.items.length} messages`
      testify.contradicted('listMessages', null, {
        exchanges: [reading.id],
        expected: 'an empty page',
        actual,
        because: `${reading.id} lists a thread to which nothing was added yet, and gets ${actual}.`,
      })
    } else testify.ambiguous('listMessages', null, reading.id, `${reading.id} got ${answerName(reading)}.`)
  }
}

/** Whether a list says null where it has no messages. */
const tellsNull = (reading: Reading): boolean => fieldOf(documentOf(reading), 'items') === null

/** Whether nothing was sent to a thread that began empty before a list was answered. */
function isSurelyEmpty({ alone, origin, writes, refusals }: LedgerThread, { endedAtMs }: Reading): boolean {
  const isLater = ({ sentAtMs }: { readonly sentAtMs: number }): boolean => sentAtMs >= endedAtMs
  return alone && origin.startsEmpty && writes.every(isLater) && refusals.every(isLater)
}

/** The oracles of chapter pagination. */
export const paginationOracles: Readonly<Record<TestableId<'pagination'>, Oracle>> = {
  'pagination.page-fields': pageFields,
  'pagination.newest-first': newestFirst,
  'pagination.order-of-creation': orderOfCreation,
  'pagination.default-limit': defaultLimit,
  'pagination.limit-caps-page': limitCapsPage,
  'pagination.limit-fills-page': limitFillsPage,
  'pagination.cursor-continues': cursorContinues,
  'pagination.any-limit-same-list': anyLimitSameList,
  'pagination.walk-ends': walkEnds,
  'pagination.stable-while-inserting': stableWhileInserting,
  'pagination.cursor-repeatable': cursorRepeatable,
  'pagination.reads-are-pure': readsArePure,
  'pagination.limit-is-integer': (docket, testify) =>
    mustBeRefused(docket, testify, {
      operations: ['listMessages'],
      faults: { 'limit-not-integer': null },
      what: 'a list whose limit is no integer',
    }),
  'pagination.empty-thread': emptyThread,
}

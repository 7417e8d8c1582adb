/** Oracles of chapter pagination: what a page holds, and in which order. */

import type { TestableId } from '../../../../spec/index.ts'
import { countText } from '../../../../spec/index.ts'
import type { ThreadHistory } from '../../history/thread-histories.ts'
import type { Page } from '../../history/thread-record.ts'
import type { ObservationLog } from '../../observation-log.ts'
import { isTimestamp } from '../../read/formats.ts'
import { fieldOf, nameOf, textField } from '../../read/json.ts'
import { documentOf, isRefusal, type ParsedExchange } from '../../read/parsed-exchange.ts'
import type { TraceAnalysis } from '../../trace-analysis.ts'
import { answerName } from '../support/answer-name.ts'
import { acceptsNothing } from '../support/confounders.ts'
import { anArray, contradict } from '../support/field-checks.ts'
import { type Oracle, perExchange, perThread, type ScopedOracle } from '../support/oracle.ts'
import { refusalOf } from '../support/refusals.ts'
import { answerAboveQuestion } from './answer-order.ts'
import { defaultLimit, limitCapsPage, limitFillsPage, listOfRest, plainPages, remainingFor } from './limits.ts'
import { walkEnds } from './walk-ends.ts'
import { anyLimitSameList, cursorContinues, cursorRepeatable, readsArePure, stableWhileInserting } from './walks.ts'

const pageFields: Oracle = (analysis, observe) => {
  for (const parsed of analysis.of('listMessages')) {
    const document = documentOf(parsed)
    if (document === undefined) continue
    const items = fieldOf(document, 'items')
    if (anArray.holds(items)) observe.held('listMessages', 'items', parsed.id)
    else
      contradict(
        observe,
        { operation: 'listMessages', exchange: parsed.id, at: '' },
        '/items',
        'items',
        'an array',
        items,
      )
  }
  for (const { thread, page } of plainPages(analysis)) judgeCursor(analysis, observe, thread, page)
}

function judgeCursor(analysis: TraceAnalysis, observe: ObservationLog, thread: ThreadHistory, page: Page): undefined {
  const cursor = fieldOf(documentOf(page.parsed), 'cursor')
  const remaining = remainingFor(analysis, thread, page)
  const older = remaining === null ? 0 : remaining - page.items.length
  const isEnd = cursor === undefined || cursor === null || cursor === ''
  if (older > 0 && isEnd && page.items.length > 0) {
    observe.contradicted('listMessages', 'cursor', {
      exchanges: [...listOfRest(thread, page), page.parsed.id],
      expected: `a cursor to ${countText(older, 'older message')}`,
      actual: nameOf(cursor),
      pointer: '/cursor',
      because: `${page.parsed.id} shows ${page.items.length} of ${remaining} messages and gives no cursor for the rest.`,
      headline: `a page shows ${page.items.length} of ${remaining} messages and gives no cursor for the rest`,
    })
  } else if (!isEnd && typeof cursor !== 'string') {
    contradict(
      observe,
      { operation: 'listMessages', exchange: page.parsed.id, at: '' },
      '/cursor',
      'cursor',
      'a string',
      cursor,
    )
  } else if (older > 0 && !isEnd) observe.held('listMessages', 'cursor', page.parsed.id)
}

const newestFirst: Oracle = (analysis, observe) => {
  for (const { thread, page } of plainPages(analysis)) {
    const wrong = page.items.findIndex((item, at) => at > 0 && isOlder(page.items[at - 1], item))
    if (wrong > 0) outOfOrder(observe, 'within-page', page, wrong, page.items[wrong - 1])
    else if (page.items.length > 1) observe.held('listMessages', 'within-page', page.parsed.id)
    const last = page.previous?.items.at(-1)
    if (last === undefined || page.items.length === 0 || isOutOfWalk(thread, page)) continue
    if (isOlder(last, page.items[0])) outOfOrder(observe, 'across-pages', page, 0, last)
    else observe.held('listMessages', 'across-pages', page.parsed.id)
  }
}

/** Whether a page begins with a message that the walk has shown, or that was added since: rules of cursors and not of order. */
function isOutOfWalk(thread: ThreadHistory, page: Page): boolean {
  const id = page.ids[0] ?? ''
  const since = page.previous?.parsed.endedAtMs ?? Number.POSITIVE_INFINITY
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

function outOfOrder(observe: ObservationLog, facet: string, page: Page, at: number, above: unknown): undefined {
  const upper = textField(above, 'created_at')
  const lower = textField(page.items[at], 'created_at')
  observe.contradicted('listMessages', facet, {
    exchanges: [...(at === 0 && page.previous !== null ? [page.previous.parsed.id] : []), page.parsed.id],
    expected: `a created_at of at most ${upper}`,
    actual: `${lower}`,
    pointer: `/items/${at}/created_at`,
    because: `${page.parsed.id} lists a message of ${lower} after one of ${upper}, so the newest is not first.`,
    headline: 'the newest message is not first',
  })
}

/** Going down a page, no message may begin after one above it was finished. */
const orderOfCreation: Oracle = (analysis, observe) => {
  for (const { thread, page } of plainPages(analysis)) {
    let finished: { readonly atMs: number; readonly exchange: string } | null = null
    let compared = 0
    for (const [at, id] of page.ids.entries()) {
      const write = id === null ? null : (thread.stored.get(id)?.write ?? null)
      if (write === null || write.kind === 'sent') continue
      if (id === null || write.id !== id || thread.sharedIds.has(id)) continue
      compared += 1
      if (finished !== null && finished.atMs < write.sentAtMs) {
        observe.contradicted('listMessages', null, {
          exchanges: [finished.exchange, write.parsed.id, page.parsed.id],
          expected: `the message of ${write.parsed.id} before that of ${finished.exchange}`,
          actual: 'the other way round',
          pointer: `/items/${at}`,
          because: `${write.parsed.id} was sent after ${finished.exchange} was answered, and ${page.parsed.id} lists its message as the older one.`,
          headline: 'lists a message below one that was sent before it',
        })
        compared = 0
        break
      }
      if (write.status === 'acknowledged' && (finished === null || write.parsed.endedAtMs < finished.atMs)) {
        finished = { atMs: write.parsed.endedAtMs, exchange: write.parsed.id }
      }
    }
    if (compared > 1) observe.held('listMessages', null, page.parsed.id)
  }
}

const emptyThread: Oracle = (analysis, observe) => {
  for (const parsed of analysis.of('listMessages')) {
    const thread = analysis.histories.thread(parsed.params.thread_id ?? '')
    if (thread === null || analysis.requestOf(parsed).validity !== 'valid' || !isSurelyEmpty(thread, parsed)) continue
    // Over a rate limit every list is refused, empty or not.
    if (parsed.tenant === 'throttled' && isRefusal(parsed)) continue
    const page = analysis.histories.pageOf(parsed)
    if (page !== null && page.items.length === 0) observe.held('listMessages', null, parsed.id)
    else if ((isRefusal(parsed) && !acceptsNothing(analysis, 'listMessages')) || page !== null || tellsNull(parsed)) {
      const actual = page === null ? answerName(parsed) : countText(page.items.length, 'message')
      observe.contradicted('listMessages', null, {
        exchanges: [parsed.id],
        expected: 'an empty page',
        actual,
        because: `${parsed.id} lists a thread to which nothing was added yet, and gets ${actual}.`,
        headline: `a thread without messages gets ${actual}`,
      })
    } else observe.ambiguous('listMessages', null, parsed.id, `${parsed.id} got ${answerName(parsed)}.`)
  }
}

/** Whether a list says null where it has no messages. */
const tellsNull = (parsed: ParsedExchange): boolean => fieldOf(documentOf(parsed), 'items') === null

/** Whether nothing was sent to a thread that began empty before a list was answered. */
function isSurelyEmpty({ alone, origin, writes, refusals }: ThreadHistory, { endedAtMs }: ParsedExchange): boolean {
  const isLater = ({ sentAtMs }: { readonly sentAtMs: number }): boolean => sentAtMs >= endedAtMs
  return alone && origin.startsEmpty && writes.every(isLater) && refusals.every(isLater)
}

/** The oracles of chapter pagination. */
export const paginationOracles: Readonly<Record<TestableId<'pagination'>, ScopedOracle>> = {
  'pagination.page-fields': perExchange(pageFields),
  'pagination.newest-first': perThread(newestFirst),
  'pagination.order-of-creation': perThread((analysis, observe) => {
    orderOfCreation(analysis, observe)
    answerAboveQuestion(analysis, observe)
  }),
  'pagination.default-limit': perThread(defaultLimit),
  'pagination.limit-caps-page': perThread(limitCapsPage),
  'pagination.limit-fills-page': perThread(limitFillsPage),
  'pagination.cursor-continues': perThread(cursorContinues),
  'pagination.any-limit-same-list': perThread(anyLimitSameList),
  'pagination.walk-ends': perThread(walkEnds),
  'pagination.stable-while-inserting': perThread(stableWhileInserting),
  'pagination.cursor-repeatable': perThread(cursorRepeatable),
  'pagination.reads-are-pure': perThread(readsArePure),
  'pagination.limit-is-integer': refusalOf(['listMessages'], 'a list whose limit is no integer', {
    'limit-not-integer': null,
  }),
  'pagination.empty-thread': perThread(emptyThread),
}

/** Proof of the oracles of chapter pagination. */

import { listedItems, listShowing } from '../../../../test/trace-builder/listings.ts'
import {
  noViolation,
  proveOracles,
  unexercised,
  upholds,
  violates,
} from '../../../../test/trace-builder/prove-oracles.ts'
import { type Fields, rejectedWith, timestampText } from '../../../../test/trace-builder/sample-data.ts'
import type { Change, TraceBuilder } from '../../../../test/trace-builder/trace-builder.ts'
import { paginationCases } from './pagination.cases.ts'
import { paginationOracles } from './pagination.ts'
import { paginationWalkCases } from './walks.cases.ts'

/** A thread of so many messages, all listed once, so that their number is known. */
const filled = (s: TraceBuilder, count: number): string => {
  const thread = s.assistants().thread()
  for (let index = 0; index < count; index += 1) s.add(thread, 'user', `Message number ${index}.`)
  s.list(thread)
  if (count > 100) s.list(thread, { query: '?cursor=100' })
  return thread
}
/** A thread of four and one page of it that the test changes. */
const page = (s: TraceBuilder, query: string, change: (all: readonly Fields[]) => Change): void => {
  const thread = filled(s, 4)
  s.list(thread, { query, ...change(listedItems(s, thread)) })
}
/** A thread of four and a walk of pages of two, the second of which the test changes. */
const walk = (s: TraceBuilder, change: (all: readonly Fields[], thread: string) => Change = () => ({})): void => {
  const thread = filled(s, 4)
  const all = listedItems(s, thread)
  s.list(thread, { query: '?limit=2' })
  s.list(thread, { query: '?limit=2&cursor=2', ...change(all, thread) })
}
/** A completion that is listed, newest first; its answer is so many microseconds younger than its question. */
const completed = (s: TraceBuilder, younger: number): void => {
  const { thread_id, ...answer } = s.assistants().complete({}, { with: { created_at: timestampText(5 + younger) } })
  const [question] = s.body().messages as readonly Fields[]
  const asked = { ...question, id: s.id(), thread_id, created_at: timestampText(5) }
  const shown = { thread_id, ...answer }
  s.list(String(thread_id), listShowing(younger > 0 ? [shown, asked] : [asked, shown]))
}
const cut = (all: readonly Fields[], from: number, to: number, cursor: unknown = null): Change =>
  listShowing(all.slice(from, to), cursor)
/** A walk during which a message is added. */
const insertedInto = (s: TraceBuilder, second: (all: readonly Fields[]) => Change): void => {
  const thread = filled(s, 4)
  const all = listedItems(s, thread)
  s.list(thread, { query: '?limit=2' })
  s.add(thread, 'user', 'Added meanwhile.')
  s.list(thread, { query: '?limit=2&cursor=2', ...second(all) })
}

proveOracles(paginationOracles, [
  upholds('pagination.page-fields', 'listMessages cursor', 'a cursor while older messages remain', (s) => walk(s)),
  violates('pagination.page-fields', 'listMessages cursor', 'no cursor while older messages remain', (s) =>
    page(s, '?limit=2', (all) => cut(all, 0, 2)),
  ),
  violates('pagination.page-fields', 'listMessages cursor', 'a cursor that is a number', (s) =>
    page(s, '?limit=2', (all) => cut(all, 0, 2, 2)),
  ),
  violates('pagination.page-fields', 'listMessages items', 'a bare array', (s) =>
    page(s, '', (all) => ({ body: all })),
  ),
  noViolation(
    'pagination.page-fields',
    '',
    'the cursor of the last page is null, absent, empty, or leads to an empty page',
    (s) => {
      const thread = filled(s, 4)
      const all = listedItems(s, thread)
      s.list(thread, cut(all, 0, 4, undefined))
      s.list(thread, cut(all, 0, 4, ''))
      s.list(thread, cut(all, 0, 4, 'end'))
      s.list(thread, { query: '?cursor=end', ...cut(all, 4, 4) })
    },
  ),
  upholds('pagination.newest-first', 'listMessages across-pages', 'the second page is older', (s) => walk(s)),
  violates('pagination.newest-first', 'listMessages within-page', 'oldest first', (s) =>
    page(s, '', (all) => ({ body: { cursor: null, items: [...all].reverse() } })),
  ),
  violates('pagination.newest-first', 'listMessages across-pages', 'the second page is younger', (s) => {
    const thread = filled(s, 4)
    const all = listedItems(s, thread)
    s.list(thread, { query: '?limit=2', ...cut(all, 2, 4, 'x') })
    s.list(thread, { query: '?limit=2&cursor=x', ...cut(all, 0, 2) })
  }),
  upholds('pagination.order-of-creation', 'listMessages', 'the later message comes first', (s) => filled(s, 3)),
  violates('pagination.order-of-creation', 'listMessages', 'equal stamps in the wrong order', (s) => {
    const thread = s.assistants().thread()
    const [one, two] = ['The first one.', 'The second one.'].map((text) =>
      s.add(thread, 'user', text, { with: { created_at: timestampText(5) } }),
    )
    s.list(thread, { body: { cursor: null, items: [one, two] } })
  }),
  upholds('pagination.order-of-creation', 'listMessages', 'the answer of a completion above its question', (s) =>
    completed(s, 1),
  ),
  violates('pagination.order-of-creation', 'listMessages', 'the answer of a completion below its question', (s) =>
    completed(s, -1),
  ),
  noViolation('pagination.order-of-creation', '', 'a completion whose messages have one stamp', (s) => completed(s, 0)),
  noViolation(
    'pagination.order-of-creation',
    '',
    'messages that were under way together may stand in any order',
    (s) => {
      const thread = s.assistants().thread()
      const one = s.add(thread, 'user', 'The first one.', { at: [100, 200], with: { created_at: timestampText(9) } })
      const two = s.add(thread, 'user', 'The second one.', { at: [110, 190], with: { created_at: timestampText(8) } })
      s.list(thread, { body: { cursor: null, items: [one, two] } })
    },
  ),
  upholds('pagination.default-limit', 'listMessages', 'a hundred of a hundred and one', (s) => s.list(filled(s, 101))),
  violates('pagination.default-limit', 'listMessages', 'fifty of a hundred and one', (s) => {
    const thread = filled(s, 101)
    s.list(thread, cut(listedItems(s, thread), 0, 50, '50'))
  }),
  violates('pagination.default-limit', 'listMessages', 'all of a hundred and one', (s) => {
    const thread = s.assistants().thread()
    const all = Array.from({ length: 101 }, (_, index) => s.add(thread, 'user', `Message number ${index}.`))
    s.list(thread, { body: { cursor: null, items: all.reverse() } })
  }),
  upholds('pagination.default-limit', 'listMessages', 'behind a cursor all the rest, which the default holds', (s) => {
    const thread = filled(s, 101)
    s.list(thread, { query: '?limit=60' })
    s.list(thread, { query: '?cursor=60' })
  }),
  violates('pagination.default-limit', 'listMessages', 'behind a cursor another default counts', (s) => {
    const thread = s.assistants().thread()
    for (let index = 0; index < 70; index += 1) s.add(thread, 'user', `Message number ${index}.`)
    const all = listedItems(s, thread)
    s.list(thread, { query: '?limit=40' })
    s.list(thread, { query: '?cursor=40', ...cut(all, 40, 60, '60') })
  }),
  noViolation('pagination.default-limit', '', 'a cursor may bring the limit of its page along', (s) => {
    const thread = filled(s, 4)
    const all = listedItems(s, thread)
    s.list(thread, { query: '?limit=1' })
    s.list(thread, { query: '?cursor=1', ...cut(all, 1, 2, '2') })
  }),
  unexercised('pagination.default-limit', 'listMessages', 'a short thread does not show it', (s) =>
    s.list(filled(s, 4)),
  ),
  upholds('pagination.limit-caps-page', 'listMessages limit-2', 'two of four', (s) => walk(s)),
  violates('pagination.limit-caps-page', 'listMessages limit-1', 'two for a limit of one', (s) =>
    page(s, '?limit=1', (all) => cut(all, 0, 2, '2')),
  ),
  violates('pagination.limit-caps-page', 'listMessages limit-n-1', 'one too many', (s) =>
    page(s, '?limit=3', (all) => cut(all, 0, 4)),
  ),
  noViolation('pagination.limit-caps-page', '', 'other spellings of a limit may be read in any way', (s) =>
    page(s, '?limit=%2B2', (all) => cut(all, 0, 4)),
  ),
  upholds('pagination.limit-fills-page', 'listMessages limit-n+1', 'all of four for a limit of five', (s) =>
    page(s, '?limit=5', () => ({})),
  ),
  violates('pagination.limit-fills-page', 'listMessages limit-n-1', 'two for a limit of three', (s) =>
    page(s, '?limit=3', (all) => cut(all, 0, 2, '2')),
  ),
  noViolation('pagination.limit-fills-page', '', 'a limit above the default may be clamped', (s) => {
    const thread = filled(s, 101)
    s.list(thread, { query: '?limit=200', ...cut(listedItems(s, thread), 0, 50, '50') })
  }),
  upholds('pagination.cursor-continues', 'listMessages nothing-missing', 'two pages show all four', (s) => walk(s)),
  violates(
    'pagination.cursor-continues',
    'listMessages nothing-twice',
    'the second page begins with the last message of the first',
    (s) => walk(s, (all) => cut(all, 1, 3, '3')),
  ),
  violates('pagination.cursor-continues', 'listMessages nothing-missing', 'the second page leaves one out', (s) =>
    walk(s, (all) => cut(all, 3, 4)),
  ),
  upholds('pagination.any-limit-same-list', 'listMessages', 'pages of two are pages of four', (s) => walk(s)),
  violates('pagination.any-limit-same-list', 'listMessages', 'another order for another limit', (s) =>
    page(s, '?limit=3', (all) => ({ body: { cursor: '3', items: [all[1], all[0], all[2]] } })),
  ),
  upholds('pagination.walk-ends', 'listMessages', 'the last page has no cursor', (s) => walk(s)),
  violates('pagination.walk-ends', 'listMessages', 'the walk goes round', (s) => walk(s, (all) => cut(all, 0, 2, '2'))),
  upholds('pagination.stable-while-inserting', 'listMessages', 'what is added does not move the rest', (s) =>
    insertedInto(s, (all) => cut(all, 2, 4)),
  ),
  violates('pagination.stable-while-inserting', 'listMessages', 'an offset repeats a message', (s) =>
    insertedInto(s, (all) => cut(all, 1, 3, '4')),
  ),
  violates('pagination.stable-while-inserting', 'listMessages', 'the walk starts over at what was added', (s) => {
    const thread = filled(s, 4)
    s.list(thread, { query: '?limit=1' })
    const added = s.add(thread, 'user', 'Added meanwhile.')
    s.list(thread, { query: '?limit=1&cursor=1', body: { cursor: '2', items: [added] } })
  }),
  upholds('pagination.cursor-repeatable', 'listMessages', 'a cursor can be used twice', (s) => {
    const thread = filled(s, 4)
    s.list(thread, { query: '?limit=2' })
    s.list(thread, { query: '?limit=2&cursor=2' })
    s.list(thread, { query: '?limit=2&cursor=2' })
  }),
  violates('pagination.cursor-repeatable', 'listMessages', 'a cursor is used up', (s) => {
    const thread = filled(s, 4)
    const all = listedItems(s, thread)
    s.list(thread, { query: '?limit=2' })
    s.list(thread, { query: '?limit=2&cursor=2' })
    s.list(thread, { query: '?limit=2&cursor=2', ...cut(all, 4, 4) })
  }),
  violates('pagination.cursor-repeatable', 'listMessages', 'a cursor is refused when it comes again', (s) => {
    const thread = filled(s, 4)
    s.list(thread, { query: '?limit=2' })
    s.list(thread, { query: '?limit=2&cursor=2' })
    s.list(thread, { query: '?limit=2&cursor=2', ...rejectedWith('bad_request') })
  }),
  noViolation('pagination.cursor-repeatable', '', 'a made-up cursor may be refused each time', (s) => {
    const thread = filled(s, 4)
    s.list(thread, { query: '?cursor=made-up', ...rejectedWith('bad_request') })
    s.list(thread, { query: '?cursor=made-up', ...rejectedWith('bad_request') })
  }),
  upholds('pagination.reads-are-pure', 'listMessages', 'two lists are the same', (s) => s.list(filled(s, 4))),
  violates('pagination.reads-are-pure', 'listMessages', 'listing takes a message away', (s) =>
    page(s, '', (all) => cut(all, 1, 4)),
  ),
  noViolation('pagination.reads-are-pure', '', 'a message that is under way may show or not', (s) => {
    const thread = filled(s, 2)
    const before = listedItems(s, thread)
    const added = s.add(thread, 'user', 'Under way.', { at: [1000, 1100] })
    s.list(thread, { at: [1010, 1020], body: { cursor: null, items: [added, ...before] } })
    s.list(thread, { at: [1030, 1040], body: { cursor: null, items: before } })
  }),
  upholds('pagination.limit-is-integer', 'listMessages', 'a word is refused', (s) => {
    page(s, '?limit=4', (all) => cut(all, 0, 4))
    page(s, '?limit=many', () => rejectedWith('validation_error_of_mine'))
  }),
  violates('pagination.limit-is-integer', 'listMessages', 'a word is passed over', (s) =>
    page(s, '?limit=many', (all) => cut(all, 0, 4)),
  ),
  noViolation('pagination.limit-is-integer', '', 'a limit of zero may be refused', (s) =>
    page(s, '?limit=0', () => rejectedWith('bad_request')),
  ),
  upholds('pagination.empty-thread', 'listMessages', 'an empty page', (s) => s.list(s.assistants().thread())),
  violates('pagination.empty-thread', 'listMessages', 'an empty thread is refused', (s) =>
    s.list(s.assistants().thread(), rejectedWith('thread_not_found', 404)),
  ),
  ...paginationCases,
  ...paginationWalkCases,
  violates('pagination.empty-thread', 'listMessages', 'an empty thread has null for its messages', (s) =>
    s.list(s.assistants().thread(), { body: { cursor: null, items: null } }),
  ),
])

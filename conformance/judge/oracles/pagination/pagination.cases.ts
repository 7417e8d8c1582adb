/** Near misses of chapter pagination: what is almost a violation, and what almost shows that a rule is kept. */

import { listedItems, listShowing } from '../../../../test/trace-builder/listings.ts'
import {
  inconclusive,
  type OracleCase,
  unexercised,
  upholds,
  violates,
} from '../../../../test/trace-builder/prove-oracles.ts'
import { type Fields, rejectedWith, timestampText, uuid } from '../../../../test/trace-builder/sample-data.ts'
import type { TraceBuilder } from '../../../../test/trace-builder/trace-builder.ts'

const begun = (s: TraceBuilder, count: number): string => {
  const thread = s.assistants().thread()
  for (let index = 0; index < count; index += 1) s.add(thread, 'user', `Message number ${index}.`)
  return thread
}
/** A thread whose messages are all known from a list. */
export const threadOfMessages = (s: TraceBuilder, count: number): string => {
  const thread = begun(s, count)
  s.list(thread)
  return thread
}
/** Pages of one limit, as many as are asked for. */
const pages = (s: TraceBuilder, thread: string, limit: number, count: number): void => {
  s.list(thread, { query: `?limit=${limit}` })
  for (let page = 1; page < count; page += 1) s.list(thread, { query: `?limit=${limit}&cursor=${limit * page}` })
}
export const withoutMessage = (name: string, list: readonly Fields[]): readonly Fields[] =>
  list.map((item) => ({ ...item, [name]: undefined }))

const lengthCases: readonly OracleCase[] = [
  ...[undefined, ''].map((cursor) =>
    violates(
      'pagination.page-fields',
      'listMessages cursor',
      `${cursor === '' ? 'an empty' : 'no'} cursor in the middle`,
      (s) => {
        const thread = threadOfMessages(s, 4)
        s.list(thread, { query: '?limit=2', ...listShowing(listedItems(s, thread).slice(0, 2), cursor) })
      },
    ),
  ),
  unexercised('pagination.page-fields', 'listMessages cursor', 'a cursor at the end may lead to an empty page', (s) => {
    const thread = threadOfMessages(s, 4)
    s.list(thread, listShowing(listedItems(s, thread), 'end'))
    s.list(thread, { query: '?cursor=end', ...listShowing([]) })
  }),
  ...(['pagination.page-fields', 'pagination.limit-fills-page'] as const).map((requirement) =>
    unexercised(
      requirement,
      requirement.endsWith('page') ? 'listMessages limit-1' : 'listMessages cursor',
      'nobody knows how much is behind a cursor from elsewhere',
      (s) => {
        const thread = threadOfMessages(s, 4)
        const [, , third] = listedItems(s, thread)
        s.list(thread, { query: '?limit=1&cursor=elsewhere', ...listShowing([third]) })
      },
    ),
  ),
  unexercised('pagination.limit-fills-page', 'listMessages limit-1', 'what is added meanwhile counts or not', (s) => {
    const thread = threadOfMessages(s, 1)
    s.add(thread, 'user', 'Under way.', { at: [1000, 1100] })
    s.list(thread, { query: '?limit=1', at: [1010, 1020], ...listShowing(listedItems(s, thread).slice(0, 1), 'more') })
  }),
  upholds('pagination.limit-fills-page', 'listMessages limit-2', 'nothing is left for an empty page', (s) => {
    const thread = threadOfMessages(s, 2)
    s.list(thread, { query: '?limit=2', ...listShowing(listedItems(s, thread), 'end') })
    s.list(thread, { query: '?limit=2&cursor=end', ...listShowing([]) })
  }),
  violates('pagination.limit-fills-page', 'listMessages limit-1', 'nothing of a thread that was listed before', (s) => {
    const thread = threadOfMessages(s, 4)
    s.list(thread, { query: '?limit=1', ...listShowing([]) })
  }),
  unexercised('pagination.limit-fills-page', 'listMessages limit-1', 'a list without a limit', (s) =>
    threadOfMessages(s, 4),
  ),
  violates(
    'pagination.limit-fills-page',
    'listMessages limit-n-1',
    'the default is no limit that may be clamped',
    (s) => {
      const thread = threadOfMessages(s, 101)
      s.list(thread, { query: '?cursor=100' })
      s.list(thread, { query: '?limit=100', ...listShowing(listedItems(s, thread).slice(0, 50), '50') })
    },
  ),
  violates('pagination.limit-caps-page', 'listMessages limit-2', 'three for a limit of two', (s) => {
    const thread = threadOfMessages(s, 6)
    s.list(thread, { query: '?limit=2', ...listShowing(listedItems(s, thread).slice(0, 3), '3') })
  }),
  violates('pagination.limit-caps-page', 'listMessages another limit', 'four for a limit of three', (s) => {
    const thread = threadOfMessages(s, 6)
    s.list(thread, { query: '?limit=3', ...listShowing(listedItems(s, thread).slice(0, 4), '4') })
  }),
  ...[4, 5].map((limit) =>
    unexercised(
      'pagination.limit-caps-page',
      'listMessages',
      `a limit of ${limit} caps nothing in a thread of four`,
      (s) => {
        s.list(threadOfMessages(s, 4), { query: `?limit=${limit}` })
      },
    ),
  ),
  unexercised('pagination.default-limit', 'listMessages', 'a hundred fit on one page', (s) =>
    s.list(threadOfMessages(s, 100)),
  ),
  violates('pagination.empty-thread', 'listMessages', 'an empty thread lists a message', (s) => {
    const thread = begun(s, 0)
    s.list(
      thread,
      listShowing([{ id: s.id(), thread_id: thread, role: 'user', content: 'Boo!', created_at: timestampText(1) }]),
    )
  }),
  upholds('pagination.empty-thread', 'listMessages', 'what comes later is not there yet', (s) => {
    const thread = begun(s, 0)
    s.list(thread)
    s.add(thread, 'wizard', 'Refused.', rejectedWith('bad_request'))
    s.add(thread, 'user', 'Hello')
  }),
  inconclusive('pagination.empty-thread', 'listMessages', 'silence says nothing', (s) =>
    s.list(begun(s, 0), { silent: true }),
  ),
  unexercised(
    'pagination.empty-thread',
    'listMessages',
    'a wrong request, an unknown thread, a message under way',
    (s) => {
      const thread = begun(s, 0)
      s.list(thread, { query: '?limit=many', ...rejectedWith('bad_request') })
      s.list(uuid(99), rejectedWith('thread_not_found', 404))
      const message = s.add(thread, 'user', 'Hello', { at: [1000, 1100] })
      s.list(thread, { at: [1010, 1020], ...listShowing([message]) })
    },
  ),
]

const orderCases: readonly OracleCase[] = [
  upholds('pagination.newest-first', 'listMessages within-page', 'equal stamps stand in the order of creation', (s) => {
    const thread = begun(s, 0)
    for (const text of ['One.', 'Two.']) s.add(thread, 'user', text, { with: { created_at: timestampText(5) } })
    s.list(thread)
  }),
  unexercised('pagination.newest-first', 'listMessages within-page', 'one message has no order', (s) =>
    threadOfMessages(s, 1),
  ),
  unexercised('pagination.order-of-creation', 'listMessages', 'one message has no order', (s) =>
    threadOfMessages(s, 1),
  ),
  violates('resources.timestamp-format', 'listMessages created_at', 'stamps that are none have no order', (s) => {
    const thread = begun(s, 0)
    for (const created_at of ['9', '10']) s.add(thread, 'user', `At ${created_at}.`, { with: { created_at } })
    s.list(thread)
  }),
  violates('pagination.order-of-creation', 'listMessages', 'the last of three is listed as the first of all', (s) => {
    const thread = begun(s, 0)
    const [one, two, three] = [1, 2, 3].map((at) =>
      s.add(thread, 'user', `Said ${at}.`, { with: { created_at: timestampText(5) } }),
    )
    s.list(thread, listShowing([two, one, three]))
  }),
]

const walkCases: readonly OracleCase[] = [
  upholds('pagination.cursor-continues', 'listMessages nothing-missing', 'four pages of one show all four', (s) =>
    pages(s, threadOfMessages(s, 4), 1, 4),
  ),
  upholds(
    'pagination.cursor-continues',
    'listMessages nothing-twice',
    'a walk that is broken off misses nothing',
    (s) => pages(s, threadOfMessages(s, 4), 1, 2),
  ),
  unexercised('pagination.walk-ends', 'listMessages', 'a walk that is broken off might have ended', (s) =>
    pages(s, begun(s, 4), 1, 2),
  ),
  unexercised('pagination.cursor-continues', 'listMessages nothing-twice', 'one page is no walk', (s) =>
    threadOfMessages(s, 4),
  ),
  violates('resources.message-fields', 'listMessages id', 'items without an id are no message a second time', (s) => {
    const thread = begun(s, 4)
    const all = withoutMessage('id', listedItems(s, begun(s, 4)))
    s.list(thread, { query: '?limit=2', ...listShowing(all.slice(0, 2), 'more') })
    s.list(thread, { query: '?limit=2&cursor=more', ...listShowing(all.slice(2)) })
  }),
  upholds('pagination.stable-while-inserting', 'listMessages', 'what was added shows in the next list', (s) => {
    const thread = threadOfMessages(s, 4)
    s.list(thread, { query: '?limit=2' })
    const rest = listedItems(s, thread).slice(2)
    s.add(thread, 'user', 'Added meanwhile.')
    s.list(thread, { query: '?limit=2&cursor=2', ...listShowing(rest) })
    s.list(thread)
  }),
  unexercised('pagination.stable-while-inserting', 'listMessages', 'what is added before or behind a walk', (s) => {
    const thread = threadOfMessages(s, 4)
    pages(s, thread, 2, 2)
    s.add(thread, 'user', 'Added afterwards.')
    s.list(thread, { query: '?limit=2' })
  }),
  upholds('pagination.any-limit-same-list', 'listMessages', 'two threads are two lists', (s) => {
    const threads = [begun(s, 3), begun(s, 3)]
    for (const [index, thread] of threads.entries()) s.list(thread, { query: `?limit=${index + 4}` })
    s.list(String(threads[1]), { query: '?limit=2' })
  }),
  unexercised('pagination.any-limit-same-list', 'listMessages', 'one limit twice', (s) =>
    s.list(threadOfMessages(s, 4)),
  ),
  upholds('pagination.any-limit-same-list', 'listMessages', 'a page is the beginning of a longer one', (s) => {
    const thread = begun(s, 4)
    for (const limit of [2, 3]) s.list(thread, { query: `?limit=${limit}` })
  }),
  unexercised('pagination.any-limit-same-list', 'listMessages', 'the beginning of one message tells nothing', (s) => {
    const thread = begun(s, 4)
    for (const limit of [1, 2]) s.list(thread, { query: `?limit=${limit}` })
  }),
  violates('pagination.any-limit-same-list', 'listMessages', 'another limit ends sooner', (s) => {
    const thread = threadOfMessages(s, 4)
    s.list(thread, { query: '?limit=5', ...listShowing(listedItems(s, thread).slice(0, 3)) })
  }),
  unexercised('pagination.any-limit-same-list', 'listMessages', 'a message was added between two lists', (s) => {
    const thread = begun(s, 4)
    s.list(thread, { query: '?limit=3' })
    s.add(thread, 'user', 'Added between.')
    s.list(thread, { query: '?limit=2' })
  }),
  unexercised(
    'pagination.any-limit-same-list',
    'listMessages',
    'a message was added while the second is walked',
    (s) => {
      const thread = begun(s, 0)
      const [one, two] = [1, 2, 3].map((at) => s.add(thread, 'user', `Said ${at}.`))
      s.list(thread, { query: '?limit=3' })
      s.list(thread, { query: '?limit=1' })
      s.add(thread, 'user', 'Added meanwhile.')
      s.list(thread, { query: '?limit=1&cursor=1', ...listShowing([two], '2') })
      s.list(thread, { query: '?limit=1&cursor=2', ...listShowing([one]) })
    },
  ),
  unexercised('pagination.cursor-repeatable', 'listMessages', 'a list without a cursor repeats none', (s) =>
    s.list(threadOfMessages(s, 4)),
  ),
  violates('pagination.reads-are-pure', 'listMessages', 'a message is away and back again', (s) => {
    const thread = threadOfMessages(s, 4)
    s.list(thread, listShowing(listedItems(s, thread).slice(0, 3)))
    s.list(thread)
  }),
  violates('pagination.reads-are-pure', 'listMessages', 'two of three messages change places', (s) => {
    const thread = threadOfMessages(s, 3)
    const [three, two, one] = listedItems(s, thread)
    s.list(thread, listShowing([three, one, two]))
  }),
]

/** Cases of all the requirements of the chapter, and of others that a list may break beside them. */
export const paginationCases: readonly OracleCase[] = [...lengthCases, ...orderCases, ...walkCases]

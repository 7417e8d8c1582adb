/**
 * Near misses of pages and walks. They show which of them a rule is about, where one rule ends, and where the next one
 * begins.
 */

import { listedItems, listShowing, proxyTraffic } from '../../../../test/trace-builder/listings.ts'
import {
  notBlamed,
  noViolation,
  type OracleCase,
  unexercised,
  upholds,
  violates,
} from '../../../../test/trace-builder/prove-oracles.ts'
import { rejectedWith, timestampText } from '../../../../test/trace-builder/sample-data.ts'
import type { Change, TraceBuilder } from '../../../../test/trace-builder/trace-builder.ts'
import { threadOfMessages, withoutMessage } from './pagination.cases.ts'

/** A thread whose messages have these times, in microseconds, the oldest first. */
const stamped = (s: TraceBuilder, micros: readonly number[]): string => {
  const thread = s.assistants().thread()
  for (const at of micros)
    s.add(thread, 'user', `Said at ${at}, as message ${s.id()}.`, { with: { created_at: timestampText(at) } })
  return thread
}

const lengthCases: readonly OracleCase[] = [
  notBlamed(
    'pagination.page-fields',
    'listMessages cursor',
    'a page that is empty for no reason needs no cursor',
    (s) => s.list(threadOfMessages(s, 4), { query: '?limit=2', ...listShowing([]) }),
  ),
  noViolation('pagination.limit-caps-page', '', 'a parameter of its own may mean anything', (s) => {
    const thread = threadOfMessages(s, 4)
    s.list(thread, { query: '?limit=2&order=asc', ...listShowing(listedItems(s, thread)) })
  }),
  unexercised(
    'pagination.limit-fills-page',
    'listMessages limit-1',
    'a cursor from elsewhere may stand at the end',
    (s) => s.list(threadOfMessages(s, 4), { query: '?limit=1&cursor=elsewhere', ...listShowing([]) }),
  ),
  notBlamed(
    'pagination.limit-fills-page',
    'listMessages limit-1',
    'what was added since the walk began may count',
    (s) => {
      const thread = threadOfMessages(s, 4)
      s.list(thread, { query: '?limit=2' })
      s.add(thread, 'user', 'Added meanwhile.')
      s.list(thread, { query: '?limit=1&cursor=2', ...listShowing([], 'more') })
    },
  ),
  violates(
    'pagination.limit-fills-page',
    'listMessages limit-2',
    'what is added later is no reason for a short page',
    (s) => {
      const thread = threadOfMessages(s, 4)
      s.list(thread, { query: '?limit=2', ...listShowing(listedItems(s, thread).slice(0, 1), '1') })
      s.add(thread, 'user', 'Added afterwards.')
      s.list(thread)
    },
  ),
  violates('pagination.limit-fills-page', 'listMessages another limit', 'two of six for a limit of three', (s) => {
    const thread = threadOfMessages(s, 6)
    s.list(thread, { query: '?limit=3', ...listShowing(listedItems(s, thread).slice(0, 2), '2') })
  }),
  upholds('pagination.limit-fills-page', 'listMessages limit-1', 'the only message', (s) =>
    s.list(threadOfMessages(s, 1), { query: '?limit=1' }),
  ),
  upholds('pagination.default-limit', 'listMessages', 'a limit of fifty is not the default', (s) => {
    const thread = threadOfMessages(s, 101)
    s.list(thread, { query: '?cursor=100' })
    s.list(thread, { query: '?limit=50' })
  }),
  unexercised(
    'pagination.empty-thread',
    'listMessages',
    'what others do in a thread is not seen',
    (s) => {
      const thread = s.assistants().thread()
      s.list(
        thread,
        listShowing([
          { id: s.id(), thread_id: thread, role: 'user', content: 'Of others.', created_at: timestampText(1) },
        ]),
      )
    },
    proxyTraffic,
  ),
]

const orderCases: readonly OracleCase[] = [
  violates('pagination.newest-first', 'listMessages across-pages', 'only the last message of a page tells', (s) => {
    const thread = stamped(s, [10, 60, 50, 80, 90])
    s.list(thread, { query: '?limit=3' })
    s.list(thread, { query: '?limit=3&cursor=3' })
  }),
  violates('pagination.newest-first', 'listMessages within-page', 'the second page is out of order in itself', (s) => {
    const thread = stamped(s, [30, 20, 80, 90])
    s.list(thread, { query: '?limit=2' })
    s.list(thread, { query: '?limit=2&cursor=2' })
  }),
  unexercised('pagination.newest-first', 'listMessages across-pages', 'an empty page is behind everything', (s) => {
    const thread = threadOfMessages(s, 2)
    s.list(thread, { query: '?limit=2', ...listShowing(listedItems(s, thread), 'end') })
    s.list(thread, { query: '?limit=2&cursor=end', ...listShowing([]) })
  }),
  noViolation('pagination.order-of-creation', '', 'sent in the moment in which the other was answered', (s) => {
    const thread = s.assistants().thread()
    const stampedAlike = { with: { created_at: timestampText(5) } }
    const one = s.add(thread, 'user', 'The first one.', { at: [100, 200], ...stampedAlike })
    const two = s.add(thread, 'user', 'The second one.', { at: [200, 300], ...stampedAlike })
    s.list(thread, listShowing([one, two]))
  }),
  violates(
    'pagination.order-of-creation',
    'listMessages',
    'the first of three was done before the last was sent',
    (s) => {
      const thread = s.assistants().thread()
      const spans = [
        [100, 105],
        [102, 300],
        [110, 310],
      ] as const
      const added = spans.map((at) =>
        s.add(thread, 'user', `Said at ${at[0]}.`, { at, with: { created_at: timestampText(5) } }),
      )
      s.list(thread, listShowing(added))
    },
  ),
]

/** A completion went on in a thread, and a walk of it loses a message; it may be listed again behind. */
const lostWhereOthersWrite = (s: TraceBuilder, isSeenAgain: boolean): void => {
  const thread = threadOfMessages(s, 4)
  const all = listedItems(s, thread)
  s.complete({}, { query: `?thread_id=${thread}`, ...rejectedWith('api_timeout_error', 504) })
  s.list(thread, { query: '?limit=2', ...listShowing(all.slice(0, 2), '2') })
  s.list(thread, { query: '?limit=2&cursor=2', ...listShowing(all.slice(3)) })
  if (isSeenAgain) s.list(thread, listShowing(all))
}

/** The second page has a cursor that is not followed; it shows the messages at these places of five. */
const brokenOff = (s: TraceBuilder, ...places: readonly number[]): void => {
  const thread = threadOfMessages(s, 5)
  const all = listedItems(s, thread)
  s.list(thread, listShowing(all))
  s.list(thread, { query: '?limit=2', ...listShowing(all.slice(0, 2), '2') })
  const second = all.filter((_, index) => places.includes(index))
  s.list(thread, { query: '?limit=2&cursor=2', ...listShowing(second, 'more') })
}

const walkCases: readonly OracleCase[] = [
  violates(
    'pagination.cursor-continues',
    'listMessages nothing-missing',
    'lost before the end of a broken-off walk',
    (s) => brokenOff(s, 3, 4),
  ),
  notBlamed('pagination.cursor-continues', 'listMessages nothing-missing', 'older than a broken-off walk went', (s) =>
    brokenOff(s, 2, 3),
  ),
  violates(
    'pagination.cursor-continues',
    'listMessages nothing-missing',
    'others may write, and it is there before and behind',
    (s) => lostWhereOthersWrite(s, true),
  ),
  notBlamed(
    'pagination.cursor-continues',
    'listMessages nothing-missing',
    'others may write, and it is seen no more',
    (s) => lostWhereOthersWrite(s, false),
  ),
  notBlamed('pagination.cursor-continues', 'listMessages nothing-missing', 'the first page begins too late', (s) => {
    const thread = threadOfMessages(s, 4)
    const all = listedItems(s, thread)
    s.list(thread, { query: '?limit=2', ...listShowing(all.slice(1, 3), '3') })
    s.list(thread, { query: '?limit=2&cursor=3', ...listShowing(all.slice(3)) })
  }),
  violates(
    'pagination.cursor-continues',
    'listMessages nothing-missing',
    'without times any message may be behind',
    (s) => {
      const thread = s.assistants().thread()
      const added = ['One.', 'Two.', 'Three.', 'Four.'].map((text) => s.add(thread, 'user', text))
      const all = withoutMessage('created_at', added.reverse())
      s.list(thread, listShowing(all))
      s.list(thread, { query: '?limit=2', ...listShowing(all.slice(0, 2), '2') })
      s.list(thread, { query: '?limit=2&cursor=2', ...listShowing(all.slice(3)) })
    },
  ),
  violates(
    'pagination.cursor-continues',
    'listMessages nothing-missing',
    'of one time, and behind the first page',
    (s) => {
      const thread = stamped(s, [10, 50, 50, 90])
      const all = listedItems(s, thread)
      s.list(thread, { query: '?limit=2' })
      s.list(thread, { query: '?limit=2&cursor=2', ...listShowing(all.slice(3)) })
    },
  ),
  notBlamed(
    'pagination.cursor-continues',
    'listMessages nothing-missing',
    'a message that was lost before the walk',
    (s) => {
      const thread = threadOfMessages(s, 4)
      const [, third, , first] = listedItems(s, thread)
      s.add(thread, 'user', 'The fifth.')
      s.list(thread, { query: '?limit=2' })
      s.list(thread, { query: '?limit=2&cursor=2', ...listShowing([third, first]) })
    },
  ),
  violates(
    'pagination.cursor-continues',
    'listMessages nothing-missing',
    'a message that the next list shows again',
    (s) => {
      const thread = threadOfMessages(s, 4)
      s.add(thread, 'user', 'The fifth.')
      s.list(thread, { query: '?limit=2' })
      const [, , , , first] = listedItems(s, thread)
      s.list(thread, { query: '?limit=2&cursor=2', ...listShowing([first]) })
      s.list(thread)
    },
  ),
  unexercised('pagination.cursor-continues', 'listMessages nothing-twice', 'one message cannot come twice', (s) => {
    const thread = threadOfMessages(s, 1)
    s.list(thread, { query: '?limit=1', ...listShowing(listedItems(s, thread), 'end') })
    s.list(thread, { query: '?limit=1&cursor=end', ...listShowing([]) })
  }),
  ...['nothing-twice', 'nothing-missing'].map((facet) =>
    unexercised(
      'pagination.cursor-continues',
      `listMessages ${facet}`,
      'a full page without a cursor is no walk',
      (s) => s.list(threadOfMessages(s, 4), { query: '?limit=4' }),
    ),
  ),
  notBlamed('pagination.walk-ends', 'listMessages', 'what goes round while something is added', (s) => {
    const thread = s.assistants().thread()
    for (const text of ['One.', 'Two.', 'Three.']) s.add(thread, 'user', text)
    const { items: first } = s.list(thread, { query: '?limit=2', at: [1000, 1005] })
    s.add(thread, 'user', 'Under way.', { at: [1001, 2000], silent: true })
    s.list(thread, { query: '?limit=2&cursor=2', at: [1010, 1015], body: { cursor: '4', items: first } })
  }),
  violates('pagination.walk-ends', 'listMessages', 'a page comes again, and a message is added later', (s) => {
    const thread = threadOfMessages(s, 3)
    const oldest = listedItems(s, thread).slice(-1)
    s.list(thread, { query: '?limit=2' })
    for (let read = 0; read < 2; read += 1) s.list(thread, { query: '?limit=2&cursor=2', ...listShowing(oldest, '2') })
    s.add(thread, 'user', 'Later.')
    s.list(thread)
  }),
  notBlamed('pagination.walk-ends', 'listMessages', 'a cursor that includes its message stands still', (s) => {
    const thread = threadOfMessages(s, 4)
    const newest = listedItems(s, thread).slice(0, 1)
    s.list(thread, { query: '?limit=1', ...listShowing(newest, '1') })
    s.list(thread, { query: '?limit=1&cursor=1', ...listShowing(newest, '1') })
  }),
  unexercised('pagination.stable-while-inserting', 'listMessages', 'one message cannot move', (s) => {
    const thread = threadOfMessages(s, 1)
    s.list(thread, { query: '?limit=1', ...listShowing(listedItems(s, thread), 'end') })
    s.add(thread, 'user', 'Added meanwhile.')
    s.list(thread, { query: '?limit=1&cursor=end', ...listShowing([]) })
  }),
  unexercised(
    'pagination.stable-while-inserting',
    'listMessages',
    'others may have added more',
    (s) => {
      const thread = threadOfMessages(s, 4)
      const rest = listedItems(s, thread).slice(2)
      s.list(thread, { query: '?limit=2' })
      s.add(thread, 'user', 'Added meanwhile.')
      s.list(thread, { query: '?limit=2&cursor=2', ...listShowing(rest) })
    },
    proxyTraffic,
  ),
  upholds(
    'pagination.stable-while-inserting',
    'listMessages',
    'sent with the one page and answered with the other',
    (s) => {
      const thread = threadOfMessages(s, 4)
      const rest = listedItems(s, thread).slice(2)
      s.list(thread, { query: '?limit=2', at: [1000, 1010] })
      s.add(thread, 'user', 'Added meanwhile.', { at: [1010, 1020] })
      s.list(thread, { query: '?limit=2&cursor=2', at: [1020, 1030], ...listShowing(rest) })
    },
  ),
  violates(
    'pagination.stable-while-inserting',
    'listMessages',
    'what was sent as the cursor came is behind it',
    (s) => {
      const thread = threadOfMessages(s, 4)
      s.list(thread, { query: '?limit=1', at: [1000, 1010] })
      const added = s.add(thread, 'user', 'Added meanwhile.', { at: [1010, 1020] })
      s.list(thread, { query: '?limit=1&cursor=1', at: [1030, 1040], ...listShowing([added], '2') })
    },
  ),
  violates(
    'pagination.any-limit-same-list',
    'listMessages',
    'shorter, and another one from the first message on',
    (s) => {
      const thread = threadOfMessages(s, 4)
      s.list(thread, { query: '?limit=5', ...listShowing(listedItems(s, thread).slice(1, 3)) })
    },
  ),
]

const usedCursor =
  (query: string, again: Change): ((s: TraceBuilder) => void) =>
  (s) => {
    const thread = threadOfMessages(s, 4)
    s.list(thread, { query: '?limit=2' })
    s.list(thread, { query, at: [1000, 1010] })
    s.list(thread, { query, at: [1020, 1030], ...rejectedWith('bad_request'), ...again })
  }

const refusalCases: readonly OracleCase[] = [
  violates(
    'pagination.cursor-repeatable',
    'listMessages',
    'refused as soon as it was used',
    usedCursor('?limit=2&cursor=2', { at: [1010, 1020] }),
  ),
  violates('pagination.cursor-repeatable', 'listMessages', 'refused with the limit of a page that gave it', (s) => {
    const thread = threadOfMessages(s, 4)
    s.list(thread, { query: '?limit=2' })
    s.list(thread, { query: '?cursor=2' })
    s.list(thread, { query: '?limit=2&cursor=2', ...rejectedWith('bad_request') })
  }),
  notBlamed(
    'pagination.cursor-repeatable',
    'listMessages',
    'refused while it was being used',
    usedCursor('?limit=2&cursor=2', { at: [1005, 1015] }),
  ),
  notBlamed(
    'pagination.cursor-repeatable',
    'listMessages',
    'refused with another limit',
    usedCursor('?limit=2&cursor=2', { query: '?limit=1&cursor=2' }),
  ),
  notBlamed(
    'pagination.cursor-repeatable',
    'listMessages',
    'a refused list without a cursor',
    usedCursor('?limit=2', {}),
  ),
]

/** Cases of pages, orders and walks. */
export const paginationWalkCases: readonly OracleCase[] = [...lengthCases, ...orderCases, ...walkCases, ...refusalCases]

/** Deviations of chapter pagination that need more than one list: cursors, walks, reads that change something. */

import type { Occasion, PageSelection } from '../machine/laws.ts'
import type { Thread } from '../machine/state.ts'
import type { Json } from '../scenario/scenario.ts'
import type { Bend } from '../seams.ts'
import { messageOf } from './bend-record.ts'
import { replyRemembering } from './bend-reply.ts'
import { type DeviationTable, deviation } from './deviation-row.ts'
import { at, isObject, withFields } from './json-edit.ts'

type Part =
  | 'cursor-continues'
  | 'any-limit-same-list'
  | 'walk-ends'
  | 'stable-while-inserting'
  | 'cursor-repeatable'
  | 'reads-are-pure'

const continues = (
  edit: (next: number, thread: Thread, page: PageSelection, limit: number) => number | null,
): Bend => ({
  seam: 'select',
  wrap: (next) => (thread, limit, before, occasion) => {
    const page = next(thread, limit, before, occasion)
    return page.next === null ? page : { ...page, next: edit(page.next, thread, page, limit) }
  },
})

const positive = (position: number): number | null => (position > 0 ? position : null)
const otherList = { alsoViolates: ['pagination.any-limit-same-list'] } as const
const withCursor = ({ command }: Occasion): boolean => command.operation === 'listMessages' && command.cursor !== null

export const pageWalks = {
  'pagination.cursor-continues': [
    deviation(
      'pagination.cursor-repeats-last',
      'Names the last message of a page in the cursor and starts the next page with it.',
      continues((next, _thread, _page, limit) => (limit > 1 ? next + 1 : next)),
      { trigger: 'a limit above 1', ...otherList },
    ),
    deviation(
      'pagination.cursor-skips-one',
      'Names the first message of the next page in the cursor and starts behind it.',
      continues((next) => positive(next - 1)),
      otherList,
    ),
    deviation(
      'pagination.cursor-skips-same-millisecond',
      'Continues with messages of an earlier millisecond than the last one.',
      continues((next, thread) => behindSame(next, thread, 23)),
      {
        trigger: 'two messages within a millisecond, on the border of pages',
        ...otherList,
      },
    ),
    deviation(
      'pagination.cursor-skips-same-second',
      'Continues with messages of an earlier second than the last one.',
      continues((next, thread) => behindSame(next, thread, 19)),
      {
        trigger: 'two messages within a second, on the border of pages',
        ...otherList,
      },
    ),
    deviation(
      'pagination.cursor-skips-at-limit-1',
      'Skips a message between pages of one.',
      continues((next, _thread, _page, limit) => (limit === 1 ? positive(next - 1) : next)),
      { trigger: 'limit=1', ...otherList },
    ),
    deviation(
      'pagination.third-page-repeats',
      'Multiplies the page number by the default limit from the third page on.',
      continues((next, thread, page) => {
        const shown = thread.log.size - next
        return shown >= 2 * page.items.length && page.items.length > 1 ? next + 1 : next
      }),
      { trigger: 'the third page', ...otherList },
    ),
    deviation(
      'pagination.walk-ends-at-100',
      'Hands out no cursor behind the hundredth message.',
      continues((next, thread) => (thread.log.size - next >= 100 ? null : next)),
      {
        trigger: 'more than 100 messages',
        alsoViolates: ['pagination.any-limit-same-list', 'pagination.page-fields', 'threads.created-is-listed'],
      },
    ),
  ],
  'pagination.any-limit-same-list': [
    deviation(
      'pagination.small-pages-hide-system',
      'Leaves system messages out of pages of a limit below ten.',
      selectsBy((page, limit) =>
        limit < 10 ? { ...page, items: page.items.filter((item) => messageOf(item).role !== 'system') } : page,
      ),
      {
        trigger: 'a system message and a limit below ten',
        alsoViolates: ['pagination.cursor-continues', 'pagination.limit-fills-page'],
      },
    ),
    deviation(
      'pagination.limit-2-swaps',
      'Sorts pages of two by another index.',
      selectsBy((page, limit) => (limit === 2 ? { ...page, items: [...page.items].reverse() } : page)),
      {
        trigger: 'limit=2',
        alsoViolates: ['pagination.newest-first', 'pagination.order-of-creation'],
      },
    ),
    deviation(
      'pagination.odd-limits-hide-oldest',
      'Loses the oldest message when the last page is not full.',
      selectsBy((page, limit) =>
        page.next === null && limit > 1 && page.items.length > 1 && page.items.length < limit && limit < 100
          ? { ...page, items: page.items.slice(0, -1) }
          : page,
      ),
      {
        trigger: 'a last page that is not full, of a limit below 100',
        alsoViolates: ['pagination.cursor-continues', 'pagination.limit-fills-page'],
      },
    ),
  ],
  'pagination.walk-ends': [
    deviation(
      'pagination.walk-starts-over',
      'Hands out a cursor to the first page at the end of the list.',
      endsWith((thread) => thread.log.size),
      { alsoViolates: ['pagination.cursor-continues', 'pagination.any-limit-same-list'] },
    ),
    deviation(
      'pagination.walk-stays-at-the-end',
      'Hands out a cursor to the empty page behind the end, on that page too.',
      endsWith(() => 0),
    ),
    deviation(
      'pagination.walk-repeats-last-page',
      'Hands out the cursor of the last page again on the last page.',
      {
        seam: 'select',
        wrap: (next) => (thread, limit, before, occasion) => {
          const page = next(thread, limit, before, occasion)
          return page.next === null && withCursor(occasion) ? { ...page, next: before } : page
        },
      },
      {
        trigger: 'a walk of several pages',
        alsoViolates: ['pagination.cursor-continues', 'pagination.any-limit-same-list'],
      },
    ),
  ],
  'pagination.stable-while-inserting': [
    deviation('pagination.cursor-is-offset', 'Counts from the newest message in the cursor.', byOffset(), {
      trigger: 'a message that is added during a walk',
    }),
    deviation(
      'pagination.walk-hides-what-is-added',
      'Moves on by as many messages as were added during a walk.',
      byOffset((offset, added) => offset + 2 * added),
      {
        trigger: 'a message that is added during a walk',
      },
    ),
    deviation(
      'pagination.walk-starts-over-when-added',
      'Starts the list over when a message was added since the cursor.',
      byOffset((offset, added) => (added > 0 ? 0 : offset)),
      {
        trigger: 'a message that is added during a walk',
      },
    ),
  ],
  'pagination.cursor-repeatable': [
    deviation(
      'pagination.cursor-used-up',
      'Forgets a cursor when it was used.',
      {
        seam: 'openCursor',
        wrap: (next) => {
          const used = new Set<string>()
          return (secret, threadId, cursor, occasion) => {
            if (used.has(cursor)) return null
            used.add(cursor)
            return next(secret, threadId, cursor, occasion)
          }
        },
      },
      { trigger: 'the same cursor twice', alsoViolates: ['http.operation-served'] },
    ),
    deviation(
      'pagination.cursor-moves-on',
      'Keeps the position of a cursor in the service and moves it with every read.',
      movesOn(),
      { trigger: 'the same cursor twice' },
    ),
    deviation(
      'pagination.cursor-empty-at-second-use',
      'Reads a cursor of a result set that is consumed by the first use.',
      replyRemembering(
        'listMessages',
        () => new Set<string>(),
        (json, { command }, used) => {
          if (command?.operation !== 'listMessages' || command.cursor === null) return json
          if (used.has(command.cursor)) return withFields({ items: [], cursor: null })(json)
          used.add(command.cursor)
          return json
        },
      ),
      { trigger: 'the same cursor twice', alsoViolates: ['pagination.limit-fills-page', 'pagination.page-fields'] },
    ),
  ],
  'pagination.reads-are-pure': [
    deviation(
      'pagination.delivered-once',
      'Takes a second list of a thread for a poll, and shows only what is new.',
      replyRemembering(
        'listMessages',
        () => new Map<string, Set<string>>(),
        (json, { command, request }, shown) => {
          if (command?.operation !== 'listMessages' || command.cursor !== null) return json
          const seen = shown.get(request.target)
          const ids = new Set(
            isObject(json) && Array.isArray(json.items)
              ? json.items.map((item: Json) => (isObject(item) ? String(item.id) : ''))
              : [],
          )
          shown.set(request.target, ids)
          if (seen === undefined || [...ids].some((id) => !seen.has(id))) return json
          return withFields({ items: [], cursor: null })(json)
        },
      ),
      {
        trigger: 'the same list twice',
        alsoViolates: [
          'threads.created-is-listed',
          'pagination.limit-fills-page',
          'pagination.page-fields',
          'threads.read-your-writes',
        ],
      },
    ),
    deviation(
      'pagination.third-list-reversed',
      'Lists every third time from a worker that sorts the other way.',
      replyRemembering(
        'listMessages',
        () => ({ lists: 0 }),
        (json, _exchange, memory) => {
          memory.lists += 1
          return memory.lists % 3 === 0
            ? at('items', (items) => (Array.isArray(items) ? [...items].reverse() : items))(json)
            : json
        },
      ),
      {
        trigger: 'every third list',
        alsoViolates: [
          'pagination.newest-first',
          'pagination.order-of-creation',
          'pagination.cursor-repeatable',
          'pagination.any-limit-same-list',
        ],
      },
    ),
    deviation(
      'pagination.reading-adds-a-mark',
      'Writes a receipt into the thread when it is listed for the second time.',
      replyRemembering(
        'listMessages',
        () => new Map<string, number>(),
        (json, { command }, lists) => {
          if (
            command?.operation !== 'listMessages' ||
            !isObject(json) ||
            !Array.isArray(json.items) ||
            json.items.length === 0
          )
            return json
          const count = (lists.get(command.threadId) ?? 0) + 1
          lists.set(command.threadId, count)
          const [newest] = json.items
          const receipt = { ...(newest as object), role: 'system', content: 'Read.' }
          return count < 2 || command.cursor !== null
            ? json
            : withFields({ items: [receipt, ...json.items].slice(0, Math.max(1, json.items.length)) as Json[] })(json)
        },
      ),
      {
        trigger: 'the second list of a thread',
        alsoViolates: [
          'threads.no-phantom-messages',
          'threads.message-never-changes',
          'threads.listed-as-created',
          'threads.created-is-listed',
          'pagination.cursor-continues',
        ],
      },
    ),
  ],
} as const satisfies Pick<DeviationTable<'pagination'>, `pagination.${Part}`>

function selectsBy(edit: (page: PageSelection, limit: number) => PageSelection): Bend {
  return {
    seam: 'select',
    wrap: (next) => (thread, limit, before, occasion) => edit(next(thread, limit, before, occasion), limit),
  }
}

function endsWith(position: (thread: Thread) => number): Bend {
  return {
    seam: 'select',
    wrap: (next) => (thread, limit, before, occasion) => {
      const page = next(thread, limit, before, occasion)
      return page.next === null && thread.log.size > 0 ? { ...page, next: position(thread) } : page
    },
  }
}

/** The position behind all messages that share the first characters of their stamp with the last one shown. */
function behindSame(next: number, thread: Thread, characters: number): number | null {
  const stampAt = (position: number) =>
    String(messageOf(thread.log.get(position) ?? Buffer.from('{}')).created_at).slice(0, characters)
  const last = stampAt(next)
  let position = next
  while (position > 0 && stampAt(position - 1) === last) position -= 1
  return positive(position)
}

/** Cursors that count from the newest message, so that they slip when one is added. */
function byOffset(slipped: (offset: number, added: number) => number = (offset) => offset): Bend {
  return {
    seam: 'select',
    wrap: (next) => {
      const sizes = new Map<string, number>()
      return (thread, limit, before, occasion) => {
        const size = thread.log.size
        if (!withCursor(occasion)) {
          sizes.set(thread.id, size)
          return next(thread, limit, before, occasion)
        }
        const known = sizes.get(thread.id) ?? size
        const offset = slipped(known - before, size - known)
        sizes.set(thread.id, size)
        return next(thread, limit, Math.max(0, size - offset), occasion)
      }
    },
  }
}

function movesOn(): Bend {
  return {
    seam: 'select',
    wrap: (next) => {
      const positions = new Map<string, number>()
      return (thread, limit, before, occasion) => {
        const { command } = occasion
        const cursor = command.operation === 'listMessages' ? command.cursor : null
        if (cursor === null) return next(thread, limit, before, occasion)
        const page = next(thread, limit, positions.get(cursor) ?? before, occasion)
        positions.set(cursor, page.next ?? 0)
        return page
      }
    },
  }
}

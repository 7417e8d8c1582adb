/** Deviations of chapter pagination within one page: its shape, its order, its length. */

import type { Thread } from '../machine/state.ts'
import type { Json } from '../scenario/scenario.ts'
import type { Bend } from '../seams.ts'
import { messageOf, selects } from './bend-record.ts'
import { reply } from './bend-reply.ts'
import { accepts, misreads } from './bend-rule.ts'
import { type DeviationTable, deviation } from './deviation-row.ts'
import { at, isObject, renamed, withFields } from './json-edit.ts'
import { bytesIn } from './text-damage.ts'

type Part =
  | 'page-fields'
  | 'newest-first'
  | 'order-of-creation'
  | 'default-limit'
  | 'limit-caps-page'
  | 'limit-fills-page'
  | 'limit-is-integer'
  | 'empty-thread'

const page = (edit: (json: Json) => Json): Bend => reply('listMessages', edit)

/** Takes another limit than the one asked for. */
const limits = (edit: (limit: number, thread: Thread, before: number) => number): Bend => ({
  seam: 'select',
  wrap: (next) => (thread, limit, before, occasion) => next(thread, edit(limit, thread, before), before, occasion),
})

const defaultsTo = (limit: number): Bend =>
  misreads('listMessages', (input) => (input.query?.has('limit') === true ? input : withLimit(input, String(limit))))

const unlisted = [
  'threads.created-is-listed',
  'threads.read-your-writes',
  'pagination.cursor-continues',
  'threads.run-appends-answer',
] as const

export const pageOrder = {
  'pagination.page-fields': [
    deviation('pagination.items-as-data', 'Names the messages of a page data.', page(renamed('items', 'data')), {
      alsoViolates: ['threads.created-is-listed'],
    }),
    deviation(
      'pagination.next-cursor',
      'Names the cursor of a page next_cursor.',
      page(renamed('cursor', 'next_cursor')),
      { alsoViolates: ['pagination.cursor-continues'] },
    ),
    deviation(
      'pagination.cursor-object',
      'Sends the cursor as an object wherever the list goes on.',
      page(at('cursor', (cursor) => (typeof cursor === 'string' ? { next: cursor } : cursor))),
      {
        trigger: 'a page behind which older messages remain',
        alsoViolates: ['pagination.cursor-continues'],
      },
    ),
    deviation(
      'pagination.bare-array',
      'Lists messages as a bare array when they fit on one page.',
      page((json) => (isObject(json) && json.cursor === null ? (json.items ?? []) : json)),
      {
        alsoViolates: ['threads.created-is-listed'],
      },
    ),
    deviation(
      'pagination.items-by-id',
      'Sends the messages of a page as an object by id.',
      page(
        at('items', (items) =>
          Array.isArray(items)
            ? Object.fromEntries(
                items.map((item: Json, index) => [isObject(item) ? String(item.id) : String(index), item]),
              )
            : items,
        ),
      ),
      {
        alsoViolates: ['threads.created-is-listed'],
      },
    ),
  ],
  'pagination.newest-first': [
    deviation(
      'pagination.oldest-first',
      'Lists the oldest message first.',
      {
        seam: 'select',
        wrap: () => (thread, limit, before) => {
          const start = thread.log.size - before
          const end = Math.min(start + limit, thread.log.size)
          return {
            items: thread.log.slice(start, end).toArray(),
            next: end < thread.log.size ? thread.log.size - end : null,
          }
        },
      },
      { alsoViolates: ['pagination.order-of-creation', 'pagination.stable-while-inserting'] },
    ),
    deviation(
      'pagination.page-reversed',
      'Takes the newest messages for a page and lists them in ascending order.',
      selects((found) => ({ ...found, items: [...found.items].reverse() })),
      { alsoViolates: ['pagination.order-of-creation', 'pagination.any-limit-same-list'] },
    ),
    deviation(
      'pagination.long-page-reversed',
      'Sorts pages of more than 50 messages the other way.',
      selects((found) => (found.items.length > 50 ? { ...found, items: [...found.items].reverse() } : found)),
      {
        trigger: 'a page of more than 50 messages',
        alsoViolates: ['pagination.order-of-creation', 'pagination.any-limit-same-list'],
      },
    ),
    deviation(
      'pagination.second-page-reversed',
      'Lists all pages but the first in ascending order.',
      selects((found, thread, _limit, before) =>
        before < thread.log.size ? { ...found, items: [...found.items].reverse() } : found,
      ),
      {
        trigger: 'the second page',
        alsoViolates: ['pagination.order-of-creation', 'pagination.any-limit-same-list'],
      },
    ),
    deviation(
      'pagination.answers-below-questions',
      'Groups a page by role: users first.',
      selects((found) => ({ ...found, items: byRole(found.items) })),
      {
        trigger: 'messages of several roles',
        alsoViolates: ['pagination.order-of-creation', 'pagination.any-limit-same-list'],
      },
    ),
    deviation(
      'pagination.pages-from-the-start',
      'Continues with the oldest messages behind the first page.',
      walksFromStart(),
      {
        trigger: 'the third page',
        alsoViolates: ['pagination.order-of-creation', 'pagination.any-limit-same-list', 'pagination.cursor-continues'],
      },
    ),
  ],
  'pagination.order-of-creation': [
    deviation(
      'pagination.same-second-ascending',
      'Sorts by whole seconds and leaves what is equal in the order of insertion.',
      selects((found) => ({ ...found, items: sortedBy(found.items, 19) })),
      {
        trigger: 'two messages within a second',
        alsoViolates: ['pagination.newest-first', 'pagination.any-limit-same-list'],
      },
    ),
    deviation(
      'pagination.same-millisecond-ascending',
      'Sorts by milliseconds and leaves what is equal in the order of insertion.',
      selects((found) => ({ ...found, items: sortedBy(found.items, 23) })),
      {
        trigger: 'two messages within a millisecond',
        alsoViolates: ['pagination.newest-first', 'pagination.any-limit-same-list'],
      },
    ),
    deviation(
      'pagination.sorted-by-id',
      'Breaks equal seconds by the random id.',
      selects((found) => ({ ...found, items: sortedById(found.items) })),
      {
        trigger: 'messages within a second',
        alsoViolates: ['pagination.newest-first', 'pagination.any-limit-same-list'],
      },
    ),
    deviation(
      'pagination.question-above-answer',
      'Lists the question above the answer that followed it within the same second.',
      selects((found) => ({ ...found, items: questionsAbove(found.items) })),
      {
        trigger: 'a question and its answer on one page',
        alsoViolates: ['pagination.newest-first', 'pagination.any-limit-same-list'],
      },
    ),
  ],
  'pagination.default-limit': [
    deviation('pagination.default-50', 'Lets limit default to 50.', defaultsTo(50)),
    deviation('pagination.default-101', 'Fetches one message more than a page holds and sends it.', defaultsTo(101)),
    deviation('pagination.default-unlimited', 'Lists everything without limit.', defaultsTo(1000)),
    deviation(
      'pagination.default-20-with-cursor',
      'Lets limit default to 20 on all pages but the first.',
      misreads('listMessages', (input) =>
        input.query?.has('cursor') === true && !input.query.has('limit') ? withLimit(input, '20') : input,
      ),
      { trigger: 'the second page', alsoViolates: ['pagination.limit-fills-page'] },
    ),
  ],
  'pagination.limit-caps-page': [
    deviation(
      'pagination.one-more-than-limit',
      'Fetches one message more than limit to see whether there are more, and sends it.',
      limits((limit) => limit + 1),
      { alsoViolates: ['pagination.default-limit'] },
    ),
    deviation(
      'pagination.limit-1-ignored',
      'Takes a limit of 1 for none.',
      limits((limit) => (limit === 1 ? 100 : limit)),
      { trigger: 'limit=1' },
    ),
    deviation(
      'pagination.limit-2-doubled',
      'Counts questions with their answers, so that a small page holds twice as many.',
      limits((limit) => (limit < 3 ? limit * 2 : limit)),
      { trigger: 'limit=1 or limit=2' },
    ),
    deviation(
      'pagination.limit-ignored-with-cursor',
      'Ignores limit on all pages but the first.',
      limits((limit, thread, before) => (before < thread.log.size ? 100 : limit)),
      { trigger: 'the second page' },
    ),
    deviation(
      'pagination.single-rest-added',
      'Adds the oldest message to a page when it is the only one left.',
      limits((limit, _thread, before) => (before === limit + 1 ? limit + 1 : limit)),
      { trigger: 'a limit of one less than there are messages' },
    ),
  ],
  'pagination.limit-fills-page': [
    deviation(
      'pagination.one-less-than-limit',
      'Counts up to limit from 1.',
      limits((limit) => Math.max(1, limit - 1)),
      { alsoViolates: ['pagination.default-limit'] },
    ),
    deviation(
      'pagination.exact-page-short',
      'Leaves the oldest message for another page when the list ends with this one.',
      limits((limit, _thread, before) => (before === limit ? Math.max(1, limit - 1) : limit)),
      { trigger: 'a limit of exactly as many messages as there are' },
    ),
    deviation(
      'pagination.page-of-4096-bytes',
      'Ends a page when it holds 4,096 bytes.',
      limits((limit, thread, before) => fitting(thread, before, limit, 4096)),
      {
        trigger: 'messages of more than 4,096 bytes together',
        alsoViolates: ['pagination.default-limit'],
      },
    ),
    deviation(
      'pagination.second-page-of-ten',
      'Ends all pages but the first behind ten messages.',
      limits((limit, thread, before) => (before < thread.log.size ? Math.min(limit, 10) : limit)),
      { trigger: 'the second page of a limit above ten' },
    ),
    deviation(
      'pagination.limit-above-rest-halved',
      'Halves a limit that is greater than what remains.',
      limits((limit, _thread, before) => (limit > before && before > 1 ? Math.ceil(before / 2) : limit)),
      { trigger: 'a limit above the number of messages', alsoViolates: unlisted },
    ),
  ],
  'pagination.limit-is-integer': [
    deviation(
      'pagination.limit-word-ignored',
      'Ignores a limit that it cannot read.',
      acceptsLimit(() => '100'),
    ),
    deviation(
      'pagination.limit-fraction-cut',
      'Cuts the fraction off a limit.',
      acceptsLimit((limit) => (/^\d+\.\d+$/.test(limit) ? (limit.split('.')[0] ?? limit) : limit)),
      { trigger: 'a limit with a fraction' },
    ),
    deviation(
      'pagination.limit-read-as-far-as-digits-go',
      'Reads the digits at the start of limit and ignores the rest.',
      acceptsLimit((limit) => /^\d+/.exec(limit)?.[0] ?? limit),
      { trigger: 'a limit that starts with a digit' },
    ),
  ],
  'pagination.empty-thread': [
    deviation(
      'pagination.empty-thread-not-found',
      'Refuses to list a thread without messages.',
      {
        seam: 'enforce',
        wrap: (next) => (reason, broken, occasion) => {
          const empty =
            reason === 'threads.foreign' &&
            occasion.command.operation === 'listMessages' &&
            occasion.thread?.log.size === 0
          return next(reason, broken, occasion) || empty
        },
      },
      { trigger: 'a thread without messages', alsoViolates: ['http.operation-served'] },
    ),
    deviation(
      'pagination.empty-items-null',
      'Sends null for the messages of a thread without any.',
      page(at('items', (items) => (Array.isArray(items) && items.length === 0 ? null : items))),
      {
        trigger: 'a thread without messages',
        alsoViolates: ['pagination.page-fields'],
      },
    ),
    deviation(
      'pagination.greeting-in-empty-thread',
      'Lists a greeting in a thread without messages.',
      reply('listMessages', (json, { command }) => {
        if (
          !isObject(json) ||
          !Array.isArray(json.items) ||
          json.items.length > 0 ||
          command?.operation !== 'listMessages'
        )
          return json
        const greeting = {
          id: command.threadId,
          thread_id: command.threadId,
          role: 'assistant',
          content: 'How can I help?',
          created_at: '2026-01-01T00:00:00.000000Z',
          meta_data: {},
          sources: [],
        }
        return withFields({ items: [greeting] })(json)
      }),
      {
        trigger: 'a thread without messages',
        alsoViolates: ['threads.no-phantom-messages', 'resources.meta-data-fits-schema'],
      },
    ),
  ],
} as const satisfies Pick<DeviationTable<'pagination'>, `pagination.${Part}`>

function withLimit<Input extends { readonly query: URLSearchParams | null }>(input: Input, limit: string): Input {
  const query = new URLSearchParams(input.query ?? undefined)
  query.set('limit', limit)
  return { ...input, query }
}

function acceptsLimit(repair: (limit: string) => string): Bend {
  return accepts('listMessages', (input) => withLimit(input, repair(input.query?.get('limit') ?? '100')))
}

function walksFromStart(): Bend {
  return {
    seam: 'select',
    wrap: (next) => (thread, limit, before, occasion) => {
      const size = thread.log.size
      if (before === size) return next(thread, limit, before, occasion)
      const firstPage = Math.min(limit, size)
      const seen = size - before - firstPage
      const start = before - firstPage < 0 ? before : size - firstPage - before
      const items = thread.log
        .slice(Math.max(0, start), Math.max(0, start) + limit)
        .reverse()
        .toArray()
      const rest = before - items.length
      return { items, next: seen >= 0 && rest > 0 ? rest : null }
    },
  }
}

function byRole(items: readonly Uint8Array[]): readonly Uint8Array[] {
  const isUser = (item: Uint8Array) => messageOf(item).role === 'user'
  return [...items.filter(isUser), ...items.filter((item) => !isUser(item))]
}

/** Newest first by so many characters of the timestamp; equal ones oldest first. */
function sortedBy(items: readonly Uint8Array[], characters: number): readonly Uint8Array[] {
  const stampOf = (item: Uint8Array) => String(messageOf(item).created_at).slice(0, characters)
  return [...items]
    .reverse()
    .sort((left, right) => (stampOf(left) < stampOf(right) ? 1 : stampOf(left) > stampOf(right) ? -1 : 0))
}

function sortedById(items: readonly Uint8Array[]): readonly Uint8Array[] {
  const keyOf = (item: Uint8Array) => {
    const { created_at: stamp, id } = messageOf(item)
    return `${String(stamp).slice(0, 19)} ${String(id)}`
  }
  return [...items].sort((left, right) => (keyOf(left) < keyOf(right) ? 1 : -1))
}

function questionsAbove(items: readonly Uint8Array[]): readonly Uint8Array[] {
  const sorted = [...items]
  for (let index = 0; index + 1 < sorted.length; index += 1) {
    const [upper, lower] = [sorted[index], sorted[index + 1]]
    if (upper === undefined || lower === undefined) break
    if (messageOf(upper).role !== 'assistant' || messageOf(lower).role !== 'user') continue
    sorted[index] = lower
    sorted[index + 1] = upper
    index += 1
  }
  return sorted
}

/** How many messages fit into so many bytes, at least one and at most `limit`. */
function fitting(thread: Thread, before: number, limit: number, capacityBytes: number): number {
  let used = 0
  let count = 0
  for (let position = before - 1; position >= 0 && count < limit; position -= 1) {
    used += bytesIn(String(messageOf(thread.log.get(position) ?? new Uint8Array()).content))
    if (count > 0 && used > capacityBytes) break
    count += 1
  }
  return Math.max(1, count)
}

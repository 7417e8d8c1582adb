/** Deviations of chapter pagination on the way from page to page. */

import type { HookOverride } from '../../exchange/hooks.ts'
import type { HookContext, PageSelection } from '../../machine/domain-hooks.ts'
import type { Thread } from '../../machine/state.ts'
import { messageOf } from '../../overrides/records.ts'
import { type DeviationTable, deviation } from '../deviation-row.ts'

const continues = (
  edit: (next: number, thread: Thread, page: PageSelection, limit: number) => number | null,
): HookOverride => ({
  hook: 'select',
  wrap: (next) => (thread, limit, before, context) => {
    const page = next(thread, limit, before, context)
    return page.next === null ? page : { ...page, next: edit(page.next, thread, page, limit) }
  },
})

const positive = (position: number): number | null => (position > 0 ? position : null)

const withCursor = ({ command }: HookContext): boolean =>
  command.operation === 'listMessages' && command.cursor !== null

export const pageWalks = {
  'pagination.cursor-continues': [
    deviation(
      'pagination.cursor-repeats-last',
      'Names the last message of a page in the cursor and starts the next page with it.',
      continues((next, _thread, _page, limit) => (limit > 1 ? next + 1 : next)),
      { trigger: 'a limit above 1' },
    ),
    deviation(
      'pagination.cursor-behind-default',
      'Continues after the hundredth message of a longer page.',
      continues((next, _thread, _page, limit) => (limit > 100 ? next + limit - 100 : next)),
      { trigger: 'a limit above the default, and more messages than it holds' },
    ),
    deviation(
      'pagination.cursor-skips-one',
      'Names the first message of the next page in the cursor and starts after it.',
      continues((next) => positive(next - 1)),
    ),
    deviation(
      'pagination.cursor-of-two-digits',
      'Keeps two digits of a position in the cursor.',
      continues((next) => positive(next % 100)),
      { trigger: 'a cursor in front of a hundred messages' },
    ),
    deviation(
      'pagination.cursor-skips-same-millisecond',
      'Continues with messages of an earlier millisecond than the last one.',
      continues((next, thread) => behindSame(next, thread, 23)),
      { trigger: 'two messages within a millisecond, on the border of pages' },
    ),
    deviation(
      'pagination.cursor-skips-same-second',
      'Continues with messages of an earlier second than the last one.',
      continues((next, thread) => behindSame(next, thread, 19)),
      { trigger: 'two messages within a second, on the border of pages' },
    ),
    deviation(
      'pagination.cursor-skips-rest-of-completion',
      'Continues after everything that one completion stored.',
      continues((next, thread) => (thread.origin === 'completion' ? behindSame(next, thread, 19) : next)),
      { trigger: 'a page that ends inside of what a completion stored' },
    ),
    deviation(
      'pagination.cursor-skips-at-limit-1',
      'Skips a message between pages of one.',
      continues((next, _thread, _page, limit) => (limit === 1 ? positive(next - 1) : next)),
      { trigger: 'limit=1' },
    ),
    deviation(
      'pagination.third-page-repeats',
      'Multiplies the page number by the default limit from the third page on.',
      continues((next, thread, page) => {
        const shown = thread.log.size - next
        return shown >= 2 * page.items.length && page.items.length > 1 ? next + 1 : next
      }),
      { trigger: 'the third page' },
    ),
    deviation(
      'pagination.cursor-of-latest-walk',
      'Continues where the latest walk of the tenant stands when that is one through another thread.',
      {
        hook: 'select',
        wrap: (next) => {
          const latest = new Map<string, readonly [thread: string, position: number]>()
          return (thread, limit, before, context) => {
            const [walked, position] = latest.get(thread.tenantId) ?? [thread.id, before]
            const isOther = withCursor(context) && walked !== thread.id
            const page = next(thread, limit, isOther ? Math.min(position, thread.log.size) : before, context)
            if (page.next !== null) latest.set(thread.tenantId, [thread.id, page.next])
            return page
          }
        },
      },
      { trigger: 'two walks of one tenant, each through a thread of its own' },
    ),
    deviation(
      'pagination.walk-ends-at-100',
      'Hands out no cursor after the hundredth message.',
      continues((next, thread) => (thread.log.size - next >= 100 ? null : next)),
      { trigger: 'more than 100 messages' },
    ),
  ],
  'pagination.any-limit-same-list': [
    deviation(
      'pagination.small-pages-hide-system',
      'Leaves system messages out of pages of a limit below ten.',
      selectsBy((page, limit) =>
        limit < 10 ? { ...page, items: page.items.filter((item) => messageOf(item).role !== 'system') } : page,
      ),
      { trigger: 'a system message and a limit below ten' },
    ),
    deviation(
      'pagination.limit-2-swaps',
      'Sorts pages of two by another index.',
      selectsBy((page, limit) => (limit === 2 ? { ...page, items: [...page.items].reverse() } : page)),
      { trigger: 'limit=2' },
    ),
    deviation(
      'pagination.odd-limits-hide-oldest',
      'Loses the oldest message when the last page is not full.',
      selectsBy((page, limit) =>
        page.next === null && limit > 1 && page.items.length > 1 && page.items.length < limit && limit < 100
          ? { ...page, items: page.items.slice(0, -1) }
          : page,
      ),
      { trigger: 'a last page that is not full, of a limit below 100' },
    ),
  ],
  'pagination.walk-ends': [
    deviation(
      'pagination.walk-starts-over',
      'Hands out a cursor to the first page at the end of the list.',
      endsWith((thread) => thread.log.size),
    ),
    deviation(
      'pagination.walk-repeats-last-page',
      'Hands out the cursor of the last page again on the last page.',
      {
        hook: 'select',
        wrap: (next) => (thread, limit, before, context) => {
          const page = next(thread, limit, before, context)
          return page.next === null && withCursor(context) ? { ...page, next: before } : page
        },
      },
      { trigger: 'a walk of several pages' },
    ),
  ],
} as const satisfies Partial<DeviationTable<'pagination'>>

function selectsBy(edit: (page: PageSelection, limit: number) => PageSelection): HookOverride {
  return {
    hook: 'select',
    wrap: (next) => (thread, limit, before, context) => edit(next(thread, limit, before, context), limit),
  }
}

function endsWith(position: (thread: Thread) => number): HookOverride {
  return {
    hook: 'select',
    wrap: (next) => (thread, limit, before, context) => {
      const page = next(thread, limit, before, context)
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

/** Deviations of chapter pagination in reading again: cursors that slip or wear out, lists that change something. */

import type { HookOverride } from '../../exchange/hooks.ts'
import type { HookContext } from '../../machine/domain-hooks.ts'
import { editAt, isObject, withFields } from '../../overrides/json-edit.ts'
import { overrideReplyWithMemory } from '../../overrides/replies.ts'
import { siblingOf } from '../../overrides/text-corruption.ts'
import type { Json } from '../../scenario/scenario.ts'
import { type DeviationTable, deviation } from '../deviation-row.ts'

const withCursor = ({ command }: HookContext): boolean =>
  command.operation === 'listMessages' && command.cursor !== null

export const pageReads = {
  'pagination.stable-while-inserting': [
    deviation('pagination.cursor-is-offset', 'Counts from the newest message in the cursor.', byOffset(), {
      trigger: 'a message that is added during a walk',
    }),
    deviation(
      'pagination.walk-hides-what-is-added',
      'Moves on by as many messages as were added during a walk.',
      byOffset((offset, added) => offset + 2 * added),
      { trigger: 'a message that is added during a walk' },
    ),
    deviation(
      'pagination.walk-starts-over-when-added',
      'Starts the list over when a message was added since the cursor.',
      byOffset((offset, added) => (added > 0 ? 0 : offset)),
      { trigger: 'a message that is added during a walk' },
    ),
  ],
  'pagination.cursor-repeatable': [
    deviation(
      'pagination.cursor-used-up',
      'Forgets a cursor when it was used.',
      {
        hook: 'openCursor',
        wrap: (next) => {
          const used = new Set<string>()
          return (secret, threadId, cursor, context) => {
            if (used.has(cursor)) return null
            used.add(cursor)
            return next(secret, threadId, cursor, context)
          }
        },
      },
      { trigger: 'the same cursor twice' },
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
      overrideReplyWithMemory(
        'listMessages',
        () => new Set<string>(),
        (json, { command }, used) => {
          if (command?.operation !== 'listMessages' || command.cursor === null) return json
          if (used.has(command.cursor)) return withFields({ items: [], cursor: null })(json)
          used.add(command.cursor)
          return json
        },
      ),
      { trigger: 'the same cursor twice' },
    ),
  ],
  'pagination.reads-are-pure': [
    deviation(
      'pagination.delivered-once',
      'Takes a second list of a thread for a poll, and shows only what is new.',
      overrideReplyWithMemory(
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
      { trigger: 'the same list twice' },
    ),
    deviation(
      'pagination.third-list-reversed',
      'Lists every third time from a worker that sorts the other way.',
      overrideReplyWithMemory(
        'listMessages',
        () => ({ lists: 0 }),
        (json, _exchange, memory) => {
          memory.lists += 1
          return memory.lists % 3 === 0
            ? editAt('items', (items) => (Array.isArray(items) ? [...items].reverse() : items))(json)
            : json
        },
      ),
      { trigger: 'every third list' },
    ),
    deviation(
      'pagination.reading-adds-a-mark',
      'Writes a receipt into the thread when it is listed for the second time.',
      overrideReplyWithMemory(
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
          const id = siblingOf(String((newest as { readonly id?: Json }).id))
          const receipt = { ...(newest as object), id, role: 'system', content: 'Read.' }
          return count < 2 || command.cursor !== null
            ? json
            : withFields({ items: [receipt, ...json.items].slice(0, Math.max(1, json.items.length)) as Json[] })(json)
        },
      ),
      { trigger: 'the second list of a thread' },
    ),
  ],
} as const satisfies Partial<DeviationTable<'pagination'>>

/** Cursors that count from the newest message, so that they slip when one is added. */
function byOffset(slipped: (offset: number, added: number) => number = (offset) => offset): HookOverride {
  return {
    hook: 'select',
    wrap: (next) => {
      const sizes = new Map<string, number>()
      return (thread, limit, before, context) => {
        const size = thread.log.size
        if (!withCursor(context)) {
          sizes.set(thread.id, size)
          return next(thread, limit, before, context)
        }
        const known = sizes.get(thread.id) ?? size
        const offset = slipped(known - before, size - known)
        sizes.set(thread.id, size)
        return next(thread, limit, Math.max(0, size - offset), context)
      }
    },
  }
}

function movesOn(): HookOverride {
  return {
    hook: 'select',
    wrap: (next) => {
      const positions = new Map<string, number>()
      return (thread, limit, before, context) => {
        const { command } = context
        const cursor = command.operation === 'listMessages' ? command.cursor : null
        if (cursor === null) return next(thread, limit, before, context)
        const page = next(thread, limit, positions.get(cursor) ?? before, context)
        positions.set(cursor, page.next ?? 0)
        return page
      }
    },
  }
}

/** Deviations of chapter pagination in the shape of a page, also of an empty one. */

import type { HookOverride } from '../../exchange/hooks.ts'
import { editAt, isObject, renameField, withFields } from '../../overrides/json-edit.ts'
import { overrideReply } from '../../overrides/replies.ts'
import type { Json } from '../../scenario/scenario.ts'
import { type DeviationTable, deviation } from '../deviation-row.ts'

const page = (edit: (json: Json) => Json): HookOverride => overrideReply('listMessages', edit)

export const pageShapes = {
  'pagination.page-fields': [
    deviation('pagination.items-as-data', 'Names the messages of a page data.', page(renameField('items', 'data'))),
    deviation(
      'pagination.next-cursor',
      'Names the cursor of a page next_cursor.',
      page(renameField('cursor', 'next_cursor')),
    ),
    deviation(
      'pagination.cursor-object',
      'Sends the cursor as an object wherever the list goes on.',
      page(editAt('cursor', (cursor) => (typeof cursor === 'string' ? { next: cursor } : cursor))),
      { trigger: 'a page after which older messages remain' },
    ),
    deviation(
      'pagination.bare-array',
      'Lists messages as a bare array when they fit on one page.',
      page((json) => (isObject(json) && json.cursor === null ? (json.items ?? []) : json)),
    ),
    deviation(
      'pagination.items-by-id',
      'Sends the messages of a page as an object by id.',
      page(
        editAt('items', (items) =>
          Array.isArray(items)
            ? Object.fromEntries(
                items.map((item: Json, index) => [isObject(item) ? String(item.id) : String(index), item]),
              )
            : items,
        ),
      ),
    ),
  ],
  'pagination.empty-thread': [
    deviation(
      'pagination.empty-thread-not-found',
      'Refuses to list a thread without messages.',
      {
        hook: 'checkRule',
        wrap: (next) => (reason, broken, context) => {
          const empty =
            reason === 'foreign-thread' &&
            context.command.operation === 'listMessages' &&
            context.thread?.log.size === 0
          return next(reason, broken, context) || empty
        },
      },
      { trigger: 'a thread without messages' },
    ),
    deviation(
      'pagination.empty-items-null',
      'Sends null for the messages of a thread without any.',
      page(editAt('items', (items) => (Array.isArray(items) && items.length === 0 ? null : items))),
      { trigger: 'a thread without messages' },
    ),
    deviation(
      'pagination.greeting-in-empty-thread',
      'Lists a greeting in a thread without messages.',
      overrideReply('listMessages', (json, { command }) => {
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
      { trigger: 'a thread without messages' },
    ),
  ],
} as const satisfies Partial<DeviationTable<'pagination'>>

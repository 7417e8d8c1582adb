/** Deviations of chapter pagination in the order of messages. */

import { tickOf, timestampOf } from '../../clock/timestamp.ts'
import type { HookOverride } from '../../exchange/hooks.ts'
import { bytesOf, messageOf, overridePages, overrideTimestamps } from '../../overrides/records.ts'
import { type DeviationTable, deviation } from '../deviation-row.ts'

export const pageOrder = {
  'pagination.newest-first': [
    deviation('pagination.oldest-first', 'Lists the oldest message first.', {
      hook: 'select',
      wrap: () => (thread, limit, before) => {
        const start = thread.log.size - before
        const end = Math.min(start + limit, thread.log.size)
        return {
          items: [...thread.log].slice(start, end),
          next: end < thread.log.size ? thread.log.size - end : null,
        }
      },
    }),
    deviation(
      'pagination.page-reversed',
      'Takes the newest messages for a page and lists them in ascending order.',
      overridePages((found) => ({ ...found, items: [...found.items].reverse() })),
    ),
    deviation(
      'pagination.long-page-reversed',
      'Sorts pages of more than 50 messages the other way.',
      overridePages((found) => (found.items.length > 50 ? { ...found, items: [...found.items].reverse() } : found)),
      { trigger: 'a page of more than 50 messages' },
    ),
    deviation(
      'pagination.second-page-reversed',
      'Lists all pages but the first in ascending order.',
      overridePages((found, thread, _limit, before) =>
        before < thread.log.size ? { ...found, items: [...found.items].reverse() } : found,
      ),
      { trigger: 'the second page' },
    ),
    deviation(
      'pagination.answers-below-questions',
      'Groups a page by role: users first.',
      overridePages((found) => ({ ...found, items: byRole(found.items) })),
      { trigger: 'messages of several roles' },
    ),
    deviation(
      'pagination.pages-from-the-start',
      'Continues with the oldest messages after the first page.',
      walksFromStart(),
      { trigger: 'the third page' },
    ),
    deviation(
      'pagination.streamed-answer-where-stored',
      'Stamps a streamed answer as its stream begins, and lists it behind what came before its end.',
      overrideTimestamps((timestamp, { command }) =>
        command.operation === 'finishRun' && command.run.operation === 'streamThreadRun'
          ? timestampOf(command.run.startTickUs)
          : timestamp,
      ),
      { trigger: 'a message to the thread during a streamed run' },
    ),
  ],
  'pagination.order-of-creation': [
    deviation(
      'pagination.same-second-ascending',
      'Sorts by whole seconds and leaves what is equal in the order of insertion.',
      overridePages((found) => ({ ...found, items: sortedBy(found.items, 19) })),
      { trigger: 'two messages within a second' },
    ),
    deviation(
      'pagination.same-millisecond-ascending',
      'Sorts by milliseconds and leaves what is equal in the order of insertion.',
      overridePages((found) => ({ ...found, items: sortedBy(found.items, 23) })),
      { trigger: 'two messages within a millisecond' },
    ),
    deviation(
      'pagination.sorted-by-id',
      'Breaks equal seconds by the random id.',
      overridePages((found) => ({ ...found, items: sortedById(found.items) })),
      { trigger: 'messages within a second' },
    ),
    deviation(
      'pagination.question-above-answer',
      'Lists the question above the answer that followed it within the same second.',
      overridePages((found) => ({ ...found, items: questionsAbove(found.items) })),
      { trigger: 'a question and its answer on one page' },
    ),
    deviation(
      'pagination.completion-question-stamped-last',
      'Stamps the question of a completion after its answer, and lists it above.',
      overridePages((found, { origin }) =>
        origin === 'completion' ? { ...found, items: questionsStampedLast(found.items) } : found,
      ),
      { trigger: 'a thread that a completion made' },
    ),
  ],
} as const satisfies Partial<DeviationTable<'pagination'>>

function walksFromStart(): HookOverride {
  return {
    hook: 'select',
    wrap: (next) => (thread, limit, before, context) => {
      const size = thread.log.size
      if (before === size) return next(thread, limit, before, context)
      const firstPage = Math.min(limit, size)
      const seen = size - before - firstPage
      const start = before - firstPage < 0 ? before : size - firstPage - before
      const items = [...thread.log].slice(Math.max(0, start), Math.max(0, start) + limit).reverse()
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
    const { created_at: timestamp, id } = messageOf(item)
    return `${String(timestamp).slice(0, 19)} ${String(id)}`
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

/** Every question above its answer, a microsecond younger. */
function questionsStampedLast(items: readonly Uint8Array[]): readonly Uint8Array[] {
  const pairs = questionsAbove(items)
  return pairs.map((item, at) => {
    const below = pairs[at + 1]
    const isMoved = below !== undefined && item !== items[at] && messageOf(item).role === 'user'
    if (!isMoved) return item
    const answeredAtUs = tickOf(String(messageOf(below).created_at)) ?? 0
    return bytesOf({ ...messageOf(item), created_at: timestampOf(answeredAtUs + 1) })
  })
}

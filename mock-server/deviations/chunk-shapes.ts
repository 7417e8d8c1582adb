/** Deviations of chapter resources in the frame of chunks and deltas. */

import type { OperationId } from '../../spec/index.ts'
import type { Json, JsonObject } from '../scenario/scenario.ts'
import { chunk, delta, every, first, last, later, textStreams } from './bend-stream.ts'
import { type DeviationTable, deviation } from './deviation-row.ts'
import { at, dropped, isObject, renamed, replaced } from './json-edit.ts'

const events: OperationId = 'streamChatCompletionEvents'

const noSources = ({ sources }: JsonObject): boolean => Array.isArray(sources) && sources.length === 0

export const chunkShapes = {
  'resources.chunk-fields': [
    deviation(
      'resources.chunk-created',
      'Names the created_at of a chunk created.',
      chunk('streamChatCompletion', every, renamed('created_at', 'created')),
    ),
    deviation(
      'resources.chunk-message-id-dropped',
      'Leaves message_id out of the first chunk, before the message is stored.',
      chunk('streamThreadRun', first, at('message_id', dropped)),
      {
        trigger: 'the first chunk',
      },
    ),
    deviation(
      'resources.chunk-id',
      'Names the message_id of a chunk id.',
      chunk('streamChatCompletion', every, renamed('message_id', 'id')),
    ),
    deviation(
      'resources.chunk-thread-id-null',
      'Sends a thread_id of null with all chunks but the first.',
      chunk(['streamChatCompletion', events], later, at('thread_id', replaced(null))),
      {
        trigger: 'all chunks but the first',
        alsoViolates: ['completions.carries-thread-id', 'streams.one-thread', 'resources.id-is-uuid'],
      },
    ),
    deviation(
      'resources.run-chunk-thread-id-dropped',
      'Leaves thread_id out of the chunks of a run.',
      chunk('streamThreadRun', every, at('thread_id', dropped)),
      {
        alsoViolates: ['streams.answer-belongs-to-thread'],
      },
    ),
    deviation(
      'resources.run-chunk-created-at-number',
      'Sends the created_at of the chunks of a run as milliseconds.',
      chunk(
        'streamThreadRun',
        every,
        at('created_at', (stamp) => Date.parse(String(stamp))),
      ),
      {
        alsoViolates: ['resources.timestamp-format'],
      },
    ),
    deviation(
      'resources.events-chunk-without-delta',
      'Closes the events stream with a chunk without delta.',
      chunk(events, last, at('delta', dropped)),
      {
        trigger: 'the last chunk',
        alsoViolates: ['streams.blocks-delta', 'streams.delta-role', 'resources.delta-fields'],
      },
    ),
    deviation(
      'resources.chunk-delta-null',
      'Closes a text stream with a delta of null.',
      chunk(textStreams, last, at('delta', replaced(null))),
      {
        trigger: 'the last chunk',
        alsoViolates: [
          'streams.text-delta',
          'streams.delta-role',
          'streams.joined-equals-stored',
          'resources.delta-fields',
        ],
      },
    ),
    deviation(
      'resources.events-chunk-camel',
      'Sends messageId and createdAt in the chunks of events.',
      chunk(events, every, (json) => renamed('created_at', 'createdAt')(renamed('message_id', 'messageId')(json))),
    ),
  ],
  'resources.delta-fields': [
    deviation(
      'resources.delta-role-once',
      'Sends the role with the first delta only.',
      chunk(textStreams, later, at('delta.role', dropped)),
      {
        trigger: 'all chunks but the first',
        alsoViolates: ['streams.delta-role'],
      },
    ),
    deviation(
      'resources.events-delta-role-null',
      'Sends a role of null with the last delta of events.',
      chunk(events, last, at('delta.role', replaced(null))),
      {
        trigger: 'the last chunk',
        alsoViolates: ['streams.delta-role'],
      },
    ),
    deviation(
      'resources.delta-sources-dropped-when-empty',
      'Leaves out sources that are empty.',
      delta('streamChatCompletion', withoutEmptySources),
    ),
    deviation(
      'resources.delta-sources-null-when-empty',
      'Sends null for sources that are empty.',
      delta(
        'streamThreadRun',
        at('sources', (value) => (Array.isArray(value) && value.length === 0 ? null : value)),
      ),
    ),
    deviation(
      'resources.events-delta-single-source',
      'Sends a single source without its list.',
      delta(
        events,
        at('sources', (value) => (Array.isArray(value) && value.length === 1 ? (value[0] ?? null) : value)),
      ),
      {
        trigger: 'an answer with one source',
      },
    ),
  ],
} as const satisfies Partial<DeviationTable<'resources'>>

function withoutEmptySources(json: Json): Json {
  return isObject(json) && noSources(json) ? at('sources', dropped)(json) : json
}

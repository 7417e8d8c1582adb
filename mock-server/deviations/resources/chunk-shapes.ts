/** Deviations of chapter resources in the frame of chunks and deltas. */

import type { OperationId } from '../../../spec/index.ts'
import { dropField, editAt, isObject, renameField, replaceWith } from '../../overrides/json-edit.ts'
import {
  everyChunk,
  firstChunk,
  lastChunk,
  laterChunks,
  overrideChunk,
  overrideDelta,
  textStreams,
} from '../../overrides/streams.ts'
import type { Json, JsonObject } from '../../scenario/scenario.ts'
import { type DeviationTable, deviation } from '../deviation-row.ts'

const events: OperationId = 'streamChatCompletionEvents'

const noSources = ({ sources }: JsonObject): boolean => Array.isArray(sources) && sources.length === 0

export const chunkShapes = {
  'resources.chunk-fields': [
    deviation(
      'resources.chunk-created',
      'Names the created_at of a chunk created.',
      overrideChunk('streamChatCompletion', everyChunk, renameField('created_at', 'created')),
    ),
    deviation(
      'resources.chunk-message-id-dropped',
      'Leaves message_id out of the first chunk, before the message is stored.',
      overrideChunk('streamThreadRun', firstChunk, editAt('message_id', dropField)),
      { trigger: 'the first chunk' },
    ),
    deviation(
      'resources.chunk-id',
      'Names the message_id of a chunk id.',
      overrideChunk('streamChatCompletion', everyChunk, renameField('message_id', 'id')),
    ),
    deviation(
      'resources.chunk-thread-id-null',
      'Sends a thread_id of null with all chunks but the first.',
      overrideChunk(['streamChatCompletion', events], laterChunks, editAt('thread_id', replaceWith(null))),
      { trigger: 'all chunks but the first' },
    ),
    deviation(
      'resources.run-chunk-thread-id-dropped',
      'Leaves thread_id out of the chunks of a run.',
      overrideChunk('streamThreadRun', everyChunk, editAt('thread_id', dropField)),
    ),
    deviation(
      'resources.run-chunk-created-at-number',
      'Sends the created_at of the chunks of a run as milliseconds.',
      overrideChunk(
        'streamThreadRun',
        everyChunk,
        editAt('created_at', (timestamp) => Date.parse(String(timestamp))),
      ),
    ),
    deviation(
      'resources.events-chunk-without-delta',
      'Closes the events stream with a chunk without delta.',
      overrideChunk(events, lastChunk, editAt('delta', dropField)),
      { trigger: 'the last chunk' },
    ),
    deviation(
      'resources.chunk-delta-null',
      'Closes a text stream with a delta of null.',
      overrideChunk(textStreams, lastChunk, editAt('delta', replaceWith(null))),
      { trigger: 'the last chunk' },
    ),
    deviation(
      'resources.events-chunk-camel',
      'Sends messageId and createdAt in the chunks of events.',
      overrideChunk(events, everyChunk, (json) =>
        renameField('created_at', 'createdAt')(renameField('message_id', 'messageId')(json)),
      ),
    ),
  ],
  'resources.delta-fields': [
    deviation(
      'resources.delta-role-once',
      'Sends the role with the first delta only.',
      overrideChunk(textStreams, laterChunks, editAt('delta.role', dropField)),
      { trigger: 'all chunks but the first' },
    ),
    deviation(
      'resources.events-delta-role-null',
      'Sends a role of null with the last delta of events.',
      overrideChunk(events, lastChunk, editAt('delta.role', replaceWith(null))),
      { trigger: 'the last chunk' },
    ),
    deviation(
      'resources.delta-sources-dropped-when-empty',
      'Leaves out sources that are empty.',
      overrideDelta('streamChatCompletion', withoutEmptySources),
    ),
    deviation(
      'resources.delta-sources-null-when-empty',
      'Sends null for sources that are empty.',
      overrideDelta(
        'streamThreadRun',
        editAt('sources', (value) => (Array.isArray(value) && value.length === 0 ? null : value)),
      ),
    ),
    deviation(
      'resources.events-delta-single-source',
      'Sends a single source without its list.',
      overrideDelta(
        events,
        editAt('sources', (value) => (Array.isArray(value) && value.length === 1 ? (value[0] ?? null) : value)),
      ),
      { trigger: 'an answer with one source' },
    ),
  ],
} as const satisfies Partial<DeviationTable<'resources'>>

function withoutEmptySources(json: Json): Json {
  return isObject(json) && noSources(json) ? editAt('sources', dropField)(json) : json
}

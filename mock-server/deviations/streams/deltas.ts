/** Deviations of chapter streams in the shape of a delta: text, blocks, role. */

import {
  dropField,
  type Edit,
  editAt,
  editTextAt,
  isObject,
  renameField,
  replaceWith,
  withFields,
} from '../../overrides/json-edit.ts'
import {
  everyChunk,
  firstChunk,
  lastChunk,
  laterChunks,
  overrideChunk,
  overrideDelta,
  streamedOperations,
  textStreams,
} from '../../overrides/streams.ts'
import type { Json } from '../../scenario/scenario.ts'
import { type DeviationTable, deviation } from '../deviation-row.ts'

const reasoningOnly =
  (edit: Edit): Edit =>
  (block) =>
    isObject(block) && block.type === 'reasoning' ? edit(block) : block

const blocks = (edit: Edit): Edit => editAt('content_blocks.*', edit)

export const streamDeltas = {
  'streams.text-delta': [
    deviation(
      'streams.text-as-blocks',
      'Sends content blocks on a text endpoint.',
      overrideDelta('streamThreadRun', (json) =>
        isObject(json)
          ? editAt('content', dropField)({ content_blocks: [{ type: 'text', text: json.content ?? '' }], ...json })
          : json,
      ),
    ),
    deviation(
      'streams.text-in-field-text',
      'Names the fragment text.',
      overrideDelta('streamChatCompletion', renameField('content', 'text')),
    ),
    deviation(
      'streams.null-content-at-the-end',
      'Closes the stream with a delta whose content is null.',
      overrideChunk(textStreams, lastChunk, editAt('delta.content', replaceWith(null))),
      { trigger: 'the last chunk' },
    ),
    deviation(
      'streams.null-content-with-calls',
      'Sends null for the content of a delta that asks for tools.',
      overrideDelta('streamThreadRun', (json) =>
        isObject(json) && 'tool_calls' in json ? editAt('content', replaceWith(null))(json) : json,
      ),
      { trigger: 'a streamed run whose answer asks for tools' },
    ),
    deviation(
      'streams.role-only-first-delta',
      'Opens the stream with a delta that has a role and no content.',
      overrideChunk(textStreams, firstChunk, editAt('delta.content', dropField)),
      { trigger: 'the first chunk' },
    ),
    deviation(
      'streams.content-as-list',
      'Sends the fragment as a list of one text.',
      overrideDelta(
        'streamChatCompletion',
        editTextAt('content', (text) => [text]),
      ),
    ),
    deviation(
      'streams.both-content-fields',
      'Sends an empty content_blocks beside content.',
      overrideDelta('streamThreadRun', withFields({ content_blocks: [] })),
    ),
  ],
  'streams.blocks-delta': [
    deviation(
      'streams.events-as-text',
      'Sends the text variant on the events endpoint.',
      overrideDelta('streamChatCompletionEvents', (json) => {
        if (!isObject(json)) return json
        return editAt('content_blocks', dropField)({ content: textOf(json.content_blocks), ...json })
      }),
    ),
    deviation(
      'streams.single-block-without-list',
      'Sends a block by itself where a list is due.',
      overrideDelta(
        'streamChatCompletionEvents',
        editAt('content_blocks', (value) => (Array.isArray(value) ? (value[0] ?? null) : value)),
      ),
    ),
    deviation(
      'streams.blocks-as-texts',
      'Sends the texts of blocks instead of block objects.',
      overrideDelta(
        'streamChatCompletionEvents',
        editAt('content_blocks', (value) => [textOf(value)]),
      ),
    ),
    deviation(
      'streams.blocks-and-content',
      'Sends content beside content_blocks.',
      overrideDelta('streamChatCompletionEvents', (json) =>
        isObject(json) ? { ...json, content: textOf(json.content_blocks) } : json,
      ),
    ),
    deviation(
      'streams.null-blocks-at-the-end',
      'Closes the events stream with content_blocks of null.',
      overrideChunk('streamChatCompletionEvents', lastChunk, editAt('delta.content_blocks', replaceWith(null))),
      { trigger: 'the last chunk' },
    ),
  ],
  'streams.block-has-type': [
    deviation(
      'streams.block-kind',
      'Names the type of a block kind.',
      overrideDelta('streamChatCompletionEvents', blocks(renameField('type', 'kind'))),
    ),
    deviation(
      'streams.block-type-number',
      'Sends the type of a block as the number of an enumeration.',
      overrideDelta('streamChatCompletionEvents', blocks(editAt('type', (type) => (type === 'reasoning' ? 1 : 0)))),
    ),
    deviation(
      'streams.block-type-only-once',
      'Sends the type with the first block of a stream only.',
      overrideChunk('streamChatCompletionEvents', laterChunks, editAt('delta.content_blocks.*.type', dropField)),
      { trigger: 'all chunks but the first' },
    ),
  ],
  'streams.reasoning-block': [
    deviation(
      'streams.reasoning-in-field-text',
      'Puts the reasoning into the field text.',
      overrideDelta('streamChatCompletionEvents', blocks(reasoningOnly(renameField('reasoning', 'text')))),
    ),
    deviation(
      'streams.reasoning-as-summary',
      'Sends the reasoning as a list of summaries.',
      overrideDelta(
        'streamChatCompletionEvents',
        blocks(reasoningOnly(editTextAt('reasoning', (text) => [{ summary: text }]))),
      ),
    ),
    deviation(
      'streams.reasoning-null-at-first',
      'Opens the reasoning with a block whose text is null.',
      overrideChunk(
        'streamChatCompletionEvents',
        firstChunk,
        editAt('delta.content_blocks.*', reasoningOnly(editAt('reasoning', replaceWith(null)))),
      ),
      { trigger: 'the first chunk' },
    ),
  ],
  'streams.delta-role': [
    deviation(
      'streams.delta-role-ai',
      'Sends the role as ai.',
      overrideDelta(textStreams, editAt('role', replaceWith('ai'))),
    ),
    deviation(
      'streams.delta-role-capitalised',
      'Sends the name of the enumeration instead of its value.',
      overrideDelta('streamChatCompletionEvents', editAt('role', replaceWith('ASSISTANT'))),
    ),
    deviation(
      'streams.delta-role-empty-later',
      'Sends an empty role with all chunks but the first.',
      overrideChunk(streamedOperations, laterChunks, editAt('delta.role', replaceWith(''))),
      { trigger: 'all chunks but the first' },
    ),
    deviation(
      'streams.delta-role-tool-at-the-end',
      'Gives the chunk with the sources the role tool.',
      overrideChunk(textStreams, (place) => place.last, editAt('delta.role', replaceWith('tool'))),
      { trigger: 'the last chunk' },
    ),
    deviation(
      'streams.delta-role-of-the-asker',
      'Copies the role of the message that is answered.',
      overrideChunk('streamThreadRun', everyChunk, editAt('delta.role', replaceWith('user'))),
    ),
  ],
} as const satisfies Partial<DeviationTable<'streams'>>

function textOf(value: Json | undefined): string {
  if (!Array.isArray(value)) return ''
  return value.map((block: Json) => (isObject(block) ? String(block.text ?? block.reasoning ?? '') : '')).join('')
}

/** Deviations of chapter streams that sit in the shape of a delta: text, blocks, role. */
import type { Json } from '../scenario/scenario.ts'
import { chunk, delta, every, first, last, later, streamed, textStreams } from './bend-stream.ts'
import { type DeviationTable, deviation } from './deviation-row.ts'
import { at, atText, dropped, type Edit, isObject, renamed, replaced, withFields } from './json-edit.ts'

type Part = 'text-delta' | 'blocks-delta' | 'block-has-type' | 'reasoning-block' | 'delta-role'

const reasoningOnly =
  (edit: Edit): Edit =>
  (block) =>
    isObject(block) && block.type === 'reasoning' ? edit(block) : block

const blocks = (edit: Edit): Edit => at('content_blocks.*', edit)

export const streamDeltas = {
  'streams.text-delta': [
    deviation(
      'streams.text-as-blocks',
      'Sends content blocks on a text endpoint.',
      delta('streamThreadRun', (json) =>
        isObject(json)
          ? at('content', dropped)({ content_blocks: [{ type: 'text', text: json.content ?? '' }], ...json })
          : json,
      ),
      { alsoViolates: ['streams.joined-equals-stored'] },
    ),
    deviation(
      'streams.text-in-field-text',
      'Names the fragment text.',
      delta('streamChatCompletion', renamed('content', 'text')),
      {
        alsoViolates: ['streams.joined-equals-stored'],
      },
    ),
    deviation(
      'streams.null-content-at-the-end',
      'Closes the stream with a delta whose content is null.',
      chunk(textStreams, last, at('delta.content', replaced(null))),
      { trigger: 'the last chunk', alsoViolates: ['streams.joined-equals-stored'] },
    ),
    deviation(
      'streams.role-only-first-delta',
      'Opens the stream with a delta that has a role and no content.',
      chunk(textStreams, first, at('delta.content', dropped)),
      { trigger: 'the first chunk', alsoViolates: ['streams.joined-equals-stored'] },
    ),
    deviation(
      'streams.content-as-list',
      'Sends the fragment as a list of one text.',
      delta(
        'streamChatCompletion',
        atText('content', (text) => [text]),
      ),
      { alsoViolates: ['streams.joined-equals-stored'] },
    ),
    deviation(
      'streams.both-content-fields',
      'Sends an empty content_blocks beside content.',
      delta('streamThreadRun', withFields({ content_blocks: [] })),
    ),
  ],
  'streams.blocks-delta': [
    deviation(
      'streams.events-as-text',
      'Sends the text variant on the events endpoint.',
      delta('streamChatCompletionEvents', (json) => {
        if (!isObject(json)) return json
        return at('content_blocks', dropped)({ content: textOf(json.content_blocks), ...json })
      }),
    ),
    deviation(
      'streams.single-block-without-list',
      'Sends a block by itself where a list is due.',
      delta(
        'streamChatCompletionEvents',
        at('content_blocks', (value) => (Array.isArray(value) ? (value[0] ?? null) : value)),
      ),
    ),
    deviation(
      'streams.blocks-as-texts',
      'Sends the texts of blocks instead of block objects.',
      delta(
        'streamChatCompletionEvents',
        at('content_blocks', (value) => [textOf(value)]),
      ),
    ),
    deviation(
      'streams.blocks-and-content',
      'Sends content beside content_blocks.',
      delta('streamChatCompletionEvents', (json) =>
        isObject(json) ? { ...json, content: textOf(json.content_blocks) } : json,
      ),
    ),
    deviation(
      'streams.null-blocks-at-the-end',
      'Closes the events stream with content_blocks of null.',
      chunk('streamChatCompletionEvents', last, at('delta.content_blocks', replaced(null))),
      { trigger: 'the last chunk' },
    ),
  ],
  'streams.block-has-type': [
    deviation(
      'streams.block-kind',
      'Names the type of a block kind.',
      delta('streamChatCompletionEvents', blocks(renamed('type', 'kind'))),
    ),
    deviation(
      'streams.block-type-number',
      'Sends the type of a block as the number of an enumeration.',
      delta('streamChatCompletionEvents', blocks(at('type', (type) => (type === 'reasoning' ? 1 : 0)))),
    ),
    deviation(
      'streams.block-type-only-once',
      'Sends the type with the first block of a stream only.',
      chunk('streamChatCompletionEvents', later, at('delta.content_blocks.*.type', dropped)),
      { trigger: 'all chunks but the first' },
    ),
  ],
  'streams.reasoning-block': [
    deviation(
      'streams.reasoning-in-field-text',
      'Puts the reasoning into the field text.',
      delta('streamChatCompletionEvents', blocks(reasoningOnly(renamed('reasoning', 'text')))),
    ),
    deviation(
      'streams.reasoning-as-summary',
      'Sends the reasoning as a list of summaries.',
      delta('streamChatCompletionEvents', blocks(reasoningOnly(atText('reasoning', (text) => [{ summary: text }])))),
    ),
    deviation(
      'streams.reasoning-null-at-first',
      'Opens the reasoning with a block whose text is null.',
      chunk(
        'streamChatCompletionEvents',
        first,
        at('delta.content_blocks.*', reasoningOnly(at('reasoning', replaced(null)))),
      ),
      { trigger: 'the first chunk' },
    ),
  ],
  'streams.delta-role': [
    deviation('streams.delta-role-ai', 'Sends the role as ai.', delta(textStreams, at('role', replaced('ai')))),
    deviation(
      'streams.delta-role-capitalised',
      'Sends the name of the enumeration instead of its value.',
      delta('streamChatCompletionEvents', at('role', replaced('ASSISTANT'))),
    ),
    deviation(
      'streams.delta-role-empty-later',
      'Sends an empty role with all chunks but the first.',
      chunk(streamed, later, at('delta.role', replaced(''))),
      { trigger: 'all chunks but the first' },
    ),
    deviation(
      'streams.delta-role-tool-at-the-end',
      'Gives the chunk with the sources the role tool.',
      chunk(textStreams, (place) => place.last, at('delta.role', replaced('tool'))),
      { trigger: 'the last chunk' },
    ),
    deviation(
      'streams.delta-role-of-the-asker',
      'Copies the role of the message that is answered.',
      chunk('streamThreadRun', every, at('delta.role', replaced('user'))),
    ),
  ],
} as const satisfies Pick<DeviationTable<'streams'>, `streams.${Part}`>

function textOf(value: Json | undefined): string {
  if (!Array.isArray(value)) return ''
  return value.map((block: Json) => (isObject(block) ? String(block.text ?? block.reasoning ?? '') : '')).join('')
}

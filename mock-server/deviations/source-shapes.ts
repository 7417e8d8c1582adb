/** Deviations of chapter resources in single sources, in every place where they appear. */

import type { OperationId } from '../../spec/index.ts'
import type { Json } from '../scenario/scenario.ts'
import { shown } from './bend-reply.ts'
import { delta, textStreams } from './bend-stream.ts'
import { type DeviationTable, deviation } from './deviation-row.ts'
import { at, dropped, isObject, renamed, replaced } from './json-edit.ts'

const completion: OperationId = 'createChatCompletion'

const events: OperationId = 'streamChatCompletionEvents'

const unread = { alsoViolates: ['threads.run-appends-answer'] } as const

const changedInList = { alsoViolates: ['threads.run-appends-answer', 'completions.thread-holds-conversation'] } as const

export const sourceShapes = {
  'resources.source-fields': [
    deviation(
      'resources.completion-source-text',
      'Names the excerpt of a source text.',
      shown(completion, renamed('sources.*.content', 'text')),
    ),
    deviation(
      'resources.completion-source-title',
      'Names the title of a source title.',
      shown(completion, renamed('sources.*.meta_data.document_title', 'title')),
    ),
    deviation(
      'resources.completion-source-section-number',
      'Sends the section of a source as a number.',
      shown(
        completion,
        at('sources.*.meta_data.section', () => 1.1),
      ),
    ),
    deviation(
      'resources.run-source-content-null',
      'Sends null for the excerpt of a source.',
      shown('runThread', at('sources.*.content', replaced(null))),
      unread,
    ),
    deviation(
      'resources.run-source-meta-data-flat',
      'Sends title and section beside the excerpt.',
      shown('runThread', at('sources.*', flattened)),
      unread,
    ),
    deviation(
      'resources.run-source-section-list',
      'Sends the section of a source as a path.',
      shown(
        'runThread',
        at('sources.*.meta_data.section', (section) => [section]),
      ),
      unread,
    ),
    deviation(
      'resources.listed-sources-as-references',
      'Lists the ids of sources in place of the sources.',
      shown(
        'listMessages',
        at('sources.*', (_source) => 'source-1'),
      ),
      changedInList,
    ),
    deviation(
      'resources.listed-source-title-null',
      'Lists sources with a title of null.',
      shown('listMessages', at('sources.*.meta_data.document_title', replaced(null))),
      changedInList,
    ),
    deviation(
      'resources.stream-source-content-dropped',
      'Streams sources without their excerpt.',
      delta('streamChatCompletion', at('sources.*.content', dropped)),
    ),
    deviation(
      'resources.stream-source-title-list',
      'Streams the title of a source as a list.',
      delta(
        textStreams,
        at('sources.*.meta_data.document_title', (title) => [title]),
      ),
    ),
    deviation(
      'resources.run-stream-source-section-dropped',
      'Streams the sources of a run without section.',
      delta('streamThreadRun', at('sources.*.meta_data.section', dropped)),
    ),
    deviation(
      'resources.run-stream-source-excerpt',
      'Names the excerpt of a streamed source excerpt.',
      delta('streamThreadRun', renamed('sources.*.content', 'excerpt')),
    ),
    deviation(
      'resources.events-source-title-dropped',
      'Streams the sources of events without title.',
      delta(events, at('sources.*.meta_data.document_title', dropped)),
    ),
    deviation(
      'resources.events-source-as-text',
      'Streams the sources of events as texts.',
      delta(
        events,
        at('sources.*', (source) => (isObject(source) ? String(source.content) : source)),
      ),
    ),
  ],
} as const satisfies Partial<DeviationTable<'resources'>>

function flattened(source: Json): Json {
  if (!isObject(source) || !isObject(source.meta_data)) return source
  const { meta_data: metaData, ...rest } = source
  return { ...rest, ...metaData }
}

/** Deviations of chapter resources in single sources, in every place where they appear. */

import type { OperationId } from '../../../spec/index.ts'
import type { HookOverride } from '../../exchange/hooks.ts'
import { dropField, editAt, isObject, renameField, replaceWith } from '../../overrides/json-edit.ts'
import { overrideAccepted, overrideReplyWithMemory } from '../../overrides/replies.ts'
import { overrideDelta, textStreams } from '../../overrides/streams.ts'
import type { Json } from '../../scenario/scenario.ts'
import { type DeviationTable, deviation } from '../deviation-row.ts'

const completion: OperationId = 'createChatCompletion'

const events: OperationId = 'streamChatCompletionEvents'

export const sourceShapes = {
  'resources.source-fields': [
    deviation(
      'resources.completion-source-text',
      'Names the excerpt of a source text.',
      overrideAccepted(completion, renameField('sources.*.content', 'text')),
    ),
    deviation(
      'resources.completion-source-title',
      'Names the title of a source title.',
      overrideAccepted(completion, renameField('sources.*.meta_data.document_title', 'title')),
    ),
    deviation(
      'resources.completion-source-section-number',
      'Sends the section of a source as a number.',
      overrideAccepted(
        completion,
        editAt('sources.*.meta_data.section', () => 1.1),
      ),
    ),
    deviation(
      'resources.run-source-content-null',
      'Sends null for the excerpt of a source.',
      overrideAccepted('runThread', editAt('sources.*.content', replaceWith(null))),
    ),
    deviation(
      'resources.run-source-meta-data-flat',
      'Sends title and section beside the excerpt.',
      overrideAccepted('runThread', editAt('sources.*', flattened)),
    ),
    deviation(
      'resources.run-source-of-file-without-section',
      'Makes an attached file a source of the answer of a run, without a section.',
      sourceOfFile(),
      { trigger: 'a question that carries a file' },
    ),
    deviation(
      'resources.run-source-section-list',
      'Sends the section of a source as a path.',
      overrideAccepted(
        'runThread',
        editAt('sources.*.meta_data.section', (section) => [section]),
      ),
    ),
    deviation(
      'resources.listed-sources-as-references',
      'Lists the ids of sources in place of the sources.',
      overrideAccepted(
        'listMessages',
        editAt('sources.*', (_source) => 'source-1'),
      ),
    ),
    deviation(
      'resources.listed-source-title-null',
      'Lists sources with a title of null.',
      overrideAccepted('listMessages', editAt('sources.*.meta_data.document_title', replaceWith(null))),
    ),
    deviation(
      'resources.stream-source-content-dropped',
      'Streams sources without their excerpt.',
      overrideDelta('streamChatCompletion', editAt('sources.*.content', dropField)),
    ),
    deviation(
      'resources.stream-source-title-list',
      'Streams the title of a source as a list.',
      overrideDelta(
        textStreams,
        editAt('sources.*.meta_data.document_title', (title) => [title]),
      ),
    ),
    deviation(
      'resources.run-stream-source-section-dropped',
      'Streams the sources of a run without section.',
      overrideDelta('streamThreadRun', editAt('sources.*.meta_data.section', dropField)),
    ),
    deviation(
      'resources.run-stream-source-excerpt',
      'Names the excerpt of a streamed source excerpt.',
      overrideDelta('streamThreadRun', renameField('sources.*.content', 'excerpt')),
    ),
    deviation(
      'resources.events-source-title-dropped',
      'Streams the sources of events without title.',
      overrideDelta(events, editAt('sources.*.meta_data.document_title', dropField)),
    ),
    deviation(
      'resources.events-source-as-text',
      'Streams the sources of events as texts.',
      overrideDelta(
        events,
        editAt('sources.*', (source) => (isObject(source) ? String(source.content) : source)),
      ),
    ),
  ],
} as const satisfies Partial<DeviationTable<'resources'>>

function flattened(source: Json): Json {
  if (!isObject(source) || !isObject(source.meta_data)) return source
  const { meta_data: metaData, ...rest } = source
  return { ...rest, ...metaData }
}

/** Answers a run whose question carries a file with a source of its own. */
function sourceOfFile(): HookOverride {
  const remember = () => new Set<string>()
  return overrideReplyWithMemory(['createMessage', 'runThread'], remember, (json, { command }, carrying) => {
    if (!isObject(json)) return json
    if (command?.operation === 'createMessage' && json.role === 'user') {
      if (Array.isArray(json.file_ids) && json.file_ids.length > 0) carrying.add(command.threadId)
      else carrying.delete(command.threadId)
    }
    if (command?.operation !== 'runThread' || !carrying.has(command.threadId)) return json
    const ofFile = { content: 'A few lines of notes.', meta_data: { document_title: 'notes.txt' } }
    return { ...json, sources: [...(Array.isArray(json.sources) ? json.sources : []), ofFile] }
  })
}

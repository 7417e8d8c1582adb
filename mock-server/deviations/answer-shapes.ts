/** Deviations of chapter resources: what only answers have (meta_data, sources), and the frame of chunks. */
import type { OperationId } from '../../spec/index.ts'
import type { Answer } from '../machine/run.ts'
import type { Json, JsonObject } from '../scenario/scenario.ts'
import { answers, originOf } from './bend-record.ts'
import { concerns, shown, type Where } from './bend-reply.ts'
import { chunk, delta, every, first, last, later, streamed, textStreams } from './bend-stream.ts'
import { type DeviationTable, deviation } from './deviation-row.ts'
import { at, type Change, dropped, isObject, renamed, replaced } from './json-edit.ts'

type Part =
  | 'assistant-message-fields'
  | 'meta-data-fits-schema'
  | 'legal-meta-data'
  | 'source-fields'
  | 'chunk-fields'
  | 'delta-fields'

const completion: OperationId = 'createChatCompletion'
const events: OperationId = 'streamChatCompletionEvents'
const legal = { trigger: 'the legal assistant', alsoViolates: ['resources.meta-data-fits-schema'] } as const
const unread = { alsoViolates: ['threads.run-appends-answer'] } as const
const changedInList = { alsoViolates: ['threads.run-appends-answer', 'completions.thread-holds-conversation'] } as const

/** Answers, not messages that clients posted in the role of the assistant. */
const isAnswer = ({ role, meta_data: metaData }: JsonObject): boolean =>
  role === 'assistant' && isObject(metaData) && Object.keys(metaData).length > 0

const metaDataOf = (where: Where, edit: (metaData: JsonObject) => JsonObject) =>
  answers(
    (answer, occasion): Answer =>
      concerns(where, originOf(occasion)) ? { ...answer, metaData: edit(answer.metaData) } : answer,
  )

const stringified: Change = (value) => (isObject(value) ? JSON.stringify(value) : value)
const camelled = (json: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(json).map(([key, value]) => [
      key.replace(/_(\w)/g, (_all, letter: string) => letter.toUpperCase()),
      value,
    ]),
  )
const texts = (json: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(json).map(([key, value]) => [key, typeof value === 'string' ? { value } : String(value)]),
  )

const noSources = ({ sources }: JsonObject): boolean => Array.isArray(sources) && sources.length === 0

export const answerShapes = {
  'resources.assistant-message-fields': [
    deviation(
      'resources.completion-metadata',
      'Names the meta_data of a completion metadata.',
      shown(completion, renamed('meta_data', 'metadata')),
      {
        alsoViolates: ['resources.meta-data-fits-schema'],
      },
    ),
    deviation(
      'resources.completion-sources-null',
      'Sends null for the sources of an answer without any.',
      shown(completion, at('sources', replaced(null)), noSources),
      {
        trigger: 'an answer without sources',
      },
    ),
    deviation(
      'resources.completion-sources-as-map',
      'Sends the sources of a completion as an object by number.',
      shown(
        completion,
        at('sources', (value) => (Array.isArray(value) ? { ...value } : value)),
      ),
    ),
    deviation(
      'resources.run-meta-data-string',
      'Sends the meta_data of a run as a string of JSON.',
      shown('runThread', at('meta_data', stringified)),
      {
        alsoViolates: ['resources.meta-data-fits-schema', 'threads.run-appends-answer'],
      },
    ),
    deviation(
      'resources.run-sources-dropped',
      'Leaves out the sources of an answer without any.',
      shown('runThread', at('sources', dropped), noSources),
      {
        trigger: 'an answer without sources',
        ...unread,
      },
    ),
    deviation(
      'resources.listed-without-meta-data',
      'Lists answers without their meta_data.',
      shown('listMessages', at('meta_data', dropped), isAnswer),
      changedInList,
    ),
    deviation(
      'resources.listed-without-sources',
      'Lists answers without their sources.',
      shown('listMessages', at('sources', dropped), isAnswer),
      changedInList,
    ),
  ],
  'resources.meta-data-fits-schema': [
    deviation(
      'resources.completion-meta-data-camel',
      'Sends the fields of meta_data in camel case.',
      metaDataOf(completion, camelled),
      {
        alsoViolates: ['resources.legal-meta-data'],
      },
    ),
    deviation(
      'resources.run-meta-data-texts',
      'Sends every value of meta_data as another type.',
      metaDataOf('runThread', texts),
      {
        alsoViolates: ['resources.legal-meta-data'],
      },
    ),
    deviation(
      'resources.listed-meta-data-empty',
      'Lists answers with an empty meta_data.',
      shown('listMessages', at('meta_data', replaced({})), isAnswer),
      changedInList,
    ),
    deviation(
      'resources.streamed-meta-data-null',
      'Stores the answers of streamed forms with null for every field of meta_data.',
      metaDataOf(streamed, (json) => Object.fromEntries(Object.keys(json).map((key) => [key, null]))),
      {
        trigger: 'a streamed answer in the list',
        alsoViolates: ['resources.legal-meta-data'],
      },
    ),
    deviation(
      'resources.meta-data-of-older-schema',
      'Fills meta_data by an older schema, with a value that the present one does not list.',
      metaDataOf('runThread', (json) => (json.turn_kind === undefined ? json : { ...json, turn_kind: 'reply' })),
    ),
    deviation(
      'resources.second-answer-without-meta-data',
      'Sends an empty meta_data with the second answer of a thread.',
      answers((answer, { thread, command }) =>
        command.operation === 'runThread' && (thread?.answers ?? 0) > 0 ? { ...answer, metaData: {} } : answer,
      ),
      {
        trigger: 'a thread that was answered before',
      },
    ),
  ],
  'resources.legal-meta-data': [
    deviation(
      'resources.legal-type-name',
      'Sends the name of the assistant as the type of meta_data.',
      metaDataOf(completion, (json) => (json.legal_advice === undefined ? json : { ...json, type: 'legal_assistant' })),
      legal,
    ),
    deviation(
      'resources.legal-type-of-other-case',
      'Sends the constant type in upper case.',
      metaDataOf(['runThread', 'streamThreadRun', completion], (json) =>
        json.legal_advice === undefined ? json : { ...json, type: String(json.type).toUpperCase() },
      ),
      legal,
    ),
    deviation(
      'resources.legal-advice-number',
      'Sends legal_advice as 0 or 1.',
      metaDataOf('any', (json) =>
        json.legal_advice === undefined ? json : { ...json, legal_advice: json.legal_advice === true ? 1 : 0 },
      ),
      legal,
    ),
    deviation(
      'resources.legal-advice-dropped-when-false',
      'Leaves out legal_advice when it is false.',
      metaDataOf('any', (json) =>
        json.legal_advice === false ? (at('legal_advice', dropped)(json) as JsonObject) : json,
      ),
      { ...legal, trigger: 'the legal assistant, on a question that asks for no advice' },
    ),
    deviation(
      'resources.legal-intent-list',
      'Sends intent as a list.',
      metaDataOf('any', (json) => (json.intent === undefined ? json : { ...json, intent: [json.intent] })),
      legal,
    ),
    deviation(
      'resources.listed-legal-intent-null',
      'Lists answers with an intent of null.',
      shown('listMessages', at('meta_data.intent', replaced(null))),
      {
        trigger: 'the legal assistant, in the list',
        alsoViolates: [
          'resources.meta-data-fits-schema',
          'threads.run-appends-answer',
          'completions.thread-holds-conversation',
        ],
      },
    ),
    deviation(
      'resources.listed-legal-advice-text',
      'Lists legal_advice as a text.',
      shown(
        'listMessages',
        at('meta_data.legal_advice', (value) => String(value)),
      ),
      {
        trigger: 'the legal assistant, in the list',
        alsoViolates: [
          'resources.meta-data-fits-schema',
          'threads.run-appends-answer',
          'completions.thread-holds-conversation',
        ],
      },
    ),
  ],
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
} as const satisfies Pick<DeviationTable<'resources'>, `resources.${Part}`>

function flattened(source: Json): Json {
  if (!isObject(source) || !isObject(source.meta_data)) return source
  const { meta_data: metaData, ...rest } = source
  return { ...rest, ...metaData }
}

function withoutEmptySources(json: Json): Json {
  return isObject(json) && noSources(json) ? at('sources', dropped)(json) : json
}

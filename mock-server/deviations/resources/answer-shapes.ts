/** Deviations of chapter resources in the fields of answers: meta_data and the list of sources. */

import type { OperationId } from '../../../spec/index.ts'
import type { HookOverride } from '../../exchange/hooks.ts'
import type { HookContext } from '../../machine/domain-hooks.ts'
import type { Answer } from '../../machine/run.ts'
import { type Change, dropField, editAt, isObject, renameField, replaceWith } from '../../overrides/json-edit.ts'
import { originOf, overrideAnswers } from '../../overrides/records.ts'
import { appliesTo, overrideAccepted, overrideReply, type Where } from '../../overrides/replies.ts'
import { streamedOperations } from '../../overrides/streams.ts'
import type { JsonObject } from '../../scenario/scenario.ts'
import { type DeviationTable, deviation } from '../deviation-row.ts'

const completion: OperationId = 'createChatCompletion'

const legal = { trigger: 'the legal assistant' } as const

/** Answers, not messages that clients posted in the role of the assistant. */
const isAnswer = ({ role, meta_data: metaData }: JsonObject): boolean =>
  role === 'assistant' && isObject(metaData) && Object.keys(metaData).length > 0

const metaDataOf = (where: Where, edit: (metaData: JsonObject) => JsonObject) =>
  overrideAnswers(
    (answer, context): Answer =>
      appliesTo(where, originOf(context)) ? { ...answer, metaData: edit(answer.metaData) } : answer,
  )

/** The meta_data of the first answer with a key, a thread or a question, for later answers of some operations. */
const metaDataOfFirst = (where: Where, keyOf: (context: HookContext) => string | undefined): HookOverride => ({
  hook: 'answer',
  wrap: (next) => {
    const first = new Map<string, JsonObject>()
    return (answer, context) => {
      const faithful = next(answer, context)
      const key = keyOf(context)
      if (key === undefined) return faithful
      const metaData = first.get(key) ?? faithful.metaData
      first.set(key, metaData)
      return appliesTo(where, originOf(context)) ? { ...faithful, metaData } : faithful
    }
  },
})

/** The last question, for which the answer was made. */
const questionOf = ({ command }: HookContext): string | undefined =>
  'messages' in command ? `${command.caller.tenant.name} ${command.messages.at(-1)?.content}` : undefined

const isBelowGreeting = ({ command }: HookContext): boolean => {
  const [first = '', ...rest] = 'messages' in command ? String(command.messages.at(-1)?.content).split('\n') : []
  return rest.length > 0 && !first.includes('?')
}

const withoutMetaData = editAt('items', (items) =>
  Array.isArray(items)
    ? items.map((item: JsonObject) => (isAnswer(item) ? editAt('meta_data', replaceWith({}))(item) : item))
    : items,
)

const threadOf = ({ thread }: HookContext): string | undefined => thread?.id

/** Whether the question that an answer repeats begins with a letter of another script. */
const saysOtherScript = ({ content }: Answer): boolean => /: [^\P{L}\p{Script=Latin}]/u.test(content)

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
      overrideAccepted(completion, renameField('meta_data', 'metadata')),
    ),
    deviation(
      'resources.completion-sources-null',
      'Sends null for the sources of an answer without any.',
      overrideAccepted(completion, editAt('sources', replaceWith(null)), noSources),
      { trigger: 'an answer without sources' },
    ),
    deviation(
      'resources.completion-sources-as-map',
      'Sends the sources of a completion as an object by number.',
      overrideAccepted(
        completion,
        editAt('sources', (value) => (Array.isArray(value) ? { ...value } : value)),
      ),
    ),
    deviation(
      'resources.run-meta-data-string',
      'Sends the meta_data of a run as a string of JSON.',
      overrideAccepted('runThread', editAt('meta_data', stringified)),
    ),
    deviation(
      'resources.run-sources-dropped',
      'Leaves out the sources of an answer without any.',
      overrideAccepted('runThread', editAt('sources', dropField), noSources),
      { trigger: 'an answer without sources' },
    ),
    deviation(
      'resources.listed-without-meta-data',
      'Lists answers without their meta_data.',
      overrideAccepted('listMessages', editAt('meta_data', dropField), isAnswer),
    ),
    deviation(
      'resources.listed-without-sources',
      'Lists answers without their sources.',
      overrideAccepted('listMessages', editAt('sources', dropField), isAnswer),
    ),
  ],
  'resources.meta-data-fits-schema': [
    deviation(
      'resources.completion-meta-data-camel',
      'Sends the fields of meta_data in camel case.',
      metaDataOf(completion, camelled),
    ),
    deviation(
      'resources.run-meta-data-texts',
      'Sends every value of meta_data as another type.',
      metaDataOf('runThread', texts),
    ),
    deviation(
      'resources.tool-request-without-meta-data',
      'Sends an empty meta_data with what asks for tools.',
      overrideAnswers((answer): Answer => (answer.toolCalls.length === 0 ? answer : { ...answer, metaData: {} })),
      { trigger: 'an answer that asks for tools' },
    ),
    deviation(
      'resources.meta-data-of-latin-words',
      'Reads meta_data out of the first Latin words, and has none for a question that begins in another script.',
      overrideAnswers((answer): Answer => (saysOtherScript(answer) ? { ...answer, metaData: {} } : answer)),
      { trigger: 'a question that begins in another script' },
    ),
    deviation(
      'resources.listed-meta-data-empty',
      'Lists answers with an empty meta_data.',
      overrideAccepted('listMessages', editAt('meta_data', replaceWith({})), isAnswer),
    ),
    deviation(
      'resources.streamed-meta-data-null',
      'Stores the answers of streamed forms with null for every field of meta_data.',
      metaDataOf(streamedOperations, (json) => Object.fromEntries(Object.keys(json).map((key) => [key, null]))),
      { trigger: 'a streamed answer in the list' },
    ),
    deviation(
      'resources.meta-data-of-older-schema',
      'Fills meta_data by an older schema, with a value that the present one does not list.',
      metaDataOf('runThread', (json) => (json.turn_kind === undefined ? json : { ...json, turn_kind: 'reply' })),
    ),
    deviation(
      'resources.meta-data-of-first-run',
      'Keeps the meta_data of the first run of a thread for all later ones.',
      metaDataOfFirst('runThread', threadOf),
      { trigger: 'a second assistant in a thread' },
    ),
    deviation(
      'resources.meta-data-of-first-completion',
      'Keeps the meta_data of the first completion of a thread for all later ones.',
      metaDataOfFirst(completion, threadOf),
      { trigger: 'a second assistant in a thread' },
    ),
    deviation(
      'resources.meta-data-kept-for-question',
      'Keeps the meta_data of an answer for its question.',
      metaDataOfFirst(completion, questionOf),
      { trigger: 'a question to two assistants' },
    ),
    deviation(
      'resources.meta-data-of-one-line',
      'Reads meta_data out of the first line, and has none for a greeting with the question below it.',
      overrideAnswers((answer, context): Answer => (isBelowGreeting(context) ? { ...answer, metaData: {} } : answer)),
      { trigger: 'several lines, and no question in the first one' },
    ),
    deviation(
      'resources.meta-data-lost-behind-cursor',
      'Lists answers behind a cursor with an empty meta_data.',
      overrideReply('listMessages', (json, { command }) =>
        command?.operation === 'listMessages' && command.cursor !== null ? (withoutMetaData(json) ?? json) : json,
      ),
      { trigger: 'an answer behind a cursor' },
    ),
    deviation(
      'resources.second-answer-without-meta-data',
      'Sends an empty meta_data with the second answer of a thread.',
      overrideAnswers((answer, { thread, command }) =>
        command.operation === 'runThread' && (thread?.answers ?? 0) > 0 ? { ...answer, metaData: {} } : answer,
      ),
      { trigger: 'a thread that was answered before' },
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
      'resources.legal-advice-counted',
      'Sends the number of words that ask for advice as legal_advice, and false where there are none.',
      metaDataOf('any', (json) => (json.legal_advice === true ? { ...json, legal_advice: 1 } : json)),
      { trigger: 'a question that asks for advice' },
    ),
    deviation(
      'resources.legal-advice-dropped-when-false',
      'Leaves out legal_advice when it is false.',
      metaDataOf('any', (json) =>
        json.legal_advice === false ? (editAt('legal_advice', dropField)(json) as JsonObject) : json,
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
      overrideAccepted('listMessages', editAt('meta_data.intent', replaceWith(null))),
      { trigger: 'the legal assistant, in the list' },
    ),
    deviation(
      'resources.listed-legal-advice-text',
      'Lists legal_advice as a text.',
      overrideAccepted(
        'listMessages',
        editAt('meta_data.legal_advice', (value) => String(value)),
      ),
      { trigger: 'the legal assistant, in the list' },
    ),
  ],
} as const satisfies Partial<DeviationTable<'resources'>>

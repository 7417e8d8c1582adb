/** Deviations of chapter resources: messages with illegal roles, contents and ids. */

import type { OperationId } from '../../../spec/index.ts'
import type { HookOverride } from '../../exchange/hooks.ts'
import { editAt, editTextAt, isObject, replaceWith } from '../../overrides/json-edit.ts'
import { overrideAnswers, overrideIds, overrideStoredMessages } from '../../overrides/records.ts'
import { overrideAccepted, overrideReplyWithMemory, roleIs } from '../../overrides/replies.ts'
import { bytesIn, siblingOf } from '../../overrides/text-corruption.ts'
import type { Json } from '../../scenario/scenario.ts'
import { type DeviationTable, deviation } from '../deviation-row.ts'

const completion: OperationId = 'createChatCompletion'

export const messageValues = {
  'resources.message-role-known': [
    deviation(
      'resources.created-role-human',
      'Answers a creation with the internal role human.',
      overrideAccepted('createMessage', editAt('role', replaceWith('human')), roleIs('user')),
    ),
    deviation(
      'resources.listed-role-ai',
      'Lists answers with the internal role ai.',
      overrideAccepted('listMessages', editAt('role', replaceWith('ai')), roleIs('assistant')),
      { trigger: 'an assistant message in the list' },
    ),
    deviation(
      'resources.stored-role-function',
      'Stores tool messages under the role function.',
      overrideStoredMessages((message) => (message.role === 'tool' ? { ...message, role: 'function' } : message)),
      { trigger: 'a tool message' },
    ),
    deviation(
      'resources.stored-role-developer',
      'Stores system messages under the role developer.',
      overrideStoredMessages((message) => (message.role === 'system' ? { ...message, role: 'developer' } : message)),
      { trigger: 'a system message' },
    ),
    deviation(
      'resources.listed-role-capitalised',
      'Lists roles by the names of an enumeration.',
      overrideAccepted(
        'listMessages',
        editTextAt('role', (role) => role.toUpperCase()),
      ),
    ),
  ],
  'resources.message-content-not-empty': [
    deviation(
      'resources.completion-of-nothing',
      'Answers a completion with several messages with nothing.',
      overrideAnswers((answer, { command, thread }) =>
        command.operation === completion && (thread?.log.size ?? 0) > 1 ? { ...answer, content: '' } : answer,
      ),
      { trigger: 'a completion with more than one message' },
    ),
    deviation(
      'resources.run-of-nothing',
      'Answers the second run of a thread with nothing.',
      overrideAnswers((answer, { command, thread }) =>
        command.operation === 'runThread' && (thread?.answers ?? 0) > 0 ? { ...answer, content: '' } : answer,
      ),
      { trigger: 'a thread that was answered before' },
    ),
    deviation(
      'resources.blanks-stored-as-nothing',
      'Strips content before storing it, so that blanks become nothing.',
      overrideStoredMessages((message, { command }) =>
        command.operation === 'createMessage'
          ? { ...message, content: /^\s+$/.test(String(message.content)) ? '' : (message.content ?? '') }
          : message,
      ),
      { trigger: 'content of blanks alone' },
    ),
    deviation(
      'resources.long-content-listed-empty',
      'Lists content above 4,096 bytes as empty.',
      overrideAccepted(
        'listMessages',
        editAt('content', replaceWith('')),
        ({ content }) => bytesIn(String(content)) > 4096,
      ),
      { trigger: 'content above 4,096 bytes' },
    ),
    deviation(
      'resources.created-content-empty',
      'Answers the creation of a system message with empty content.',
      overrideAccepted('createMessage', editAt('content', replaceWith('')), roleIs('system')),
      { trigger: 'a system message' },
    ),
  ],
  'resources.answer-role': [
    deviation(
      'resources.completion-role-ai',
      'Answers a completion in the role ai.',
      overrideAccepted(completion, editAt('role', replaceWith('ai'))),
    ),
    deviation(
      'resources.completion-role-user',
      'Copies the role of the last message into the answer.',
      overrideAccepted(completion, editAt('role', replaceWith('user'))),
    ),
    deviation(
      'resources.run-role-model',
      'Answers a run in the role model.',
      overrideAccepted('runThread', editAt('role', replaceWith('model'))),
    ),
    deviation(
      'resources.tool-request-role',
      'Answers in the role tool when the assistant asks for a tool.',
      overrideAccepted('runThread', editAt('role', replaceWith('tool')), ({ tool_calls }) => tool_calls !== undefined),
      { trigger: 'an answer that asks for a tool' },
    ),
  ],
  'resources.message-ids-unique': [
    deviation(
      'resources.id-of-content',
      'Derives the id of a message from its content.',
      overrideIds('message', (id, { command }) =>
        command.operation === 'createMessage' ? siblingOf(command.message.content) : id,
      ),
      { trigger: 'the same content twice' },
    ),
    deviation(
      'resources.id-of-second',
      'Derives the id of a message from thread and second.',
      overrideIds('message', (id, { command, thread }) =>
        command.operation === 'createMessage' && thread !== null && thread.log.size > 0
          ? siblingOf(thread.id, Math.floor(thread.lastTickUs / 1_000_000))
          : id,
      ),
      { trigger: 'three messages within a second' },
    ),
    deviation(
      'resources.id-counts-per-thread',
      'Numbers messages per thread, so that ids repeat in another thread.',
      overrideIds('message', (id, { command, thread }) =>
        command.operation === 'createMessage' ? siblingOf('message', thread?.ordinal ?? 0) : id,
      ),
      { trigger: 'two threads' },
    ),
    deviation(
      'resources.created-id-repeats',
      'Answers every third creation with the id of the one before.',
      overrideReplyWithMemory(
        'createMessage',
        () => ({ count: 0, id: '' }),
        (json, _exchange, memory) => {
          if (!isObject(json)) return json
          memory.count += 1
          const id = memory.count % 3 === 0 ? memory.id : String(json.id)
          memory.id = id
          return { ...json, id }
        },
      ),
      { trigger: 'every third creation' },
    ),
    deviation(
      'resources.id-of-answer',
      'Answers a run under the id of the first run of its thread.',
      firstIdIn('runThread'),
      { trigger: 'two runs of one thread, with a message between them' },
    ),
    deviation(
      'resources.id-of-completion',
      'Answers a completion under the id of the first completion of its thread.',
      firstIdIn('createChatCompletion'),
      { trigger: 'two completions in one thread' },
    ),
    deviation('resources.id-of-stream', 'Gives all streams of a thread one message_id.', firstIdInStreams(), {
      trigger: 'two streams in one thread',
    }),
  ],
} as const satisfies Partial<DeviationTable<'resources'>>

/** The id that the first answer in this thread had. */
function withFirstId(json: Json, name: 'id' | 'message_id', firstIds: Map<unknown, Json>): Json {
  if (!isObject(json)) return json
  const id = firstIds.get(json.thread_id) ?? json[name] ?? null
  firstIds.set(json.thread_id, id)
  return { ...json, [name]: id }
}

function firstIdIn(operation: OperationId): HookOverride {
  return overrideReplyWithMemory(
    operation,
    () => new Map<unknown, Json>(),
    (json, _exchange, firstIds) => withFirstId(json, 'id', firstIds),
  )
}

function firstIdInStreams(): HookOverride {
  return {
    hook: 'chunk',
    wrap: (next) => {
      const firstIds = new Map<unknown, Json>()
      return (stamped, place, exchange) => {
        const faithful = next(stamped, place, exchange) as Json
        return exchange.operation === 'streamChatCompletion' ? withFirstId(faithful, 'message_id', firstIds) : faithful
      }
    },
  }
}

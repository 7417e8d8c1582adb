/** Deviations of chapter resources: messages with fields missing, renamed or of another type. */
import type { OperationId } from '../../spec/index.ts'
import type { JsonObject } from '../scenario/scenario.ts'
import { answers, mints, stores } from './bend-record.ts'
import { replyRemembering, shown } from './bend-reply.ts'
import { type DeviationTable, deviation } from './deviation-row.ts'
import { at, atText, dropped, isObject, renamed, replaced } from './json-edit.ts'
import { bytesIn, siblingOf } from './text-damage.ts'

type Part = 'message-fields' | 'message-role-known' | 'message-content-not-empty' | 'answer-role' | 'message-ids-unique'

const roleIs =
  (...roles: readonly string[]) =>
  ({ role }: JsonObject): boolean =>
    roles.includes(String(role))

const completion: OperationId = 'createChatCompletion'
const unread = { alsoViolates: ['threads.run-appends-answer'] } as const
const unlisted = {
  alsoViolates: ['threads.listed-as-created', 'threads.run-appends-answer', 'threads.message-never-changes'],
} as const
const lost = [
  'threads.created-is-listed',
  'threads.read-your-writes',
  'threads.run-appends-answer',
  'threads.listed-as-created',
  'threads.no-phantom-messages',
] as const

export const messageShapes = {
  'resources.message-fields': [
    deviation(
      'resources.completion-message-id',
      'Names the id of a completion message_id.',
      shown(completion, renamed('id', 'message_id')),
    ),
    deviation(
      'resources.completion-thread-id-dropped',
      'Leaves thread_id out of a completion.',
      shown(completion, at('thread_id', dropped)),
      {
        alsoViolates: ['completions.carries-thread-id', 'completions.thread-holds-conversation'],
      },
    ),
    deviation(
      'resources.completion-role-null',
      'Sends null as the role of a completion.',
      shown(completion, at('role', replaced(null))),
      { alsoViolates: ['resources.answer-role'] },
    ),
    deviation(
      'resources.completion-content-parts',
      'Sends the content of a completion as a list of parts.',
      shown(
        completion,
        at('content', (content) => [{ type: 'text', text: content }]),
      ),
    ),
    deviation(
      'resources.completion-created',
      'Names the created_at of a completion created.',
      shown(completion, renamed('created_at', 'created')),
    ),
    deviation(
      'resources.run-id-number',
      'Sends the id of an answer as a number.',
      shown(
        'runThread',
        at('id', (id) => Number.parseInt(String(id).slice(0, 8), 16)),
      ),
      unread,
    ),
    deviation(
      'resources.run-thread-id-dropped',
      'Leaves thread_id out of the answer of a run.',
      shown('runThread', at('thread_id', dropped)),
      {
        alsoViolates: ['streams.answer-belongs-to-thread', 'threads.run-appends-answer'],
      },
    ),
    deviation(
      'resources.run-role-dropped',
      'Leaves role out of the answer of a run.',
      shown('runThread', at('role', dropped)),
      { alsoViolates: ['resources.answer-role', 'threads.run-appends-answer'] },
    ),
    deviation(
      'resources.run-content-object',
      'Sends the content of an answer as an object with a value.',
      shown(
        'runThread',
        at('content', (content) => ({ value: content })),
      ),
      unread,
    ),
    deviation(
      'resources.run-created-at-unix',
      'Sends the created_at of an answer as a number.',
      shown(
        'runThread',
        at('created_at', (stamp) => Math.floor(Date.parse(String(stamp)) / 1000)),
      ),
      {
        alsoViolates: ['resources.timestamp-format', 'threads.run-appends-answer'],
      },
    ),
    deviation(
      'resources.created-id-dropped',
      'Answers a creation without the id.',
      shown('createMessage', at('id', dropped)),
      { alsoViolates: ['threads.listed-as-created'] },
    ),
    deviation(
      'resources.created-thread-id-camel',
      'Answers a creation with threadId.',
      shown('createMessage', renamed('thread_id', 'threadId')),
      { alsoViolates: ['threads.created-in-thread'] },
    ),
    deviation(
      'resources.created-role-dropped',
      'Answers a creation without the role when it is user.',
      shown('createMessage', at('role', dropped), roleIs('user')),
      {
        alsoViolates: ['threads.create-echoes', 'threads.listed-as-created'],
      },
    ),
    deviation(
      'resources.created-content-dropped',
      'Answers a creation without the content when it is long.',
      shown('createMessage', at('content', dropped), ({ content }) => bytesIn(String(content)) > 4096),
      {
        trigger: 'content above 4,096 bytes',
        alsoViolates: ['threads.create-echoes', 'threads.listed-as-created'],
      },
    ),
    deviation(
      'resources.created-stamp-null',
      'Answers a creation before the store has stamped it: created_at is null.',
      shown('createMessage', at('created_at', replaced(null))),
      {
        alsoViolates: ['threads.listed-as-created', 'resources.timestamp-format'],
      },
    ),
    deviation(
      'resources.listed-id-camel',
      'Lists messages with messageId instead of id.',
      shown('listMessages', renamed('id', 'messageId')),
      { alsoViolates: lost },
    ),
    deviation(
      'resources.listed-without-thread-id',
      'Lists messages without thread_id.',
      shown('listMessages', at('thread_id', dropped)),
      { alsoViolates: ['threads.only-own-messages'] },
    ),
    deviation(
      'resources.listed-tool-role-null',
      'Lists tool messages with a role of null.',
      shown('listMessages', at('role', replaced(null)), roleIs('tool')),
      {
        trigger: 'a tool message',
        alsoViolates: ['threads.listed-as-created', 'resources.message-role-known'],
      },
    ),
    deviation(
      'resources.listed-content-as-text',
      'Lists the content of answers as text.',
      shown('listMessages', renamed('content', 'text'), roleIs('assistant')),
      {
        trigger: 'an assistant message in the list',
        ...unlisted,
      },
    ),
    deviation(
      'resources.listed-system-without-created-at',
      'Lists system messages without created_at.',
      shown('listMessages', at('created_at', dropped), roleIs('system')),
      {
        trigger: 'a system message',
        alsoViolates: ['threads.listed-as-created'],
      },
    ),
  ],
  'resources.message-role-known': [
    deviation(
      'resources.created-role-human',
      'Answers a creation with the internal role human.',
      shown('createMessage', at('role', replaced('human')), roleIs('user')),
      {
        alsoViolates: ['threads.create-echoes', 'threads.listed-as-created'],
      },
    ),
    deviation(
      'resources.listed-role-ai',
      'Lists answers with the internal role ai.',
      shown('listMessages', at('role', replaced('ai')), roleIs('assistant')),
      {
        trigger: 'an assistant message in the list',
        ...unlisted,
      },
    ),
    deviation(
      'resources.stored-role-function',
      'Stores tool messages under the role function.',
      stores((message) => (message.role === 'tool' ? { ...message, role: 'function' } : message)),
      {
        trigger: 'a tool message',
        alsoViolates: ['threads.create-echoes'],
      },
    ),
    deviation(
      'resources.stored-role-developer',
      'Stores system messages under the role developer.',
      stores((message) => (message.role === 'system' ? { ...message, role: 'developer' } : message)),
      {
        trigger: 'a system message',
        alsoViolates: ['threads.create-echoes'],
      },
    ),
    deviation(
      'resources.listed-role-capitalised',
      'Lists roles by the names of an enumeration.',
      shown(
        'listMessages',
        atText('role', (role) => role.toUpperCase()),
      ),
      unlisted,
    ),
  ],
  'resources.message-content-not-empty': [
    deviation(
      'resources.completion-of-nothing',
      'Answers a completion with several messages with nothing.',
      answers((answer, { command, thread }) =>
        command.operation === completion && (thread?.log.size ?? 0) > 1 ? { ...answer, content: '' } : answer,
      ),
      {
        trigger: 'a completion with more than one message',
      },
    ),
    deviation(
      'resources.run-of-nothing',
      'Answers the second run of a thread with nothing.',
      answers((answer, { command, thread }) =>
        command.operation === 'runThread' && (thread?.answers ?? 0) > 0 ? { ...answer, content: '' } : answer,
      ),
      {
        trigger: 'a thread that was answered before',
      },
    ),
    deviation(
      'resources.blanks-stored-as-nothing',
      'Strips content before storing it, so that blanks become nothing.',
      stores((message, { command }) =>
        command.operation === 'createMessage'
          ? { ...message, content: /^\s+$/.test(String(message.content)) ? '' : (message.content ?? '') }
          : message,
      ),
      {
        trigger: 'content of blanks alone',
        alsoViolates: ['threads.create-echoes'],
      },
    ),
    deviation(
      'resources.long-content-listed-empty',
      'Lists content above 4,096 bytes as empty.',
      shown('listMessages', at('content', replaced('')), ({ content }) => bytesIn(String(content)) > 4096),
      {
        trigger: 'content above 4,096 bytes',
        ...unlisted,
      },
    ),
    deviation(
      'resources.created-content-empty',
      'Answers the creation of a system message with empty content.',
      shown('createMessage', at('content', replaced('')), roleIs('system')),
      {
        trigger: 'a system message',
        alsoViolates: ['threads.create-echoes', 'threads.listed-as-created'],
      },
    ),
  ],
  'resources.answer-role': [
    deviation(
      'resources.completion-role-ai',
      'Answers a completion in the role ai.',
      shown(completion, at('role', replaced('ai'))),
    ),
    deviation(
      'resources.completion-role-user',
      'Copies the role of the last message into the answer.',
      shown(completion, at('role', replaced('user'))),
    ),
    deviation(
      'resources.run-role-model',
      'Answers a run in the role model.',
      shown('runThread', at('role', replaced('model'))),
      unread,
    ),
    deviation(
      'resources.tool-request-role',
      'Answers in the role tool when the assistant asks for a tool.',
      shown('runThread', at('role', replaced('tool')), ({ tool_calls }) => tool_calls !== undefined),
      {
        trigger: 'an answer that asks for a tool',
        ...unread,
      },
    ),
  ],
  'resources.message-ids-unique': [
    deviation(
      'resources.id-of-content',
      'Derives the id of a message from its content.',
      mints('message', (id, { command }) =>
        command.operation === 'createMessage' ? siblingOf(command.message.content) : id,
      ),
      {
        trigger: 'the same content twice',
        alsoViolates: ['threads.created-is-listed', 'pagination.cursor-continues', 'threads.message-never-changes'],
      },
    ),
    deviation(
      'resources.id-of-second',
      'Derives the id of a message from thread and second.',
      mints('message', (id, { command, thread }) =>
        command.operation === 'createMessage' && thread !== null && thread.log.size > 0
          ? siblingOf(thread.id, Math.floor(thread.lastTickUs / 1_000_000))
          : id,
      ),
      {
        trigger: 'three messages within a second',
        alsoViolates: ['threads.created-is-listed', 'pagination.cursor-continues', 'threads.message-never-changes'],
      },
    ),
    deviation(
      'resources.id-counts-per-thread',
      'Numbers messages per thread, so that ids repeat in another thread.',
      mints('message', (id, { command, thread }) =>
        command.operation === 'createMessage' ? siblingOf('message', thread?.ordinal ?? 0) : id,
      ),
      {
        trigger: 'two threads',
        alsoViolates: ['threads.only-own-messages', 'threads.message-never-changes'],
      },
    ),
    deviation(
      'resources.created-id-repeats',
      'Answers every third creation with the id of the one before.',
      replyRemembering(
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
      {
        trigger: 'every third creation',
        alsoViolates: [
          'threads.created-is-listed',
          'threads.listed-as-created',
          'threads.read-your-writes',
          'threads.no-phantom-messages',
        ],
      },
    ),
  ],
} as const satisfies Pick<DeviationTable<'resources'>, `resources.${Part}`>

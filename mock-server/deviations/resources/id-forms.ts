/** Deviations of chapter resources: ids in other forms than the hyphenated UUID. */

import { editAt, editTextAt } from '../../overrides/json-edit.ts'
import { originOf, overrideIds } from '../../overrides/records.ts'
import { appliesTo, overrideAccepted, overrideReply } from '../../overrides/replies.ts'
import { type DeviationTable, deviation } from '../deviation-row.ts'

const plain = (id: string): string => id.replaceAll('-', '')
const objectId = (id: string): string => plain(id).slice(0, 24)
const base64 = (id: string): string => Buffer.from(plain(id), 'hex').toString('base64url')
const ulid = (id: string): string =>
  `01J${plain(id)
    .toUpperCase()
    .replace(/[ILOU]/g, '0')
    .slice(0, 23)}`

const messageIds = (where: Parameters<typeof appliesTo>[0], form: (id: string) => string) =>
  overrideIds('message', (id, context) => (appliesTo(where, originOf(context)) ? form(id) : id))

const threadIds = (where: Parameters<typeof appliesTo>[0], form: (id: string) => string) =>
  overrideIds('thread', (id, context) => (appliesTo(where, originOf(context)) ? form(id) : id))

export const idForms = {
  'resources.id-is-uuid': [
    deviation(
      'resources.message-id-without-hyphens',
      'Gives created messages ids without hyphens.',
      messageIds('createMessage', plain),
    ),
    deviation(
      'resources.completion-id-prefixed',
      'Prefixes the id of a completion.',
      messageIds('createChatCompletion', (id) => `chatcmpl-${plain(id)}`),
    ),
    deviation('resources.run-answer-id-ulid', 'Gives the answers of runs ULIDs.', messageIds('runThread', ulid)),
    deviation(
      'resources.stream-message-id-urn',
      'Writes the message_id of a streamed completion as a URN.',
      messageIds('streamChatCompletion', (id) => `urn:uuid:${id}`),
    ),
    deviation(
      'resources.events-message-id-braced',
      'Writes the message_id of an events stream in braces.',
      messageIds('streamChatCompletionEvents', (id) => `{${id}}`),
    ),
    deviation(
      'resources.run-stream-message-id-short',
      'Gives the answers of streamed runs ids of 24 hex digits.',
      messageIds('streamThreadRun', objectId),
    ),
    deviation(
      'resources.only-answer-id-truncated',
      'Cuts the ids of the second answer of a thread at 35 characters.',
      overrideIds('message', (id, { command, thread }) =>
        command.operation === 'runThread' && (thread?.answers ?? 0) > 0 ? id.slice(0, 35) : id,
      ),
      { trigger: 'a thread that was answered before' },
    ),
    deviation(
      'resources.thread-id-without-hyphens',
      'Gives threads ids without hyphens.',
      threadIds('createThread', plain),
    ),
    deviation(
      'resources.completion-thread-id-prefixed',
      'Prefixes the ids of threads that completions make.',
      threadIds('createChatCompletion', (id) => `thread_${plain(id)}`),
    ),
    deviation(
      'resources.stream-thread-id-short',
      'Gives the threads of streamed completions ids of 24 hex digits.',
      threadIds('streamChatCompletion', objectId),
    ),
    deviation(
      'resources.events-thread-id-base64',
      'Gives the threads of events streams ids in base64.',
      threadIds('streamChatCompletionEvents', base64),
    ),
    deviation(
      'resources.listed-thread-id-cut',
      'Cuts the thread_id of listed messages at 35 characters.',
      overrideAccepted(
        'listMessages',
        editTextAt('thread_id', (id) => id.slice(0, 35)),
      ),
    ),
    deviation(
      'resources.listed-answer-id-braced',
      'Writes the ids of listed answers in braces.',
      overrideAccepted(
        'listMessages',
        editTextAt('id', (id) => `{${id}}`),
        ({ role }) => role === 'assistant',
      ),
      { trigger: 'an assistant message in the list' },
    ),
    deviation(
      'resources.run-thread-id-without-hyphens',
      'Answers a run with a thread_id without hyphens.',
      overrideAccepted('runThread', editTextAt('thread_id', plain)),
    ),
    deviation(
      'resources.created-thread-id-upper-urn',
      'Answers a creation with the thread_id as a URN.',
      overrideAccepted(
        'createMessage',
        editTextAt('thread_id', (id) => `urn:uuid:${id}`),
      ),
    ),
    deviation(
      'resources.assistant-id-prefixed',
      'Prefixes the id of an assistant that is read by itself.',
      overrideReply(
        'getAssistant',
        editTextAt('id', (id) => `asst_${plain(id)}`),
      ),
    ),
    deviation(
      'resources.last-assistant-id-plain',
      'Lists the last assistant under an id without hyphens.',
      overrideReply('listAssistants', (json) =>
        Array.isArray(json)
          ? json.map((record, index) =>
              index > 0 && index === json.length - 1 ? editTextAt('id', plain)(record) : record,
            )
          : json,
      ),
      { trigger: 'the last of several assistants' },
    ),
    deviation(
      'resources.file-id-prefixed',
      'Prefixes the ids of files.',
      overrideIds('file', (id) => `file-${plain(id)}`),
    ),
    deviation(
      'resources.tenant-id-is-name',
      'Sends a slug as the id of the tenant.',
      overrideReply('listMyApiKeys', (json) => editTextAt('id', (id) => `tenant-${id.slice(0, 8)}`)(json)),
    ),
    deviation(
      'resources.key-id-sequential',
      'Sends the row number as the id of a key.',
      overrideReply(
        'listMyApiKeys',
        editAt('api_keys.*.id', (id) => String(Number.parseInt(String(id).slice(0, 6), 16))),
      ),
    ),
  ],
} as const satisfies Pick<DeviationTable<'resources'>, 'resources.id-is-uuid'>

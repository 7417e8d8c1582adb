/** Deviations of chapter resources: messages with fields missing, renamed or of another type. */

import type { OperationId } from '../../../spec/index.ts'
import { dropField, editAt, renameField, replaceWith } from '../../overrides/json-edit.ts'
import { overrideAccepted, roleIs } from '../../overrides/replies.ts'
import { bytesIn } from '../../overrides/text-corruption.ts'
import { type DeviationTable, deviation } from '../deviation-row.ts'

const completion: OperationId = 'createChatCompletion'

export const messageFields = {
  'resources.message-fields': [
    deviation(
      'resources.completion-message-id',
      'Names the id of a completion message_id.',
      overrideAccepted(completion, renameField('id', 'message_id')),
    ),
    deviation(
      'resources.completion-thread-id-dropped',
      'Leaves thread_id out of a completion.',
      overrideAccepted(completion, editAt('thread_id', dropField)),
    ),
    deviation(
      'resources.completion-role-null',
      'Sends null as the role of a completion.',
      overrideAccepted(completion, editAt('role', replaceWith(null))),
    ),
    deviation(
      'resources.completion-content-parts',
      'Sends the content of a completion as a list of parts.',
      overrideAccepted(
        completion,
        editAt('content', (content) => [{ type: 'text', text: content }]),
      ),
    ),
    deviation(
      'resources.completion-created',
      'Names the created_at of a completion created.',
      overrideAccepted(completion, renameField('created_at', 'created')),
    ),
    deviation(
      'resources.run-id-number',
      'Sends the id of an answer as a number.',
      overrideAccepted(
        'runThread',
        editAt('id', (id) => Number.parseInt(String(id).slice(0, 8), 16)),
      ),
    ),
    deviation(
      'resources.run-thread-id-dropped',
      'Leaves thread_id out of the answer of a run.',
      overrideAccepted('runThread', editAt('thread_id', dropField)),
    ),
    deviation(
      'resources.run-role-dropped',
      'Leaves role out of the answer of a run.',
      overrideAccepted('runThread', editAt('role', dropField)),
    ),
    deviation(
      'resources.run-content-object',
      'Sends the content of an answer as an object with a value.',
      overrideAccepted(
        'runThread',
        editAt('content', (content) => ({ value: content })),
      ),
    ),
    deviation(
      'resources.run-created-at-unix',
      'Sends the created_at of an answer as a number.',
      overrideAccepted(
        'runThread',
        editAt('created_at', (timestamp) => Math.floor(Date.parse(String(timestamp)) / 1000)),
      ),
    ),
    deviation(
      'resources.created-id-dropped',
      'Answers a creation without the id.',
      overrideAccepted('createMessage', editAt('id', dropField)),
    ),
    deviation(
      'resources.created-thread-id-camel',
      'Answers a creation with threadId.',
      overrideAccepted('createMessage', renameField('thread_id', 'threadId')),
    ),
    deviation(
      'resources.created-role-dropped',
      'Answers a creation without the role when it is user.',
      overrideAccepted('createMessage', editAt('role', dropField), roleIs('user')),
    ),
    deviation(
      'resources.created-content-dropped',
      'Answers a creation without the content when it is long.',
      overrideAccepted('createMessage', editAt('content', dropField), ({ content }) => bytesIn(String(content)) > 4096),
      { trigger: 'content above 4,096 bytes' },
    ),
    deviation(
      'resources.created-stamp-null',
      'Answers a creation before the store has stamped it: created_at is null.',
      overrideAccepted('createMessage', editAt('created_at', replaceWith(null))),
    ),
    deviation(
      'resources.listed-id-camel',
      'Lists messages with messageId instead of id.',
      overrideAccepted('listMessages', renameField('id', 'messageId')),
    ),
    deviation(
      'resources.listed-without-thread-id',
      'Lists messages without thread_id.',
      overrideAccepted('listMessages', editAt('thread_id', dropField)),
    ),
    deviation(
      'resources.listed-tool-role-null',
      'Lists tool messages with a role of null.',
      overrideAccepted('listMessages', editAt('role', replaceWith(null)), roleIs('tool')),
      { trigger: 'a tool message' },
    ),
    deviation(
      'resources.listed-content-as-text',
      'Lists the content of answers as text.',
      overrideAccepted('listMessages', renameField('content', 'text'), roleIs('assistant')),
      { trigger: 'an assistant message in the list' },
    ),
    deviation(
      'resources.listed-system-without-created-at',
      'Lists system messages without created_at.',
      overrideAccepted('listMessages', editAt('created_at', dropField), roleIs('system')),
      { trigger: 'a system message' },
    ),
  ],
} as const satisfies Partial<DeviationTable<'resources'>>

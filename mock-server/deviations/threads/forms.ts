/** Deviations of chapter threads in the messages that a creation takes and refuses. */
import type { HookOverride } from '../../exchange/hooks.ts'
import { overrideRejection } from '../../overrides/errors.ts'
import { editAt, isObject, replaceWith } from '../../overrides/json-edit.ts'
import { overrideStoredMessages } from '../../overrides/records.ts'
import { acceptBodies, addRule, contentIn, fieldRejection, rejectRequests, skipRule } from '../../overrides/rules.ts'
import type { Json, JsonObject } from '../../scenario/scenario.ts'
import { type DeviationTable, deviation } from '../deviation-row.ts'

export const threadForms = {
  'threads.roles-accepted': [
    deviation('threads.assistant-role-refused', 'Refuses messages of role assistant.', refusesRole('assistant')),
    deviation(
      'threads.system-role-refused',
      'Refuses system messages, the first of a thread too.',
      refusesRole('system'),
    ),
    deviation(
      'threads.second-user-refused',
      'Refuses a user message after a user message.',
      addRule(
        'closed-completion-thread',
        ({ command, thread }) =>
          command.operation === 'createMessage' && command.message.role === 'user' && thread?.lastRole === 'user',
      ),
      { trigger: 'two user messages in a row' },
    ),
    deviation(
      'threads.assistant-first-refused',
      'Refuses an assistant message at the start of a thread.',
      addRule(
        'closed-completion-thread',
        ({ command, thread }) =>
          command.operation === 'createMessage' && command.message.role === 'assistant' && thread?.log.size === 0,
      ),
      { trigger: 'an assistant message at the start' },
    ),
  ],
  'threads.empty-content-refused': [
    deviation('threads.empty-content-stored', 'Takes messages without content.', skipRule('empty-content')),
    deviation(
      'threads.empty-system-content-stored',
      'Takes system messages without content.',
      takesEmpty((role) => role !== 'user'),
      { trigger: 'another role than user' },
    ),
    deviation(
      'threads.empty-result-stored',
      'Takes results of tools without content.',
      takesEmpty((role) => role === 'tool'),
      { trigger: 'the result of a call' },
    ),
    deviation(
      'threads.empty-instruction-stored',
      'Takes a system message without content.',
      takesEmpty((role) => role === 'system'),
      { trigger: 'a system message' },
    ),
    deviation(
      'threads.empty-content-with-file-stored',
      'Takes messages without content when they carry a file.',
      skipRule(
        'empty-content',
        ({ command }) => command.operation === 'createMessage' && (command.message.file_ids?.length ?? 0) > 0,
      ),
      { trigger: 'a message that carries a file' },
    ),
    deviation(
      'threads.empty-content-other-code',
      'Refuses empty content as bad_request.',
      overrideRejection('createMessage', 'message_content_empty', editAt('error_code', replaceWith('bad_request'))),
    ),
    deviation(
      'threads.empty-content-camel-code',
      'Sends the code in camel case.',
      overrideRejection(
        'createMessage',
        'message_content_empty',
        editAt('error_code', replaceWith('messageContentEmpty')),
      ),
    ),
    deviation('threads.empty-content-replaced', 'Stores a placeholder for empty content.', acceptsEmpty()),
  ],
  'threads.content-required': [
    deviation(
      'threads.missing-content-stored',
      'Stores the word null when content is missing.',
      createdWith(
        ({ content }) => content === undefined,
        () => 'null',
      ),
    ),
    deviation(
      'threads.number-content-stored',
      'Turns content that is a number into text.',
      createdWith(({ content }) => typeof content === 'number', String),
    ),
    deviation(
      'threads.list-content-joined',
      'Joins content that is a list.',
      createdWith(
        ({ content }) => Array.isArray(content),
        (content) => JSON.stringify(content),
      ),
    ),
    deviation(
      'threads.null-content-stored',
      'Stores the word None when content is null.',
      createdWith(
        ({ content }) => content === null,
        () => 'None',
      ),
    ),
    deviation(
      'threads.object-content-stored',
      'Turns content that is an object into text.',
      createdWith(
        ({ content }) => isObject(content),
        () => '[object Object]',
      ),
    ),
    deviation(
      'threads.boolean-content-stored',
      'Turns content that is a boolean into text.',
      createdWith(({ content }) => typeof content === 'boolean', String),
    ),
  ],
  'threads.posted-assistant-fields': [
    deviation(
      'threads.posted-assistant-without-meta-data',
      'Stores no meta_data with an assistant message that a client adds.',
      overrideStoredMessages((message) => {
        const { meta_data: _metaData, ...rest } = message
        return isPostedByClient(message) ? rest : message
      }),
    ),
    deviation(
      'threads.posted-assistant-with-null-sources',
      'Shows null as the sources of an assistant message that a client adds.',
      overrideStoredMessages((message) => (isPostedByClient(message) ? { ...message, sources: null } : message)),
    ),
  ],
  'threads.role-known': [
    deviation(
      'threads.unknown-role-is-user',
      'Takes a role that it does not know for user.',
      withRole(
        ({ role }) => typeof role === 'string',
        () => 'user',
      ),
    ),
  ],
  'threads.role-required': [
    deviation(
      'threads.role-defaults-to-user',
      'Takes a message without a role for one of the user.',
      withRole(
        ({ role }) => role === undefined,
        () => 'user',
      ),
    ),
    deviation(
      'threads.null-role-defaults-to-user',
      'Takes a message without a role, or with null, for one of the assistant.',
      withRole(
        ({ role }) => role === undefined || role === null,
        () => 'assistant',
      ),
    ),
  ],
} as const satisfies Partial<DeviationTable<'threads'>>

function refusesRole(role: string): HookOverride {
  return rejectRequests(
    'createMessage',
    ({ body }) => (body as JsonObject).role === role,
    fieldRejection('role', 'must be user or tool', 'literal_error'),
  )
}

/** Takes messages of some roles without content. */
function takesEmpty(isTaken: (role: string) => boolean): HookOverride {
  return skipRule(
    'empty-content',
    ({ command }) => command.operation === 'createMessage' && isTaken(command.message.role),
  )
}

function acceptsEmpty(): HookOverride {
  return {
    hook: 'validate',
    wrap: (next) => (input, exchange) => {
      if (input.operation !== 'createMessage' || !isObject(input.body as Json) || contentIn(input) !== '')
        return next(input, exchange)
      const body = input.body as JsonObject
      return next(body.content === '' ? { ...input, body: { ...body, content: '(empty)' } } : input, exchange)
    },
  }
}

function createdWith(when: (body: JsonObject) => boolean, content: (value: Json) => string): HookOverride {
  return acceptBodies('createMessage', (body) =>
    when(body) ? { ...body, content: content(body.content ?? null) } : body,
  )
}

function withRole(when: (body: JsonObject) => boolean, role: (value: string) => string): HookOverride {
  return acceptBodies('createMessage', (body) => (when(body) ? { ...body, role: role(String(body.role)) } : body))
}

/** A client's assistant message has empty meta_data where the client sent none. */
const isPostedByClient = ({ role, meta_data: metaData }: JsonObject): boolean =>
  role === 'assistant' && isObject(metaData) && Object.keys(metaData).length === 0

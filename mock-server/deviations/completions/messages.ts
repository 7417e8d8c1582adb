/** Deviations of chapter completions in the messages and users that a body may name. */

import type { HookOverride } from '../../exchange/hooks.ts'
import type { RequestInput } from '../../exchange/request-input.ts'
import { editAt, isObject } from '../../overrides/json-edit.ts'
import type { Where } from '../../overrides/replies.ts'
import { acceptBodies, fieldRejection, messagesIn, rejectRequests } from '../../overrides/rules.ts'
import type { Json, JsonObject } from '../../scenario/scenario.ts'
import { type DeviationTable, deviation } from '../deviation-row.ts'

const plain = 'createChatCompletion'

const stream = 'streamChatCompletion'

const events = 'streamChatCompletionEvents'

const all = [plain, stream, events] as const

const defaultsMessages = (where: Where, when: (body: JsonObject) => boolean): HookOverride =>
  acceptBodies(where, (body) => (when(body) ? { ...body, messages: [{ role: 'user', content: 'Hello' }] } : body))

/** Repairs single entries of messages; a body in which there is nothing to repair stays as it is. */
const repairs = (where: Where, edit: (entry: Json, index: number) => Json | undefined): HookOverride =>
  acceptBodies(where, (body) => {
    const { messages } = body
    if (!Array.isArray(messages)) return body
    const edited = messages.map((entry: Json, index) => edit(entry, index))
    if (edited.every((entry, index) => entry === messages[index])) return body
    const repaired = edited.filter((entry) => entry !== undefined)
    return {
      ...body,
      messages: repaired.some((entry) => isObject(entry) && entry.role === 'user')
        ? repaired
        : [...repaired, { role: 'user', content: 'Hello' }],
    }
  })

const fieldOf = (entry: Json, field: string): Json | undefined => (isObject(entry) ? entry[field] : undefined)

const endsOnOther = (input: RequestInput): boolean => messagesIn(input).at(-1)?.role !== 'user'

export const completionMessages = {
  'completions.user-message-anywhere': [
    deviation(
      'completions.reads-last-message',
      'Refuses a completion whose last message is not of a user.',
      rejectRequests(
        plain,
        endsOnOther,
        fieldRejection('messages', 'The last message has to be of a user', 'value_error'),
      ),
      { trigger: 'a message behind the question' },
    ),
  ],
  'completions.messages-required': [
    deviation(
      'completions.messages-default',
      'Greets the assistant when messages are missing.',
      defaultsMessages(all, ({ messages }) => messages === undefined),
    ),
    deviation(
      'completions.no-messages-accepted',
      'Greets the assistant when messages are empty.',
      defaultsMessages(all, ({ messages }) => Array.isArray(messages) && messages.length === 0),
    ),
    deviation(
      'completions.no-messages-accepted-in-stream',
      'Checks that there are messages in the plain form only.',
      defaultsMessages(
        [stream, events],
        ({ messages }) => messages === undefined || (Array.isArray(messages) && messages.length === 0),
      ),
    ),
  ],
  'completions.needs-user-message': [
    deviation(
      'completions.answers-without-user',
      'Answers messages among which none is of the user.',
      acceptBodies(all, (body) => {
        const { messages } = body
        const speaks = Array.isArray(messages) && messages.length > 0
        return speaks ? { ...body, messages: [...messages, { role: 'user', content: ' ' }] } : body
      }),
    ),
    deviation(
      'completions.answers-system-alone',
      'Answers a system message alone.',
      acceptBodies(plain, (body) => {
        const { messages } = body
        const alone =
          Array.isArray(messages) && messages.length === 1 && fieldOf(messages[0] ?? null, 'role') === 'system'
        return alone ? { ...body, messages: [...messages, { role: 'user', content: ' ' }] } : body
      }),
      { trigger: 'a system message alone' },
    ),
    deviation(
      'completions.assistant-counts-as-user',
      'Counts messages of the assistant as messages of the user.',
      acceptBodies(all, (body) => {
        const { messages } = body
        const spoken = Array.isArray(messages) && messages.some((entry: Json) => fieldOf(entry, 'role') === 'assistant')
        return spoken ? { ...body, messages: [...messages, { role: 'user', content: ' ' }] } : body
      }),
      { trigger: 'messages of the assistant alone' },
    ),
  ],
  'completions.messages-well-typed': [
    deviation(
      'completions.single-message-wrapped',
      'Wraps messages that are no array.',
      acceptBodies(all, (body) =>
        isObject(body.messages) || typeof body.messages === 'string'
          ? {
              ...body,
              messages: [{ role: 'user', content: 'Hello', ...(isObject(body.messages) ? body.messages : {}) }],
            }
          : body,
      ),
    ),
    deviation(
      'completions.text-entries',
      'Takes an entry that is a text for a message of the user.',
      repairs(all, (entry) => (isObject(entry) ? entry : { role: 'user', content: String(entry) || ' ' })),
    ),
    deviation(
      'completions.content-optional',
      'Takes an entry without content.',
      repairs(all, (entry) => (isObject(entry) && entry.content === undefined ? { ...entry, content: ' ' } : entry)),
    ),
    deviation(
      'completions.role-optional',
      'Takes an entry without a role for one of the user.',
      repairs(all, (entry) => (isObject(entry) && entry.role === undefined ? { ...entry, role: 'user' } : entry)),
    ),
    deviation(
      'completions.role-of-any-type',
      'Takes an entry whose role is no string for one of the user.',
      repairs(all, (entry) =>
        isObject(entry) && entry.role !== undefined && typeof entry.role !== 'string'
          ? { ...entry, role: 'user' }
          : entry,
      ),
    ),
    deviation(
      'completions.null-entries-skipped',
      'Leaves out entries of messages that are null.',
      repairs(all, (entry) => (entry === null ? undefined : entry)),
      { trigger: 'an entry of null' },
    ),
    deviation(
      'completions.role-null-is-user',
      'Takes an entry whose role is null for one of the user.',
      repairs(all, (entry) => (isObject(entry) && entry.role === null ? { ...entry, role: 'user' } : entry)),
      { trigger: 'a role of null' },
    ),
    deviation(
      'completions.only-first-entry-checked',
      'Checks the first entry of messages and drops others that are not sound.',
      repairs(all, (entry, index) =>
        index === 0 || (typeof fieldOf(entry, 'content') === 'string' && typeof fieldOf(entry, 'role') === 'string')
          ? entry
          : undefined,
      ),
      { trigger: 'a fault in the second entry' },
    ),
  ],
  'completions.content-is-text': [
    deviation(
      'completions.content-coerced',
      'Turns content that is no string into text.',
      repairs(all, (entry) =>
        isObject(entry) && entry.content !== undefined && typeof entry.content !== 'string'
          ? { ...entry, content: JSON.stringify(entry.content) }
          : entry,
      ),
    ),
    deviation(
      'completions.content-of-others-null',
      'Checks the content of the user only, and takes null from others.',
      repairs(all, (entry) =>
        isObject(entry) && entry.role !== 'user' && entry.content === null ? { ...entry, content: ' ' } : entry,
      ),
      { trigger: 'content of null in a message of somebody else' },
    ),
  ],
  'completions.role-known': [
    deviation(
      'completions.unknown-role-is-user',
      'Takes a role that it does not know for user.',
      repairs(all, knownRole),
    ),
    deviation(
      'completions.role-inherited-name',
      'Looks a role up in an object, which has names that it inherits.',
      repairs(all, (entry) =>
        isObject(entry) && typeof entry.role === 'string' && entry.role in {} ? { ...entry, role: 'user' } : entry,
      ),
      { trigger: 'a role such as constructor' },
    ),
    deviation(
      'completions.unknown-role-in-stream',
      'Checks roles in the plain form only.',
      repairs([stream, events], knownRole),
    ),
    deviation(
      'completions.unknown-role-later',
      'Checks the role of the first entry only.',
      repairs(all, (entry, index) => (index === 0 ? entry : knownRole(entry))),
      { trigger: 'a role of the second entry' },
    ),
  ],
  'completions.user-id-is-uuid': [
    deviation(
      'completions.user-id-of-any-form',
      'Does not look at user_id.',
      ignoresUserId(all, () => true),
    ),
    deviation(
      'completions.user-id-text',
      'Takes any text for a user_id.',
      ignoresUserId(all, ({ user_id: id }) => typeof id === 'string'),
    ),
    deviation(
      'completions.user-id-number',
      'Looks at the form of a user_id that is a text, and takes anything else.',
      ignoresUserId(all, ({ user_id: id }) => typeof id !== 'string'),
      { trigger: 'a user_id that is no text' },
    ),
    deviation(
      'completions.user-id-unless-falsy',
      'Looks at a user_id that is neither zero nor empty.',
      ignoresUserId(all, ({ user_id: id }) => id === 0 || id === ''),
      { trigger: 'a user_id of zero' },
    ),
    deviation(
      'completions.user-id-of-any-form-in-events',
      'Does not look at the user_id of events.',
      ignoresUserId(events, () => true),
    ),
  ],
} as const satisfies Partial<DeviationTable<'completions'>>

function knownRole(entry: Json): Json {
  if (!isObject(entry) || typeof entry.role !== 'string') return entry
  return ['user', 'system', 'tool', 'assistant'].includes(entry.role) ? entry : { ...entry, role: 'user' }
}

function ignoresUserId(where: Where, when: (body: JsonObject) => boolean): HookOverride {
  return acceptBodies(where, (body) => (when(body) ? (editAt('user_id', () => undefined)(body) as JsonObject) : body))
}

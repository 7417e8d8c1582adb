import type { RequestInput } from '../http/command-parser.ts'
import type { FieldFault } from '../machine/rejection.ts'
import type { Json, JsonObject } from '../scenario/scenario.ts'
import { refusal, type Where } from './bend-reply.ts'
import { acceptsBody, fieldRejection, misreads, refusesAs } from './bend-rule.ts'
import { type DeviationTable, deviation } from './deviation-row.ts'
import { at, isObject, replaced } from './json-edit.ts'

type Part =
  | 'assistant-id-required'
  | 'missing-assistant-id-error'
  | 'assistant-id-is-uuid'
  | 'messages-required'
  | 'needs-user-message'
  | 'messages-well-typed'
  | 'role-known'
  | 'user-id-is-uuid'
  | 'validation-error-names-field'
  | 'unknown-assistant-refused'
  | 'unknown-assistant-error'
  | 'required-fields-enforced'

const plain = 'createChatCompletion'
const stream = 'streamChatCompletion'
const events = 'streamChatCompletionEvents'
const all = [plain, stream, events] as const

const firstAssistant = ({ caller }: RequestInput): string => caller.tenant.assistants[0]?.id ?? ''
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Takes the tenant's first assistant where the id in the body is of a certain kind. */
import type { Bend } from '../seams.ts'

const defaultsAssistant = (where: Where, when: (body: JsonObject) => boolean): Bend =>
  acceptsBody(where, (body, input) => (when(body) ? { ...body, assistant_id: firstAssistant(input) } : body))

const defaultsMessages = (where: Where, when: (body: JsonObject) => boolean): Bend =>
  acceptsBody(where, (body) => (when(body) ? { ...body, messages: [{ role: 'user', content: 'Hello' }] } : body))

/** Repairs single entries of messages. */
const repairs = (where: Where, edit: (entry: Json, index: number) => Json | undefined): Bend =>
  acceptsBody(where, (body) => {
    const { messages } = body
    if (!Array.isArray(messages)) return body
    const repaired = messages.map((entry: Json, index) => edit(entry, index)).filter((entry) => entry !== undefined)
    return {
      ...body,
      messages: repaired.some((entry) => isObject(entry) && entry.role === 'user')
        ? repaired
        : [...repaired, { role: 'user', content: 'Hello' }],
    }
  })

const fieldOf = (entry: Json, field: string): Json | undefined => (isObject(entry) ? entry[field] : undefined)
const otherForm = { alsoViolates: ['streams.same-acceptance'] } as const

/** Rewords the refusal of a body that lacks assistant_id. */
const missingId = (where: Where, edit: (fault: FieldFault) => FieldFault): Bend =>
  refusesAs(where, (rejection, { body }) =>
    isObject(body as Json) && (body as JsonObject).assistant_id === undefined
      ? { ...rejection, faults: (rejection.faults ?? []).map(edit) }
      : rejection,
  )

const faultsAt = (edit: (loc: FieldFault['loc']) => FieldFault['loc']): Bend =>
  refusesAs([plain, stream], (rejection) => ({
    ...rejection,
    faults: (rejection.faults ?? []).map((fault) => ({ ...fault, loc: edit(fault.loc) })),
  }))

export const completionRequests = {
  'completions.assistant-id-required': [
    deviation(
      'completions.default-assistant',
      'Answers with the first assistant when none is named.',
      defaultsAssistant(all, ({ assistant_id: id }) => id === undefined),
      { alsoViolates: ['completions.missing-assistant-id-error'] },
    ),
    deviation(
      'completions.default-assistant-in-stream',
      'Streams with the first assistant when none is named.',
      defaultsAssistant(stream, ({ assistant_id: id }) => id === undefined),
      { alsoViolates: ['completions.missing-assistant-id-error', 'streams.same-acceptance'] },
    ),
    deviation(
      'completions.default-assistant-in-events',
      'Streams events with the first assistant when none is named.',
      defaultsAssistant(events, ({ assistant_id: id }) => id === undefined),
    ),
  ],
  'completions.missing-assistant-id-error': [
    deviation(
      'completions.missing-id-bad-request',
      'Refuses a missing assistant_id as bad_request.',
      refusesAs([plain, stream], (rejection, { body }) =>
        isObject(body as Json) && (body as JsonObject).assistant_id === undefined
          ? { reason: 'http.malformed' }
          : rejection,
      ),
      {
        alsoViolates: ['completions.validation-error-names-field'],
      },
    ),
    deviation(
      'completions.missing-id-without-body',
      'Leaves body out of the loc of a missing assistant_id.',
      missingId(plain, (fault) => ({ ...fault, loc: fault.loc.slice(1) })),
      { alsoViolates: ['completions.validation-error-names-field', 'streams.same-acceptance'] },
    ),
    deviation(
      'completions.missing-id-at-body',
      'Reports a missing assistant_id at the body as a whole.',
      missingId(stream, (fault) => ({ ...fault, loc: ['body'] })),
      otherForm,
    ),
    deviation(
      'completions.missing-id-type-uuid',
      'Reports a missing assistant_id as a UUID that cannot be read.',
      missingId([plain, stream], (fault) => ({ ...fault, type: 'uuid_parsing' })),
    ),
    deviation(
      'completions.missing-id-camel',
      'Reports a missing assistant_id by the name assistantId.',
      missingId([plain, stream], (fault) => ({
        ...fault,
        loc: fault.loc.map((segment) => (segment === 'assistant_id' ? 'assistantId' : segment)),
      })),
      {
        alsoViolates: ['completions.validation-error-names-field'],
      },
    ),
  ],
  'completions.assistant-id-is-uuid': [
    deviation(
      'completions.assistant-by-name',
      'Takes an assistant_id that is no UUID for a name, and the first assistant when there is none of it.',
      defaultsAssistant(all, ({ assistant_id: id }) => typeof id === 'string' && !uuid.test(id)),
    ),
    deviation(
      'completions.assistant-id-number',
      'Takes the first assistant when assistant_id is a number.',
      defaultsAssistant(all, ({ assistant_id: id }) => typeof id === 'number'),
    ),
    deviation(
      'completions.assistant-id-of-any-type',
      'Ignores an assistant_id that is no string.',
      defaultsAssistant(
        [plain, events],
        ({ assistant_id: id }) => id !== undefined && id !== null && typeof id !== 'string',
      ),
    ),
    deviation(
      'completions.assistant-id-null',
      'Takes the first assistant when assistant_id is null.',
      defaultsAssistant(all, ({ assistant_id: id }) => id === null),
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
      { alsoViolates: ['completions.needs-user-message'] },
    ),
    deviation(
      'completions.no-messages-accepted-in-stream',
      'Checks that there are messages in the plain form only.',
      defaultsMessages(
        [stream, events],
        ({ messages }) => messages === undefined || (Array.isArray(messages) && messages.length === 0),
      ),
      {
        alsoViolates: ['streams.same-acceptance', 'completions.needs-user-message'],
      },
    ),
  ],
  'completions.needs-user-message': [
    deviation(
      'completions.answers-without-user',
      'Answers messages among which none is of the user.',
      repairs(all, (entry) => entry),
    ),
    deviation(
      'completions.answers-system-alone',
      'Answers a system message alone.',
      acceptsBody(plain, (body) => {
        const { messages } = body
        const alone =
          Array.isArray(messages) && messages.length === 1 && fieldOf(messages[0] ?? null, 'role') === 'system'
        return alone ? { ...body, messages: [...messages, { role: 'user', content: ' ' }] } : body
      }),
      { trigger: 'a system message alone', ...otherForm },
    ),
    deviation(
      'completions.assistant-counts-as-user',
      'Counts messages of the assistant as messages of the user.',
      acceptsBody(all, (body) => {
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
      acceptsBody(all, (body) =>
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
      'completions.content-coerced',
      'Turns content that is no string into text.',
      repairs(all, (entry) =>
        isObject(entry) && entry.content !== undefined && typeof entry.content !== 'string'
          ? { ...entry, content: JSON.stringify(entry.content) }
          : entry,
      ),
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
      'completions.only-first-entry-checked',
      'Checks the first entry of messages and drops others that are not sound.',
      repairs(all, (entry, index) =>
        index === 0 || (typeof fieldOf(entry, 'content') === 'string' && typeof fieldOf(entry, 'role') === 'string')
          ? entry
          : undefined,
      ),
      {
        trigger: 'a fault in the second entry',
      },
    ),
  ],
  'completions.role-known': [
    deviation(
      'completions.unknown-role-is-user',
      'Takes a role that it does not know for user.',
      repairs(all, knownRole),
    ),
    deviation(
      'completions.unknown-role-in-stream',
      'Checks roles in the plain form only.',
      repairs([stream, events], knownRole),
      otherForm,
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
      'completions.user-id-of-any-form-in-events',
      'Does not look at the user_id of events.',
      ignoresUserId(events, () => true),
    ),
  ],
  'completions.validation-error-names-field': [
    deviation(
      'completions.faults-without-body',
      'Leaves body out of loc.',
      faultsAt((loc) => (loc.length > 1 ? loc.slice(1) : loc)),
      { alsoViolates: ['completions.missing-assistant-id-error'] },
    ),
    deviation(
      'completions.faults-of-request',
      'Puts the name of the handler argument into loc.',
      faultsAt(([where, ...rest]) => [where ?? 'body', 'request', ...rest]),
      { alsoViolates: ['completions.missing-assistant-id-error'] },
    ),
    deviation(
      'completions.faults-count-from-1',
      'Counts entries of messages from one.',
      faultsAt((loc) => loc.map((segment) => (typeof segment === 'number' ? segment + 1 : segment))),
      { trigger: 'a fault inside an entry of messages' },
    ),
    deviation(
      'completions.faults-as-bad-request',
      'Refuses faults inside of messages as bad_request.',
      refusesAs([plain, stream], (rejection) =>
        (rejection.faults ?? []).some(({ loc }) => loc.length > 2) ? { reason: 'http.malformed' } : rejection,
      ),
      {
        trigger: 'a fault inside an entry of messages',
      },
    ),
    deviation(
      'completions.other-field-first',
      'Reports user_id before the field that is wrong.',
      refusesAs([plain, stream], (rejection) => ({
        ...rejection,
        faults: [...(fieldRejection('user_id', 'is required', 'missing').faults ?? []), ...(rejection.faults ?? [])],
      })),
    ),
  ],
  'completions.unknown-assistant-refused': [
    deviation(
      'completions.unknown-assistant-replaced',
      'Answers with the first assistant when there is none with the id.',
      replacesUnknown(all, () => true),
      { alsoViolates: ['completions.unknown-assistant-error'] },
    ),
    deviation(
      'completions.unknown-assistant-replaced-in-stream',
      'Streams with the first assistant when there is none with the id.',
      replacesUnknown([stream, events], () => true),
      {
        alsoViolates: ['completions.unknown-assistant-error', 'streams.same-acceptance'],
      },
    ),
    deviation(
      'completions.nil-assistant-replaced',
      'Answers with the first assistant when the id is the nil UUID.',
      replacesUnknown(all, (id) => /^[0-]+$/.test(id)),
      { trigger: 'the nil UUID', alsoViolates: ['completions.unknown-assistant-error'] },
    ),
  ],
  'completions.unknown-assistant-error': [
    deviation(
      'completions.unknown-assistant-bad-request',
      'Refuses an unknown assistant as bad_request.',
      unknownAs('bad_request'),
    ),
    deviation(
      'completions.unknown-assistant-thread-not-found',
      'Refuses an unknown assistant as thread_not_found.',
      unknownAs('thread_not_found'),
    ),
    deviation(
      'completions.unknown-assistant-own-code',
      'Refuses an unknown assistant as assistant_not_found.',
      unknownAs('assistant_not_found'),
    ),
  ],
  'completions.required-fields-enforced': [
    deviation(
      'completions.required-root-ignored',
      'Does not check the fields that an assistant requires at the root.',
      acceptsBody(all, (body) => (body.user_data === undefined ? { ...body, user_data: { licence: 'none' } } : body)),
      {
        trigger: 'an assistant with required fields',
      },
    ),
    deviation(
      'completions.required-user-data-ignored',
      'Does not check the fields that an assistant requires inside user_data.',
      acceptsBody(all, (body) =>
        isObject(body.user_data) ? { ...body, user_data: { ...body.user_data, licence: 'none' } } : body,
      ),
      {
        trigger: 'an assistant with required fields',
      },
    ),
    deviation(
      'completions.required-fields-ignored-in-stream',
      'Checks the fields that an assistant requires in the plain form only.',
      acceptsBody([stream, events], (body) => ({ ...body, user_data: { licence: 'none' } })),
      {
        trigger: 'an assistant with required fields',
        ...otherForm,
      },
    ),
  ],
} as const satisfies Pick<DeviationTable<'completions'>, `completions.${Part}`>

function knownRole(entry: Json): Json {
  if (!isObject(entry) || typeof entry.role !== 'string') return entry
  return ['user', 'system', 'tool', 'assistant'].includes(entry.role) ? entry : { ...entry, role: 'user' }
}

function ignoresUserId(where: Where, when: (body: JsonObject) => boolean): Bend {
  return acceptsBody(where, (body) => (when(body) ? (at('user_id', () => undefined)(body) as JsonObject) : body))
}

/** Whether no tenant has an assistant with the id. */
function isUnknown(
  id: unknown,
  tenants: readonly { readonly assistants: readonly { readonly id: string }[] }[],
): boolean {
  return (
    typeof id === 'string' &&
    uuid.test(id) &&
    !tenants.some(({ assistants }) => assistants.some((assistant) => assistant.id === id.toLowerCase()))
  )
}

function replacesUnknown(where: Where, when: (id: string) => boolean): Bend {
  return misreads(where, (input, { world }) => {
    const { body } = input
    if (!isObject(body as Json)) return input
    const { assistant_id: id } = body as JsonObject
    if (!isUnknown(id, world.machine.cast.tenants) || !when(String(id))) return input
    return { ...input, body: { ...(body as JsonObject), assistant_id: firstAssistant(input) } }
  })
}

function unknownAs(code: string): Bend {
  return refusal([plain, stream], 'assistant_not_available', (json, { world, command }) => {
    const id = command !== null && 'assistantId' in command ? command.assistantId : null
    return isUnknown(id, world.machine.cast.tenants) ? at('error_code', replaced(code))(json) : json
  })
}

/** Deviations of chapter completions in the assistant that a body names and what it requires. */

import type { RequestInput } from '../../exchange/request-input.ts'
import { overrideRejection } from '../../overrides/errors.ts'
import { editAt, isObject, replaceWith } from '../../overrides/json-edit.ts'
import type { Where } from '../../overrides/replies.ts'
import { acceptBodies, misparseRequests } from '../../overrides/rules.ts'
import type { Json, JsonObject } from '../../scenario/scenario.ts'
import { type DeviationTable, deviation } from '../deviation-row.ts'

const plain = 'createChatCompletion'

const stream = 'streamChatCompletion'

const events = 'streamChatCompletionEvents'

const all = [plain, stream, events] as const

const firstAssistant = ({ caller }: RequestInput): string => caller.tenant.assistants[0]?.id ?? ''

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

import type { HookOverride } from '../../exchange/hooks.ts'

const defaultsAssistant = (where: Where, when: (body: JsonObject) => boolean): HookOverride =>
  acceptBodies(where, (body, input) => (when(body) ? { ...body, assistant_id: firstAssistant(input) } : body))

export const completionAssistants = {
  'completions.assistant-id-required': [
    deviation(
      'completions.default-assistant',
      'Answers with the first assistant when none is named.',
      defaultsAssistant(all, ({ assistant_id: id }) => id === undefined),
    ),
    deviation(
      'completions.default-assistant-in-stream',
      'Streams with the first assistant when none is named.',
      defaultsAssistant(stream, ({ assistant_id: id }) => id === undefined),
    ),
    deviation(
      'completions.default-assistant-in-events',
      'Streams events with the first assistant when none is named.',
      defaultsAssistant(events, ({ assistant_id: id }) => id === undefined),
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
  'completions.unknown-assistant-refused': [
    deviation(
      'completions.unknown-assistant-replaced',
      'Answers with the first assistant when there is none with the id.',
      replacesUnknown(all, () => true),
    ),
    deviation(
      'completions.unknown-assistant-replaced-in-stream',
      'Streams with the first assistant when there is none with the id.',
      replacesUnknown([stream, events], () => true),
    ),
    deviation(
      'completions.nil-assistant-replaced',
      'Answers with the first assistant when the id is the nil UUID.',
      replacesUnknown(all, (id) => /^[0-]+$/.test(id)),
      { trigger: 'the nil UUID' },
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
      acceptBodies(all, (body) => (body.user_data === undefined ? { ...body, user_data: { licence: 'none' } } : body)),
      { trigger: 'an assistant with required fields' },
    ),
    deviation(
      'completions.required-user-data-ignored',
      'Does not check the fields that an assistant requires inside user_data.',
      acceptBodies(all, (body) =>
        isObject(body.user_data) ? { ...body, user_data: { ...body.user_data, licence: 'none' } } : body,
      ),
      { trigger: 'an assistant with required fields' },
    ),
    deviation(
      'completions.required-user-data-at-the-root',
      'Finds a field that is required inside user_data at the root of the body as well.',
      acceptBodies(all, (body) =>
        isObject(body.user_data) && body.licence !== undefined
          ? { ...body, user_data: { licence: body.licence, ...body.user_data } }
          : body,
      ),
      { trigger: 'a required field that stands beside user_data' },
    ),
    deviation(
      'completions.required-user-data-null',
      'Takes null for the object that holds the required fields.',
      acceptBodies(all, (body) => (body.user_data === null ? { ...body, user_data: { licence: 'none' } } : body)),
      { trigger: 'null in the place of required user_data' },
    ),
    deviation(
      'completions.required-user-data-remembered',
      'Takes the user_data that a body lacks from an earlier one of the same user.',
      remembersUserData(),
      { trigger: 'a user who has sent the required fields before' },
    ),
    deviation(
      'completions.required-fields-ignored-in-stream',
      'Checks the fields that an assistant requires in the plain form only.',
      acceptBodies([stream, events], (body) => ({ ...body, user_data: { licence: 'none' } })),
      { trigger: 'an assistant with required fields' },
    ),
  ],
} as const satisfies Partial<DeviationTable<'completions'>>

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

function replacesUnknown(where: Where, when: (id: string) => boolean): HookOverride {
  return misparseRequests(where, (input, { world }) => {
    const { body } = input
    if (!isObject(body as Json)) return input
    const { assistant_id: id } = body as JsonObject
    if (!isUnknown(id, world.machine.scenario.tenants) || !when(String(id))) return input
    return { ...input, body: { ...(body as JsonObject), assistant_id: firstAssistant(input) } }
  })
}

function unknownAs(code: string): HookOverride {
  return overrideRejection([plain, stream], 'assistant_not_available', (json, { world, command }) => {
    const id = command !== null && 'assistantId' in command ? command.assistantId : null
    return isUnknown(id, world.machine.scenario.tenants) ? editAt('error_code', replaceWith(code))(json) : json
  })
}

function remembersUserData(): HookOverride {
  return {
    hook: 'validate',
    wrap: (next) => {
      const known = new Map<Json, Json>()
      return (input, exchange) => {
        const body = isObject(input.body as Json) ? (input.body as JsonObject) : {}
        const { user_id: user, user_data: given } = body
        if (user === undefined || !(all as readonly string[]).includes(input.operation)) return next(input, exchange)
        if (given !== undefined) known.set(user, given)
        const remembered = given ?? known.get(user)
        return next(remembered === undefined ? input : { ...input, body: { ...body, user_data: remembered } }, exchange)
      }
    },
  }
}

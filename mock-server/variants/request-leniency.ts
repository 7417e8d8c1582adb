/** Legal ways to read a request: leniencies, and strictness where the contract leaves it open. */

import type { HookOverride } from '../exchange/hooks.ts'
import type { InFlightRequest } from '../exchange/in-flight-request.ts'
import type { Parsed, RequestInput } from '../exchange/request-input.ts'
import { isObject } from '../overrides/json-edit.ts'
import { acceptBodies, messagesIn, misparseRequests, rejectRequests } from '../overrides/rules.ts'
import type { FieldFault } from '../reasons/reason.ts'
import type { Json, JsonObject } from '../scenario/scenario.ts'
import type { Variant } from './variant.ts'

const pydantic = { freedom: 'The contract does not say how strictly a value of a request is read.' } as const

const refuseWhen = (fault: (input: RequestInput, exchange: InFlightRequest) => FieldFault | null): HookOverride => ({
  hook: 'validate',
  wrap:
    (next) =>
    (input, exchange): Parsed => {
      const found = fault(input, exchange)
      return found === null
        ? next(input, exchange)
        : { kind: 'rejected', rejection: { reason: 'invalid-fields', faults: [found] } }
    },
})

const withQuery = (input: RequestInput, name: string, reread: (text: string) => string): RequestInput => {
  const text = input.query?.get(name) ?? null
  if (text === null) return input
  const query = new URLSearchParams(input.query ?? '')
  query.set(name, reread(text))
  return { ...input, query }
}

const hyphenated = (text: string): string => {
  const digits = text.replace(/^urn:uuid:|[{}-]/gi, '').toLowerCase()
  return /^[0-9a-f]{32}$/.test(digits) ? digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-') : text
}

const known: Readonly<Record<string, readonly string[]>> = {
  createChatCompletion: ['assistant_id', 'messages', 'user_id', 'user_data'],
  streamChatCompletion: ['assistant_id', 'messages', 'user_id', 'user_data'],
  streamChatCompletionEvents: ['assistant_id', 'messages', 'user_id', 'user_data'],
  createMessage: ['content', 'role', 'tool_call_id', 'tool_calls', 'file_ids'],
}

const body = (input: RequestInput): Readonly<Record<string, unknown>> => (isObject(input.body) ? input.body : {})

export const readingVariants: readonly Variant[] = [
  {
    id: 'completions.uuid-without-hyphens',
    because: pydantic,
    description: 'UUIDs of a body are read without hyphens, with braces or as URN too.',
    overrides: [
      misparseRequests('any', (input) => {
        const fields = body(input)
        const reread = ['assistant_id', 'user_id'].filter((name) => typeof fields[name] === 'string')
        const texts = reread.map((name) => [name, hyphenated(String(fields[name]))])
        return reread.length === 0 ? input : { ...input, body: { ...fields, ...Object.fromEntries(texts) } }
      }),
    ],
  },
  {
    id: 'completions.prefilled-answer-refused',
    because: 'completions.last-message',
    description: 'A completion whose last message is of the assistant is refused.',
    overrides: [
      rejectRequests(
        ['createChatCompletion', 'streamChatCompletion', 'streamChatCompletionEvents'],
        (input) => messagesIn(input).at(-1)?.role === 'assistant',
        { reason: 'no-user-message' },
      ),
    ],
  },
  {
    id: 'completions.assistant-messages-refused',
    because: 'completions.assistant-messages',
    description: 'A completion with a message of the assistant is refused.',
    overrides: [
      refuseWhen((input) => {
        const at = input.operation.includes('Completion')
          ? messagesIn(input).findIndex(({ role }) => role === 'assistant')
          : -1
        const loc = ['body', 'messages', at, 'role']
        return at < 0 ? null : { loc, message: "Input should be 'system', 'tool' or 'user'", type: 'literal_error' }
      }),
    ],
  },
  {
    id: 'completions.unknown-fields-refused',
    because: 'completions.unknown-body-fields',
    description: 'Body fields that the contract does not show are refused.',
    overrides: [
      refuseWhen((input) => {
        const allowed = known[input.operation]
        const unknown = Object.keys(body(input)).find((name) => allowed?.includes(name) === false)
        return unknown === undefined
          ? null
          : { loc: ['body', unknown], message: 'Extra inputs are not permitted', type: 'extra_forbidden' }
      }),
    ],
  },
  {
    id: 'completions.user-id-required',
    because: 'completions.user-id-required',
    description: 'A completion without user_id is refused.',
    overrides: [
      refuseWhen((input) =>
        input.operation.includes('Completion') &&
        isObject(input.body) &&
        !('user_id' in input.body) &&
        'assistant_id' in input.body
          ? { loc: ['body', 'user_id'], message: 'is required', type: 'missing' }
          : null,
      ),
    ],
  },
  {
    id: 'files.persist-spelt-freely',
    because: 'files.persist-spelling',
    description: 'persist is read as pydantic reads booleans: yes, on, 1, t.',
    overrides: [
      misparseRequests('any', (input) =>
        withQuery(input, 'persist', (text) =>
          /^(yes|y|on|1|t)$/i.test(text) ? 'true' : /^(no|n|off|0|f)$/i.test(text) ? 'false' : text,
        ),
      ),
    ],
  },
  {
    id: 'pagination.integer-spelt-freely',
    because: 'pagination.integer-spelling',
    description: 'limit is read as pydantic reads integers: +5, 05, 5.0, 1_0.',
    overrides: [
      misparseRequests('any', (input) =>
        withQuery(input, 'limit', (text) =>
          /^[+ ]?[\d_]+(\.0+)?$/.test(text) ? String(Math.trunc(Number(text.replaceAll('_', '')))) : text,
        ),
      ),
    ],
  },
  {
    id: 'pagination.limit-clamped',
    because: 'pagination.maximum-limit',
    description: 'A limit above 100 counts as 100, one below 1 as 1.',
    overrides: [
      misparseRequests('any', (input) =>
        withQuery(input, 'limit', (text) =>
          /^-?\d+$/.test(text) ? String(Math.min(100, Math.max(1, Number(text)))) : text,
        ),
      ),
    ],
  },
  {
    id: 'pagination.limit-above-100-refused',
    because: 'pagination.maximum-limit',
    description: 'A limit above 100 is refused.',
    overrides: [
      refuseWhen((input) =>
        Number(input.query?.get('limit')) > 100
          ? { loc: ['query', 'limit'], message: 'Input should be less than or equal to 100', type: 'less_than_equal' }
          : null,
      ),
    ],
  },
  {
    id: 'threads.malformed-id-validation-error',
    because: 'errors.malformed-thread-id',
    description: 'A thread id that is no UUID answers validation_error.',
    overrides: [
      refuseWhen((input) =>
        input.pathId !== '' && input.operation !== 'getAssistant' && !/^[0-9a-f-]{36}$/i.test(input.pathId)
          ? { loc: ['path', 'thread_id'], message: 'Input should be a valid UUID', type: 'uuid_parsing' }
          : null,
      ),
    ],
  },
  {
    id: 'threads.late-system-refused',
    because: 'threads.late-system-message',
    description: 'A system message that is not the first of its thread is refused.',
    overrides: [
      refuseWhen((input, { world }) =>
        input.operation === 'createMessage' &&
        body(input).role === 'system' &&
        (world.state.threads.get(input.pathId)?.log.size ?? 0) > 0
          ? { loc: ['body', 'role'], message: 'A system message comes first', type: 'value_error' }
          : null,
      ),
    ],
  },
  {
    id: 'threads.blank-content-refused',
    because: 'threads.blank-content',
    description: 'Content of blanks alone counts as empty.',
    overrides: [
      {
        hook: 'checkRule',
        wrap: (next) => (reason, broken, context) =>
          next(reason, broken || (reason === 'empty-content' && isBlank(context.command)), context),
      },
    ],
  },
  {
    id: 'threads.client-identity-refused',
    because: 'completions.unknown-body-fields',
    description: 'A message that brings its own id, thread_id or created_at is refused.',
    overrides: [
      refuseWhen((input) => {
        const brought = ['id', 'thread_id', 'created_at'].find((name) => name in body(input))
        return input.operation === 'createMessage' && brought !== undefined
          ? { loc: ['body', brought], message: 'Extra inputs are not permitted', type: 'extra_forbidden' }
          : null
      }),
    ],
  },
  {
    id: 'threads.role-spelled-freely',
    because: pydantic,
    description: 'The role of a message is read in any case and with blanks around it.',
    overrides: [acceptBodies('createMessage', withRoleReadFreely)],
  },
  {
    id: 'threads.run-body-required',
    because: 'threads.run-without-body',
    description: 'A run needs a JSON object as body, an empty one will do.',
    overrides: [
      refuseWhen((input) =>
        (input.operation === 'runThread' || input.operation === 'streamThreadRun') && input.body === undefined
          ? { loc: ['body'], message: 'is required', type: 'missing' }
          : null,
      ),
    ],
  },
]

const isBlank = (command: { readonly operation: string; readonly message?: { readonly content: string } }): boolean =>
  command.operation === 'createMessage' && command.message?.content.trim() === ''

function withRoleReadFreely(sent: JsonObject): Json {
  return typeof sent.role === 'string' ? { ...sent, role: sent.role.trim().toLowerCase() } : sent
}

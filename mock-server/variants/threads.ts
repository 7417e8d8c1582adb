/** Legal ways to keep threads, tool calls and keys. */
import { logOf } from '../machine/message-log.ts'
import { emptyThread, withThread } from '../machine/state.ts'
import { otherCode } from '../overrides/errors.ts'
import { overrideHeaders, overrideStatus } from '../overrides/heads.ts'
import { isObject } from '../overrides/json-edit.ts'
import { overrideAnswers, overrideStep, overrideStoredMessages } from '../overrides/records.ts'
import { overrideObject } from '../overrides/replies.ts'
import { fieldRejection, misparseRequests, rejectRequests } from '../overrides/rules.ts'
import { siblingOf } from '../overrides/text-corruption.ts'
import { isUuid } from '../randomness/uuid.ts'
import type { Json, JsonObject } from '../scenario/scenario.ts'
import type { Variant } from './variant.ts'

/** The calls that a message asks for and the one that it answers. */
function callIdsIn(body: Json): readonly string[] {
  if (!isObject(body)) return []
  const { tool_calls: calls, tool_call_id: answered } = body
  const asked = Array.isArray(calls) ? calls.filter(isObject).map(({ id }) => id) : []
  return [...asked, answered].filter((id) => typeof id === 'string')
}

/** Another UUID for each id of a call. */
function asUuid(id: string): string {
  const digits = Buffer.from(id).toString('hex').slice(-32)
  return digits.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-8$4-$5')
}

const preconditions = ['no-user-message', 'open-tool-calls', 'no-message-to-answer'] as const

export const threadVariants: readonly Variant[] = [
  {
    id: 'threads.closed-is-not-found',
    because: 'threads.completion-thread-code',
    description: 'A message to a thread of a completion answers thread_not_found.',
    overrides: [
      otherCode(['closed-completion-thread'], 'thread_not_found', 'Thread not found'),
      overrideStatus((status, { reason }) => (reason === 'closed-completion-thread' ? 404 : status)),
    ],
  },
  {
    id: 'threads.created-by-first-message',
    because: 'threads.created-by-message',
    description: 'A message to an unknown thread creates it.',
    overrides: [
      overrideStep((next) => (state, command, tickUs) => {
        if (command.operation !== 'createMessage' || state.threads.has(command.threadId) || !isUuid(command.threadId))
          return next(state, command, tickUs)
        const { tenant } = command.caller
        const assistantId = tenant.assistants[0]?.id ?? ''
        const creation = { id: command.threadId, tenantId: tenant.id, assistantId, origin: 'created' } as const
        const outcome = next(withThread(state, emptyThread(creation, tickUs)), command, tickUs)
        return outcome.reply.kind === 'rejected' ? next(state, command, tickUs) : outcome
      }),
    ],
  },
  {
    id: 'tools.call-ids-in-any-case',
    because: 'tools.call-id-case',
    description: 'A tool message may write the id of its call in another case.',
    overrides: [
      overrideStep((next) => (state, command, tickUs) => {
        const calls = command.operation === 'createMessage' ? state.threads.get(command.threadId)?.calls : undefined
        if (command.operation !== 'createMessage' || calls === undefined) return next(state, command, tickUs)
        const { tool_call_id: given, ...message } = command.message
        const known = [...calls.keys()].find((id) => id.toLowerCase() === given?.toLowerCase())
        if (known === undefined) return next(state, command, tickUs)
        return next(state, { ...command, message: { ...message, tool_call_id: known } }, tickUs)
      }),
    ],
  },
  {
    id: 'tools.posted-calls-ignored',
    because: 'tools.posted-calls',
    description: 'Of an assistant message that a client adds, only content and role are kept.',
    overrides: [
      overrideStep((next) => (state, command, tickUs) => {
        if (command.operation !== 'createMessage') return next(state, command, tickUs)
        const { tool_calls: _ignored, ...message } = command.message
        return next(state, { ...command, message }, tickUs)
      }),
    ],
  },
  {
    id: 'tools.posted-calls-refused',
    because: 'tools.posted-calls',
    description: 'No client can add a message with tool calls.',
    overrides: [
      rejectRequests(
        'createMessage',
        ({ body }) => isObject(body as Json) && Object.hasOwn(body as JsonObject, 'tool_calls'),
        fieldRejection('tool_calls', 'Extra inputs are not permitted', 'extra_forbidden'),
      ),
    ],
  },
  {
    id: 'tools.call-ids-are-uuids',
    because: 'tools.call-id-form',
    description: 'Call ids are UUIDs; a message that names another one is refused for its form.',
    overrides: [
      overrideAnswers((answer) => ({
        ...answer,
        toolCalls: answer.toolCalls.map((call) => ({ ...call, id: asUuid(call.id) })),
      })),
      rejectRequests(
        'createMessage',
        ({ body }) => callIdsIn(body as Json).some((id) => !isUuid(id)),
        fieldRejection('tool_call_id', 'Input should be a valid UUID', 'uuid_parsing'),
      ),
    ],
  },
  {
    id: 'threads.preconditions-validation-error',
    because: 'threads.run-precondition-code',
    description: 'A run on a thread that is not ready answers validation_error.',
    overrides: [
      otherCode(preconditions, 'validation_error', [
        { loc: ['path', 'thread_id'], message: 'The thread is not ready', type: 'value_error' },
      ]),
      overrideStatus((status, { reason }) => (preconditions.some((one) => one === reason) ? 422 : status)),
    ],
  },
  {
    id: 'threads.preconditions-own-code',
    because: 'threads.run-precondition-code',
    description: 'A run on a thread that is not ready answers with a code of its own.',
    overrides: [
      otherCode(preconditions, 'thread_state_conflict', 'The thread is not ready'),
      overrideStatus((status, { reason }) => (preconditions.some((one) => one === reason) ? 409 : status)),
    ],
  },
  {
    id: 'threads.run-by-its-thread',
    because: { freedom: 'The contract does not show which field of a run names an assistant.' },
    description: 'A run is answered by the assistant of its thread, whatever its body names.',
    overrides: [misparseRequests(['runThread', 'streamThreadRun'], (input) => ({ ...input, body: {} }))],
  },
  {
    id: 'threads.one-assistant-only',
    because: { freedom: 'The contract does not say that several assistants may answer in one thread.' },
    description: 'A thread takes only the assistant that answered in it first.',
    overrides: [
      overrideStep((next) => {
        const first = new Map<string, string>()
        return (state, command, tickUs) => {
          const asked = 'assistantId' in command && 'threadId' in command ? command.assistantId : null
          const threadId = 'threadId' in command ? (command.threadId ?? '') : ''
          const known = first.get(threadId)
          const isOwn = 'caller' in command && command.caller.tenant.assistants.some(({ id }) => id === asked)
          if (asked !== null && isOwn && known !== undefined && known !== asked)
            return { state, reply: { kind: 'rejected', rejection: { reason: 'assistant-not-available' } } }
          const outcome = next(state, command, tickUs)
          if (asked !== null && outcome.reply.kind === 'run') first.set(outcome.reply.run.threadId, asked)
          return outcome
        }
      }),
    ],
  },
  {
    id: 'completions.sent-not-stored',
    because: 'completions.sent-messages-stored',
    description: 'The thread of a completion lists its answer, and none of the messages that were sent.',
    overrides: [
      overrideStep((next) => (state, command, tickUs) => {
        const outcome = next(state, command, tickUs)
        if (command.operation !== 'finishRun' || !/Completion$/.test(command.run.operation)) return outcome
        const thread = outcome.state.threads.get(command.run.threadId)
        if (thread === undefined || thread.answers > 1) return outcome
        const log = logOf([...thread.log].slice(-1))
        const bare = { ...emptyThread(thread, thread.lastTickUs), ordinal: thread.ordinal, answers: 1, log }
        return { ...outcome, state: withThread(outcome.state, { ...bare, lastRole: thread.lastRole }) }
      }),
    ],
  },
  listsKeys('tenancy.two-keys', 'A tenant has two keys.', (key) => [key, secondKey(key)]),
  listsKeys('tenancy.newest-key-first', 'A tenant has two keys, the newest first.', (key) => [secondKey(key), key]),
  listsKeys('tenancy.key-joined-twice', 'A key is listed twice, beside another.', (key) => [key, secondKey(key), key]),
  {
    id: 'threads.every-message-full',
    because: { freedom: 'The contract does not say that objects are closed.' },
    description: 'User, system and tool messages have empty meta_data and sources too.',
    overrides: [overrideStoredMessages((message) => ({ meta_data: {}, sources: [], tool_call_id: null, ...message }))],
  },
  {
    id: 'tools.other-structure',
    because: 'tools.call-structure',
    description: 'Assistant messages ask for tools in tool_requests with a call_id.',
    overrides: [
      overrideStoredMessages((message) => {
        const { tool_calls: calls, ...plain } = message
        return Array.isArray(calls)
          ? {
              ...plain,
              tool_requests: calls.filter(isObject).map(({ id = null, ...call }) => ({ call_id: id, ...call })),
            }
          : message
      }),
    ],
    profile: { tools: { callIds: '/tool_requests/*/call_id', resultField: 'tool_call_id' } },
  },
  {
    id: 'tenancy.masked-keys',
    because: 'tenancy.key-shown',
    description: 'Keys are shown masked.',
    overrides: [
      overrideObject('listMyApiKeys', (body) => ({
        ...body,
        api_keys: Array.isArray(body.api_keys)
          ? body.api_keys.map((key) => (isObject(key) ? { ...key, api_key: '••••••••' } : key))
          : [],
      })),
    ],
  },
  {
    id: 'errors.no-retry-after',
    because: 'errors.rate-limit-window',
    description: 'Rate limits are reported without Retry-After.',
    overrides: [overrideHeaders(({ 'retry-after': _after, ...headers }) => headers)],
  },
]

/** Lists more than the one key that the tenants of the reference scenario have. */
function listsKeys(id: string, description: string, listed: (key: JsonObject) => readonly JsonObject[]): Variant {
  const edit = overrideObject('listMyApiKeys', (body) => ({
    ...body,
    api_keys: Array.isArray(body.api_keys) ? body.api_keys.filter(isObject).flatMap(listed) : [],
  }))
  const because = { freedom: 'The contract does not say how many keys a tenant has, or in which order.' }
  return { id, because, description, overrides: [edit] }
}

function secondKey(key: JsonObject): JsonObject {
  return { ...key, id: siblingOf(String(key.id)), api_key: `${String(key.api_key)}-2` }
}

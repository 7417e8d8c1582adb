/** Deviations of chapter http: sound requests refused, paths moved. */

import type { HookOverride } from '../../exchange/hooks.ts'
import type { InFlightRequest } from '../../exchange/in-flight-request.ts'
import type { RequestInput } from '../../exchange/request-input.ts'
import { overrideHead } from '../../overrides/heads.ts'
import { isObject } from '../../overrides/json-edit.ts'
import { overrideStep } from '../../overrides/records.ts'
import { appliesTo, type Where } from '../../overrides/replies.ts'
import { addRule, contentIn, fieldRejection, messagesIn, rejectRequests, replaceCaller } from '../../overrides/rules.ts'
import { hasAstral, hasNonAscii } from '../../overrides/text-corruption.ts'
import type { Rejection } from '../../reasons/reasons.ts'
import type { Json, JsonObject } from '../../scenario/scenario.ts'
import { type DeviationRow, type DeviationTable, deviation } from '../deviation-row.ts'

const badContent = fieldRejection('content', 'holds characters that cannot be stored', 'value_error')

const badMessages = fieldRejection('messages', 'must be one message of the user', 'value_error')

const badRequest: Rejection = { reason: 'malformed-http' }

/** Whether a body names an assistant of the tenant whose record says that it does not stream. */
const namesWholeAssistant = ({ body, caller }: RequestInput): boolean => {
  const id = isObject(body as Json) ? (body as JsonObject).assistant_id : undefined
  return caller.tenant.assistants.some((assistant) => assistant.id === id && !assistant.streaming)
}

/** Whether the user_id of a body is a UUID of another version than that of chance. */
const hasOtherVersion = ({ body }: RequestInput): boolean => {
  const id = isObject(body as Json) ? (body as JsonObject).user_id : undefined
  return typeof id === 'string' && /^.{14}[1-35-8]/.test(id)
}

/** Refuses a sound request every so many times. */
const everyNth = (where: Where, n: number): HookOverride => ({
  hook: 'validate',
  wrap: (next) => {
    let count = 0
    return (input, exchange) => {
      const faithful = next(input, exchange)
      if (faithful.kind !== 'command' || !appliesTo(where, input.operation)) return faithful
      count += 1
      return count % n === 0 ? { kind: 'rejected', rejection: badRequest } : faithful
    }
  },
})

/** Refuses every run of a thread of which a run was refused because of its assistant. */
function lockedByRefusal(): HookOverride {
  return overrideStep((next) => {
    const locked = new Set<string>()
    return (state, command, tickUs) => {
      if (command.operation !== 'runThread' && command.operation !== 'streamThreadRun')
        return next(state, command, tickUs)
      if (locked.has(command.threadId))
        return { state, reply: { kind: 'rejected', rejection: { reason: 'no-user-message' } } }
      const outcome = next(state, command, tickUs)
      const { reply } = outcome
      if (reply.kind === 'rejected' && reply.rejection.reason === 'assistant-not-available')
        locked.add(command.threadId)
      return outcome
    }
  })
}

/** Serves operations under another path only. */
const movedAway = (where: Where): HookOverride =>
  replaceCaller((faithful, _request, exchange) =>
    appliesTo(where, exchange.operation) ? { reason: 'unknown-route' } : faithful,
  )

const unversioned = (id: `http.${string}`, what: string, where: Where): DeviationRow =>
  deviation(id, `Serves ${what} without the version in the path.`, movedAway(where))

export const httpService = {
  'http.operation-served': [
    deviation(
      'http.completion-without-system',
      'Refuses completions with a system message.',
      rejectRequests(
        'createChatCompletion',
        (input) => messagesIn(input).some(({ role }) => role === 'system'),
        badMessages,
      ),
      { trigger: 'a system message' },
    ),
    deviation(
      'http.completion-without-streaming',
      'Refuses whole completions by an assistant that does not stream.',
      rejectRequests('createChatCompletion', namesWholeAssistant, { reason: 'assistant-not-available' }),
      { trigger: 'an assistant that does not stream' },
    ),
    deviation(
      'http.run-without-streaming',
      'Refuses whole runs by an assistant that does not stream, for not streaming.',
      rejectRequests('runThread', namesWholeAssistant, { reason: 'streaming-not-supported' }),
      { trigger: 'a whole run by an assistant that does not stream' },
    ),
    deviation(
      'http.stream-without-history',
      'Refuses streamed completions with a message of the assistant.',
      rejectRequests(
        'streamChatCompletion',
        (input) => messagesIn(input).some(({ role }) => role === 'assistant'),
        badMessages,
      ),
      { trigger: 'a message of the assistant in the body' },
    ),
    deviation(
      'http.left-stream-locks-thread',
      'Streams no run in a thread in which a caller has left a stream.',
      locksLeftThread(),
      { trigger: 'a stream behind one that was left' },
    ),
    deviation(
      'http.user-id-of-version-4-only',
      'Refuses completions whose user_id is a UUID of another version than 4.',
      rejectRequests(
        'createChatCompletion',
        hasOtherVersion,
        fieldRejection('user_id', 'must be a UUID', 'uuid_parsing'),
      ),
      { trigger: 'a user_id of another version' },
    ),
    deviation(
      'http.events-without-astral',
      'Refuses events for text beyond the BMP.',
      rejectRequests(
        'streamChatCompletionEvents',
        (input) => messagesIn(input).some(({ content }) => hasAstral(String(content))),
        badMessages,
      ),
      { trigger: 'a message beyond the BMP' },
    ),
    deviation(
      'http.run-lock-stays',
      'Locks a thread for its run and never unlocks it.',
      addRule(
        'no-user-message',
        ({ command, thread }) =>
          command.operation === 'runThread' && (thread?.answers ?? 0) > 0 && thread?.lastRole === 'user',
      ),
      { trigger: 'the second run of a thread' },
    ),
    deviation(
      'http.run-lock-stays-after-refusal',
      'Locks a thread for its run and never unlocks it when the assistant is not available.',
      lockedByRefusal(),
      { trigger: 'a run of an assistant that is not available' },
    ),
    deviation(
      'http.streamed-run-without-system',
      'Refuses streamed runs of threads that start with a system message.',
      addRule('no-message-to-answer', ({ command, thread }) => {
        if (command.operation !== 'streamThreadRun') return false
        return Buffer.from(thread?.log.first() ?? []).includes('"role":"system"')
      }),
      { trigger: 'a thread with a system message' },
    ),
    deviation(
      'http.streamed-run-refused-behind-remark',
      'Takes any message of the assistant but one with calls for the answer, and refuses to stream after it.',
      addRule(
        'no-message-to-answer',
        ({ command, thread }) => command.operation === 'streamThreadRun' && thread !== null && holdsRemark(thread.log),
      ),
      { trigger: 'a message of the assistant in the middle of a thread' },
    ),
    deviation(
      'http.cursor-without-limit-only',
      'Refuses a list with both cursor and limit.',
      rejectRequests('listMessages', ({ query }) => query?.has('cursor') === true && query.has('limit'), badRequest),
      { trigger: 'a cursor with a limit' },
    ),
    deviation(
      'http.content-without-ascii-is-empty',
      'Drops what is not ASCII before it looks whether content is empty.',
      rejectRequests('createMessage', (input) => /^[^\x20-\x7e\s]+$/.test(contentIn(input)), badContent),
      { trigger: 'content without a letter of ASCII, such as one emoji' },
    ),
    deviation(
      'http.message-of-one-line',
      'Refuses content with a line feed.',
      rejectRequests('createMessage', (input) => contentIn(input).includes('\n'), badContent),
      { trigger: 'content with a line feed' },
    ),
    deviation(
      'http.message-without-astral',
      'Refuses content beyond the BMP.',
      rejectRequests('createMessage', (input) => hasAstral(contentIn(input)), badContent),
      { trigger: 'content beyond the BMP' },
    ),
    deviation(
      'http.message-that-looks-like-sql',
      'Refuses content that a firewall takes for an injection.',
      rejectRequests('createMessage', (input) => /select\b.*\bfrom|<script|--/i.test(contentIn(input)), badContent),
      { trigger: 'content with markup or SQL' },
    ),
    deviation(
      'http.every-third-list-refused',
      'Refuses every third list of assistants.',
      everyNth('listAssistants', 3),
      { trigger: 'every third request' },
    ),
    deviation(
      'http.assistant-route-of-digits',
      'Routes only ids of assistants that start with a digit.',
      rejectRequests('getAssistant', ({ pathId }) => !/^\d/.test(pathId), { reason: 'unknown-assistant' }),
      { trigger: 'an id that starts with a letter' },
    ),
    deviation(
      'http.assistant-with-status-404',
      'Reads an assistant with status 404, its record as the body.',
      overrideHead('getAssistant', (sent) => ({ ...sent, status: 404 })),
    ),
    deviation(
      'http.filename-without-blanks',
      'Refuses filenames with a blank.',
      rejectRequests('createUploadGrant', ({ query }) => query?.get('filename')?.includes(' ') === true, badRequest),
      { trigger: 'a filename with a blank' },
    ),
    deviation(
      'http.filename-ascii-only',
      'Refuses filenames beyond ASCII.',
      rejectRequests('createUploadGrant', ({ query }) => hasNonAscii(query?.get('filename') ?? ''), badRequest),
      { trigger: 'a filename beyond ASCII' },
    ),
    deviation(
      'http.my-keys-every-third-refused',
      'Rejects every third my-api-keys request.',
      everyNth('listMyApiKeys', 3),
      { trigger: 'every third request' },
    ),
  ],
  'http.versioned-path': [
    deviation(
      'http.completions-moved',
      'Serves completions below /v2 only.',
      movedAway(['createChatCompletion', 'streamChatCompletion', 'streamChatCompletionEvents']),
    ),
    deviation('http.events-stream-moved', 'Serves events below /beta only.', movedAway('streamChatCompletionEvents')),
    unversioned('http.runs-unversioned', 'runs', ['runThread', 'streamThreadRun']),
    unversioned('http.messages-unversioned', 'messages', ['listMessages', 'createMessage']),
    unversioned('http.assistants-unversioned', 'assistants', ['listAssistants', 'getAssistant']),
    unversioned('http.files-unversioned', 'grants', 'createUploadGrant'),
    unversioned('http.tenants-unversioned', 'the own keys', 'listMyApiKeys'),
  ],
} as const satisfies Partial<DeviationTable<'http'>>

function holdsRemark(messages: Iterable<Uint8Array>): boolean {
  return [...messages].some((message) => {
    const text = Buffer.from(message).toString()
    return text.includes('"role":"assistant"') && !text.includes('"tool_calls"')
  })
}

function locksLeftThread(): HookOverride {
  return {
    hook: 'validate',
    wrap: (next) => {
      const streamed = new Map<string, InFlightRequest[]>()
      return (input, exchange) => {
        const faithful = next(input, exchange)
        if (faithful.kind !== 'command' || input.operation !== 'streamThreadRun') return faithful
        const earlier = streamed.get(input.pathId) ?? []
        if (earlier.some(({ outcome }) => outcome === 'left'))
          return { kind: 'rejected', rejection: { reason: 'mock-failure' } }
        streamed.set(input.pathId, [...earlier, exchange])
        return faithful
      }
    },
  }
}

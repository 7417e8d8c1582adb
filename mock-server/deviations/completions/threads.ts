/** Deviations of chapter completions in the answer and its thread. */

import { Buffer } from 'node:buffer'
import type { OperationId } from '../../../spec/index.ts'
import type { HookOverride } from '../../exchange/hooks.ts'
import { acceptsLines, answerInChunks } from '../../overrides/chunked-answers.ts'
import { dropField, editAt, editTextAt, isObject, renameField, replaceWith } from '../../overrides/json-edit.ts'
import { originOf, overrideIds, overrideStep } from '../../overrides/records.ts'
import { overrideAccepted, overrideReply, overrideReplyWithMemory, overrideText } from '../../overrides/replies.ts'
import { misparseRequests } from '../../overrides/rules.ts'
import { everyChunk, firstChunk, lastChunk, laterChunks, overrideChunk } from '../../overrides/streams.ts'
import { siblingOf } from '../../overrides/text-corruption.ts'
import { isUuid } from '../../randomness/uuid.ts'
import { type DeviationTable, deviation } from '../deviation-row.ts'

const plain = 'createChatCompletion'
const stream = 'streamChatCompletion'
const events = 'streamChatCompletionEvents'

export const completionThreads = {
  'completions.one-whole-answer': [
    deviation(
      'completions.answer-in-array',
      'Sends the answer in an array of one.',
      overrideReply(plain, (json) => [json]),
    ),
    deviation(
      'completions.answer-among-choices',
      'Sends the answer among choices.',
      overrideReply(plain, (json) => ({ object: 'chat.completion', choices: [{ index: 0, message: json }] })),
    ),
    deviation(
      'completions.answer-as-ndjson',
      'Sends the answer in two lines of NDJSON.',
      overrideText(plain, (json) => `{"event":"started"}\n${json}\n`),
    ),
    deviation(
      'completions.streams-where-accepted',
      'Streams the answer where the caller accepts NDJSON as well.',
      overrideText(plain, (json, exchange) => (acceptsLines(exchange) ? answerInChunks(json) : json)),
      { trigger: 'a caller that accepts NDJSON' },
    ),
    deviation(
      'completions.long-answer-in-parts',
      'Sends an answer above 4,096 bytes as a list of its parts.',
      overrideReply(plain, (json) =>
        isObject(json) && String(json.content).length > 4096
          ? [
              { ...json, content: String(json.content).slice(0, 4096) },
              { ...json, content: String(json.content).slice(4096) },
            ]
          : json,
      ),
      { trigger: 'an answer above 4,096 bytes' },
    ),
  ],
  'completions.carries-thread-id': [
    deviation(
      'completions.thread-id-camel',
      'Names the thread of a completion threadId.',
      overrideAccepted(plain, renameField('thread_id', 'threadId')),
    ),
    deviation(
      'completions.thread-id-null-without-query',
      'Sends a thread_id of null when the request named none.',
      overrideReply(plain, (json, { command }) =>
        command?.operation === plain && command.threadId === null ? editAt('thread_id', () => null)(json) : json,
      ),
    ),
    deviation(
      'completions.chunks-without-thread-id',
      'Leaves thread_id out of the chunks of a completion.',
      overrideChunk(stream, everyChunk, editAt('thread_id', dropField)),
    ),
    deviation(
      'completions.thread-id-once',
      'Sends thread_id with the first chunk of events only.',
      overrideChunk(events, laterChunks, editAt('thread_id', dropField)),
      { trigger: 'all chunks but the first' },
    ),
    deviation(
      'completions.first-chunk-without-thread-id',
      'Leaves thread_id out of the first chunk, before the thread is stored.',
      overrideChunk([stream, events], firstChunk, editAt('thread_id', dropField)),
      { trigger: 'the first chunk' },
    ),
    deviation(
      'completions.last-chunk-without-thread-id',
      'Leaves thread_id out of the last chunk.',
      overrideChunk([stream, events], lastChunk, editAt('thread_id', dropField)),
      { trigger: 'the last chunk' },
    ),
  ],
  'completions.continues-thread': [
    deviation(
      'completions.thread-query-ignored',
      'Ignores the thread_id of the query.',
      withoutThread(() => true),
    ),
    deviation(
      'completions.third-completion-of-thread-elsewhere',
      'Continues a thread once, and makes a new one then.',
      withoutThread((answers) => answers > 1),
      { trigger: 'the second continuation of a thread' },
    ),
    deviation(
      'completions.continued-under-other-id',
      'Continues the thread and answers with the id of a copy.',
      overrideReply(plain, (json, { command }) =>
        command?.operation === plain && command.threadId !== null
          ? editTextAt('thread_id', (id) => siblingOf(id))(json)
          : json,
      ),
    ),
  ],
  'completions.unknown-thread-not-replaced': [
    deviation(
      'completions.unknown-thread-opens-another',
      'Opens another thread for a thread_id that the tenant does not have.',
      withoutUnknownThread([plain, stream]),
      { trigger: 'a thread_id that nobody has' },
    ),
  ],
  'completions.fresh-thread': [
    deviation(
      'completions.one-thread-per-tenant',
      'Makes one thread for all completions of a tenant.',
      oneThread(() => 'all'),
    ),
    deviation(
      'completions.same-question-same-thread',
      'Finds the thread of a completion by the digest of its body.',
      oneThread((digest) => digest),
      { trigger: 'the same body twice' },
    ),
    deviation(
      'completions.thread-of-user-in-other-tenant',
      'Finds the thread of a user without looking at the tenant.',
      overrideReplyWithMemory(
        plain,
        () => new Map<string, { readonly tenant: string | undefined; readonly thread: string }>(),
        (json, { request: { body }, caller }, threads) => {
          const user =
            body.kind === 'bytes' ? /"user_id":"([^"]+)"/.exec(Buffer.from(body.bytes).toString())?.[1] : null
          if (typeof user !== 'string') return json
          const earlier = threads.get(user)
          const tenant = caller?.tenant.name
          if (earlier !== undefined && earlier.tenant !== tenant)
            return editAt('thread_id', replaceWith(earlier.thread))(json)
          if (isObject(json)) threads.set(user, { tenant, thread: String(json.thread_id) })
          return json
        },
      ),
      { trigger: 'a user of both tenants' },
    ),
    deviation(
      'completions.thread-id-of-assistant',
      'Answers with the same thread_id for every completion with an assistant.',
      overrideReply(plain, (json, { command }) =>
        command?.operation === plain && command.threadId === null
          ? editTextAt('thread_id', () => siblingOf(command.assistantId))(json)
          : json,
      ),
    ),
  ],
  'completions.thread-holds-conversation': [
    deviation('completions.answer-not-stored', 'Does not store the answer of a plain completion.', skipsAnswer(plain)),
    deviation(
      'completions.streamed-answer-not-stored',
      'Does not store the answer of a streamed completion.',
      skipsAnswer(stream),
    ),
    deviation(
      'completions.events-answer-not-stored',
      'Does not store the answer of an events stream.',
      skipsAnswer(events),
    ),
    deviation(
      'completions.continued-answer-not-stored',
      'Does not store the second answer of a thread.',
      skipsAnswer(plain, (answers) => answers > 0),
      { trigger: 'a completion that goes on in a thread' },
    ),
    deviation(
      'completions.continued-stream-not-stored',
      'Does not store an answer that is streamed in a thread that had one.',
      skipsAnswer(stream, (answers) => answers > 0),
      { trigger: 'a streamed completion that goes on in a thread' },
    ),
    deviation(
      'completions.answer-listed-as-another',
      'Answers in a thread that was there before under an id that no list shows.',
      overrideReplyWithMemory(
        plain,
        () => new Set<unknown>(),
        (json, _exchange, seen) => {
          if (!isObject(json)) return json
          if (seen.has(json.thread_id)) return { ...json, id: siblingOf(String(json.id)) }
          seen.add(json.thread_id)
          return json
        },
      ),
      { trigger: 'a completion that goes on in a thread' },
    ),
    deviation(
      'completions.answer-stamped-twice',
      'Stamps an answer when it is stored and again when it is sent.',
      overrideAccepted(
        plain,
        editTextAt('created_at', (stamp) => `${stamp.slice(0, 23)}${stamp.slice(23, 26) === '999' ? '998' : '999'}Z`),
      ),
    ),
    deviation(
      'completions.thread-not-found',
      'Does not find the threads of completions when they are listed.',
      hidesThread(() => true),
    ),
    deviation(
      'completions.thread-not-found-at-first',
      'Does not find the thread of a completion when it is listed for the first time.',
      hidesThread((seen) => !seen),
      { trigger: 'two lists of a thread with nothing done to it in between' },
    ),
  ],
} as const satisfies Partial<DeviationTable<'completions'>>

/** Refuses lists of threads that a completion made, by whether the thread was listed before. */
function hidesThread(isHidden: (seen: boolean) => boolean): HookOverride {
  return overrideStep((next) => {
    const asked = new Set<string>()
    return (state, command, tickUs) => {
      if (command.operation !== 'listMessages' || state.threads.get(command.threadId)?.origin !== 'completion')
        return next(state, command, tickUs)
      const seen = asked.has(command.threadId)
      asked.add(command.threadId)
      return isHidden(seen)
        ? { state, reply: { kind: 'rejected', rejection: { reason: 'unknown-thread' } } }
        : next(state, command, tickUs)
    }
  })
}

function withoutUnknownThread(where: readonly OperationId[]): HookOverride {
  return misparseRequests(where, (input, { world, caller }) => {
    const id = input.query?.get('thread_id') ?? ''
    const isOpen = isUuid(id) && world.state.threads.get(id)?.tenantId !== caller?.tenant.id
    return isOpen ? { ...input, query: null } : input
  })
}

function withoutThread(when: (answers: number) => boolean): HookOverride {
  return misparseRequests(plain, (input, { world }) => {
    const id = input.query?.get('thread_id') ?? ''
    const thread = world.state.threads.get(id)
    return thread !== undefined && when(thread.answers) ? { ...input, query: null } : input
  })
}

function oneThread(nameOf: (digest: string) => string): HookOverride {
  return overrideIds('thread', (id, context) => {
    const { command } = context
    if (originOf(context) !== plain || command.operation !== plain) return id
    return siblingOf(command.caller.tenant.id, nameOf(command.digest))
  })
}

function skipsAnswer(operation: OperationId, when: (answers: number) => boolean = () => true): HookOverride {
  return overrideStep((next) => (state, command, tickUs) => {
    const outcome = next(state, command, tickUs)
    if (command.operation !== 'finishRun' || command.run.operation !== operation) return outcome
    return when(state.threads.get(command.run.threadId)?.answers ?? 0) ? { ...outcome, state } : outcome
  })
}

/** Deviations of chapter threads that show in the list: lost, foreign and doubled messages. */

import type { HookOverride } from '../../exchange/hooks.ts'
import type { Command } from '../../machine/command.ts'
import type { Thread } from '../../machine/state.ts'
import { withThread } from '../../machine/state.ts'
import { editTextAt } from '../../overrides/json-edit.ts'
import { bytesOf, messageOf, overridePages, overrideStep, overrideStoredMessages } from '../../overrides/records.ts'
import { overrideAccepted, overrideReplyWithMemory } from '../../overrides/replies.ts'
import { bytesIn, siblingOf } from '../../overrides/text-corruption.ts'
import type { Json } from '../../scenario/scenario.ts'
import { type DeviationTable, deviation } from '../deviation-row.ts'

type Created = Extract<Command, { readonly operation: 'createMessage' }>

const loses = (when: (command: Created, thread: Thread) => boolean): HookOverride =>
  overrideStep((next) => (state, command, tickUs) => {
    const outcome = next(state, command, tickUs)
    if (command.operation !== 'createMessage') return outcome
    const thread = state.threads.get(command.threadId)
    return thread !== undefined && when(command, thread) ? { ...outcome, state } : outcome
  })

/** Stores a created message a second time. */
const doubles = (when: (command: Created, thread: Thread) => boolean): HookOverride =>
  overrideStep((next) => (state, command, tickUs) => {
    const outcome = next(state, command, tickUs)
    if (command.operation !== 'createMessage' || outcome.reply.kind !== 'stored') return outcome
    const thread = outcome.state.threads.get(command.threadId)
    if (thread === undefined || !when(command, thread)) return outcome
    return { ...outcome, state: withThread(outcome.state, { ...thread, log: thread.log.push(outcome.reply.bytes) }) }
  })

export const threadLists = {
  'threads.created-is-listed': [
    deviation('threads.system-not-listed', 'Leaves system messages out of the list.', withoutRole('system'), {
      trigger: 'a system message',
    }),
    deviation('threads.tool-not-listed', 'Leaves tool messages out of the list.', withoutRole('tool'), {
      trigger: 'a tool message',
    }),
    deviation(
      'threads.same-content-dropped',
      'Takes a message with the content of the one before for a retry and drops it.',
      loses((command, thread) => {
        const last = thread.log.last()
        return last !== undefined && messageOf(last).content === command.message.content
      }),
      { trigger: 'the same content twice in a row' },
    ),
    deviation(
      'threads.same-result-dropped',
      'Takes a tool message with the content of the one before for a retry and drops it.',
      loses((command, thread) => {
        const last = thread.log.last()
        const { role, content } = command.message
        return last !== undefined && role === 'tool' && thread.lastRole === role && messageOf(last).content === content
      }),
      { trigger: 'two calls with the same result' },
    ),
    deviation(
      'threads.message-101-dropped',
      'Keeps one hundred messages of a thread and drops the rest.',
      loses((_command, thread) => thread.log.size >= 100),
      { trigger: 'more than 100 messages' },
    ),
    deviation(
      'threads.long-message-dropped',
      'Acknowledges content above 4,096 bytes and does not keep it.',
      loses(({ message }) => bytesIn(message.content) > 4096),
      { trigger: 'content above 4,096 bytes' },
    ),
    deviation(
      'threads.message-during-run-lost',
      'Writes the thread as it was before a streamed run back when the run ends.',
      writesBack(),
      { trigger: 'a message that is created while a streamed run goes on' },
    ),
  ],
  'threads.only-own-messages': [
    deviation(
      'threads.list-ends-on-other-thread',
      'Fills a last page with a message of another thread of the tenant.',
      listsForeign((thread, other) => other.tenantId === thread.tenantId),
      { trigger: 'a second thread of the tenant' },
    ),
    deviation(
      'threads.list-ends-on-other-tenant',
      'Fills a last page with a message of another tenant.',
      listsForeign((thread, other) => other.tenantId !== thread.tenantId),
      { trigger: 'a thread of another tenant' },
    ),
    deviation(
      'threads.one-thread-per-tenant',
      'Answers every creation of a thread with the first thread of the tenant.',
      overrideReplyWithMemory(
        'createThread',
        () => new Map<string, Json>(),
        (json, { caller }, threads) => {
          const tenant = caller?.tenant.id ?? ''
          const thread = threads.get(tenant) ?? json
          threads.set(tenant, thread)
          return thread
        },
      ),
      { trigger: 'a second thread of the tenant' },
    ),
    deviation(
      'threads.listed-thread-id-of-copy',
      'Lists answers under the id of the run instead of the thread.',
      overrideAccepted(
        'listMessages',
        editTextAt('thread_id', (id) => siblingOf(id)),
        ({ role }) => role === 'assistant',
      ),
      { trigger: 'an assistant message in the list' },
    ),
  ],
  'threads.no-phantom-messages': [
    deviation(
      'threads.fifth-message-twice',
      'Stores every fifth message of a thread twice.',
      doubles((_command, thread) => thread.log.size % 5 === 0),
      { trigger: 'every fifth message' },
    ),
    deviation(
      'threads.long-message-twice',
      'Stores content above 4,096 bytes twice after a slow first write.',
      doubles(({ message }) => bytesIn(message.content) > 4096),
      { trigger: 'content above 4,096 bytes' },
    ),
    deviation(
      'threads.prompt-listed',
      'Lists the prompt of the service as the oldest message.',
      overridePages((page, thread) =>
        page.next !== null || thread.log.size === 0
          ? page
          : {
              ...page,
              items: [
                ...page.items,
                bytesOf({
                  id: siblingOf(thread.id, 'prompt'),
                  thread_id: thread.id,
                  role: 'system',
                  content: 'You are a helpful assistant.',
                  created_at: String(messageOf(thread.log.first() ?? new Uint8Array()).created_at),
                }),
              ],
            },
      ),
    ),
    deviation(
      'threads.question-twice-after-run',
      'Adds the question to the thread again when it is answered.',
      overrideStep((next) => (state, command, tickUs) => {
        if (command.operation !== 'finishRun') return next(state, command, tickUs)
        const thread = state.threads.get(command.run.threadId)
        const question = thread?.log.get(thread.lastUserAt)
        if (thread === undefined || question === undefined) return next(state, command, tickUs)
        const copy = bytesOf({ ...messageOf(question), id: siblingOf(String(messageOf(question).id)) })
        return next(withThread(state, { ...thread, log: thread.log.push(copy) }), command, tickUs)
      }),
      { trigger: 'a thread that was run' },
    ),
    deviation(
      'threads.sent-messages-twice',
      'Stores the messages of a completion a second time when it goes on in a thread.',
      overrideStep((next) => (state, command, tickUs) => {
        const isWhole = command.operation === 'createChatCompletion' && command.threadId !== null
        if (!isWhole) return next(state, command, tickUs)
        return next(next(state, command, tickUs).state, command, tickUs)
      }),
      { trigger: 'a completion that goes on in a thread' },
    ),
    deviation(
      'threads.sent-message-respelt',
      'Stores the messages of a plain completion with runs of white space as one blank.',
      respellsSent('createChatCompletion'),
      { trigger: 'a message with a line break' },
    ),
    deviation(
      'threads.sent-message-respelt-in-stream',
      'Stores the messages of a streamed completion with runs of white space as one blank.',
      respellsSent('streamChatCompletion'),
      { trigger: 'a message with a line break' },
    ),
  ],
} as const satisfies Partial<DeviationTable<'threads'>>

function respellsSent(operation: Command['operation']): HookOverride {
  return overrideStoredMessages((message, { command }) =>
    command.operation === operation
      ? { ...message, content: String(message.content).replaceAll(/\s+/g, ' ') }
      : message,
  )
}

function withoutRole(role: string): HookOverride {
  return overridePages((page) => ({ ...page, items: page.items.filter((item) => messageOf(item).role !== role) }))
}

const unhurried = { first_chunk_ms: 20, chunks_per_second: 0, jitter: 0 }

function writesBack(): HookOverride {
  return overrideStep((next) => {
    const before = new Map<string, Thread>()
    return (state, command, tickUs) => {
      const outcome = next(state, command, tickUs)
      if (command.operation === 'streamThreadRun') {
        const thread = outcome.state.threads.get(command.threadId)
        if (thread === undefined || outcome.reply.kind !== 'run') return outcome
        before.set(command.threadId, thread)
        // An answer that takes no time leaves none in which a message could come.
        return { ...outcome, reply: { ...outcome.reply, run: { ...outcome.reply.run, latency: unhurried } } }
      }
      if (command.operation !== 'finishRun' || command.run.operation !== 'streamThreadRun') return outcome
      const kept = before.get(command.run.threadId)
      before.delete(command.run.threadId)
      return kept === undefined ? outcome : next(withThread(state, kept), command, tickUs)
    }
  })
}

function listsForeign(fits: (thread: Thread, other: Thread) => boolean): HookOverride {
  return {
    hook: 'select',
    wrap: (next) => (thread, limit, before, context) => {
      const page = next(thread, limit, before, context)
      const other = context.state.threads.find(
        (found) => found.id !== thread.id && found.log.size > 0 && fits(thread, found),
      )
      const foreign = other?.log.last()
      if (page.next !== null || page.items.length >= limit || foreign === undefined) return page
      return { ...page, items: [...page.items, foreign] }
    },
  }
}

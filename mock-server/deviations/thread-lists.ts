import type { Command } from '../machine/command.ts'
import type { Outcome } from '../machine/reply.ts'
import type { Thread } from '../machine/state.ts'
import { withThread } from '../machine/state.ts'
import type { Json } from '../scenario/scenario.ts'
import { bytesOf, messageOf, selects, steps } from './bend-record.ts'
import { replyRemembering, shown } from './bend-reply.ts'
import { type DeviationTable, deviation } from './deviation-row.ts'
import { at, atText, isObject, replaced } from './json-edit.ts'
import { bytesIn, hasAstral, htmlEscaped, movedBy, siblingOf, withoutAstral } from './text-damage.ts'

type Part =
  | 'created-is-listed'
  | 'listed-as-created'
  | 'read-your-writes'
  | 'message-never-changes'
  | 'only-own-messages'
  | 'no-phantom-messages'

type Created = Extract<Command, { readonly operation: 'createMessage' }>

/** Answers a creation as if it had been stored, and stores nothing. */
import type { Bend } from '../seams.ts'

const loses = (when: (command: Created, thread: Thread) => boolean): Bend =>
  steps((next) => (state, command, tickUs) => {
    const outcome = next(state, command, tickUs)
    if (command.operation !== 'createMessage') return outcome
    const thread = state.threads.get(command.threadId)
    return thread !== undefined && when(command, thread) ? { ...outcome, state } : outcome
  })

/** Stores a created message a second time. */
const doubles = (when: (command: Created, thread: Thread) => boolean): Bend =>
  steps((next) => (state, command, tickUs) => {
    const outcome = next(state, command, tickUs)
    if (command.operation !== 'createMessage' || outcome.reply.kind !== 'stored') return outcome
    const thread = outcome.state.threads.get(command.threadId)
    if (thread === undefined || !when(command, thread)) return outcome
    return { ...outcome, state: withThread(outcome.state, { ...thread, log: thread.log.push(outcome.reply.bytes) }) }
  })

const missing = { alsoViolates: ['threads.read-your-writes', 'pagination.cursor-continues'] } as const

export const threadLists = {
  'threads.created-is-listed': [
    deviation('threads.system-not-listed', 'Leaves system messages out of the list.', withoutRole('system'), {
      trigger: 'a system message',
      ...missing,
    }),
    deviation('threads.tool-not-listed', 'Leaves tool messages out of the list.', withoutRole('tool'), {
      trigger: 'a tool message',
      ...missing,
    }),
    deviation(
      'threads.same-content-dropped',
      'Takes a message with the content of the one before for a retry and drops it.',
      loses((command, thread) => {
        const last = thread.log.last()
        return last !== undefined && messageOf(last).content === command.message.content
      }),
      { trigger: 'the same content twice in a row', ...missing },
    ),
    deviation(
      'threads.message-101-dropped',
      'Keeps one hundred messages of a thread and drops the rest.',
      loses((_command, thread) => thread.log.size >= 100),
      { trigger: 'more than 100 messages', ...missing },
    ),
    deviation(
      'threads.long-message-dropped',
      'Acknowledges content above 4,096 bytes and does not keep it.',
      loses(({ message }) => bytesIn(message.content) > 4096),
      { trigger: 'content above 4,096 bytes', ...missing },
    ),
    deviation(
      'threads.message-during-run-lost',
      'Writes the thread as it was before a streamed run back when the run ends.',
      writesBack(),
      { trigger: 'a message that is created while a streamed run goes on', ...missing },
    ),
  ],
  'threads.listed-as-created': [
    deviation(
      'threads.list-shows-other-ids',
      'Lists the row ids of another table.',
      shown(
        'listMessages',
        atText('id', (id) => siblingOf(id)),
      ),
      {
        alsoViolates: [
          'threads.created-is-listed',
          'threads.read-your-writes',
          'threads.run-appends-answer',
          'threads.no-phantom-messages',
          'streams.joined-equals-stored',
          'completions.thread-holds-conversation',
        ],
      },
    ),
    deviation(
      'threads.system-listed-as-user',
      'Lists system messages as user messages.',
      shown('listMessages', at('role', replaced('user')), ({ role }) => role === 'system'),
      { trigger: 'a system message' },
    ),
    deviation(
      'threads.list-shows-preview',
      'Lists the first 200 characters of content.',
      shown(
        'listMessages',
        atText('content', (content) => (content.length > 200 ? `${content.slice(0, 200)}…` : content)),
      ),
      { trigger: 'content above 200 characters' },
    ),
    deviation(
      'threads.list-escapes',
      'Escapes content in the list for HTML.',
      shown('listMessages', atText('content', htmlEscaped)),
      { trigger: 'content with & < > or quotes' },
    ),
    deviation(
      'threads.list-without-astral',
      'Lists characters beyond the BMP as question marks.',
      shown('listMessages', atText('content', withoutAstral), ({ content }) => hasAstral(String(content))),
      { trigger: 'content beyond the BMP' },
    ),
    deviation(
      'threads.list-trims',
      'Trims content in the list.',
      shown(
        'listMessages',
        atText('content', (content) => content.trim() || content),
      ),
      { trigger: 'content with blanks at its ends' },
    ),
    deviation(
      'threads.created-at-of-response',
      'Answers a creation with the time of the response instead of the stored one.',
      shown(
        'createMessage',
        atText('created_at', (stamp) => movedBy(stamp, 137)),
      ),
    ),
    deviation(
      'threads.list-rounds-stamps',
      'Lists timestamps rounded down to the millisecond.',
      shown(
        'listMessages',
        atText('created_at', (stamp) => `${stamp.slice(0, 23)}000Z`),
      ),
      { alsoViolates: ['threads.run-appends-answer'] },
    ),
  ],
  'threads.read-your-writes': [
    deviation(
      'threads.replica-lags',
      'Reads from a replica that misses the newest message at the first look.',
      lagging(() => true),
      {
        alsoViolates: ['threads.created-is-listed', 'pagination.reads-are-pure'],
      },
    ),
    deviation(
      'threads.replica-lags-behind-long-messages',
      'Reads from a replica that is late with content above 4,096 bytes.',
      lagging(({ message }) => bytesIn(message.content) > 4096),
      {
        trigger: 'the first list after content above 4,096 bytes',
        alsoViolates: ['threads.created-is-listed', 'pagination.reads-are-pure'],
      },
    ),
    deviation(
      'threads.first-page-cached',
      'Serves the first page of a thread out of a cache that creations do not empty.',
      replyRemembering(
        'listMessages',
        () => new Map<string, { page: Json; uses: number }>(),
        (json, { command, request }, cache) => {
          if (command?.operation !== 'listMessages' || command.cursor !== null) return json
          const kept = cache.get(request.target)
          if (kept !== undefined && kept.uses > 0) {
            kept.uses -= 1
            return kept.page
          }
          cache.set(request.target, { page: json, uses: 2 })
          return json
        },
      ),
      {
        trigger: 'a list before and after a creation',
        alsoViolates: [
          'threads.created-is-listed',
          'threads.run-appends-answer',
          'completions.thread-holds-conversation',
          'streams.joined-equals-stored',
        ],
      },
    ),
  ],
  'threads.message-never-changes': [
    deviation(
      'threads.read-changes-stamp',
      'Shows the time of reading as created_at from the second list on.',
      replyRemembering(
        'listMessages',
        () => ({ lists: 0 }),
        (json, _exchange, memory) => {
          memory.lists += 1
          return memory.lists < 2
            ? json
            : atText('items.*.created_at', (stamp) => movedBy(stamp, memory.lists * 1_000_000))(json)
        },
      ),
      { trigger: 'the second list', alsoViolates: ['threads.listed-as-created', 'pagination.reads-are-pure'] },
    ),
    deviation(
      'threads.old-messages-archived',
      'Replaces the content of all but the newest 100 messages of a thread.',
      selects((page, thread, _limit, before) => ({
        ...page,
        items: page.items.map((item, index) => {
          const archived = thread.log.size - (before - 1 - index) > 100
          return archived ? bytesOf({ ...messageOf(item), content: '[archived]' }) : item
        }),
      })),
      { trigger: 'more than 100 messages', alsoViolates: ['threads.listed-as-created'] },
    ),
    deviation(
      'threads.question-rewritten-by-run',
      'Writes the question back in lower case when it is answered.',
      steps((next) => (state, command, tickUs) => {
        const outcome = next(state, command, tickUs)
        return command.operation === 'finishRun' ? rewritten(outcome, command.run.threadId) : outcome
      }),
      {
        trigger: 'a user message that was answered',
        alsoViolates: ['threads.listed-as-created', 'completions.thread-holds-conversation'],
      },
    ),
    deviation(
      'threads.ids-drawn-while-reading',
      'Draws the ids of answers anew for every list.',
      replyRemembering(
        'listMessages',
        () => ({ lists: 0 }),
        (json, _exchange, memory) => {
          memory.lists += 1
          return memory.lists < 2
            ? json
            : at('items.*', (item) =>
                isObject(item) && item.role === 'assistant'
                  ? { ...item, id: siblingOf(String(item.id), memory.lists) }
                  : item,
              )(json)
        },
      ),
      {
        trigger: 'an assistant message in the second list',
        alsoViolates: [
          'threads.listed-as-created',
          'threads.run-appends-answer',
          'threads.no-phantom-messages',
          'threads.created-is-listed',
          'pagination.reads-are-pure',
        ],
      },
    ),
  ],
  'threads.only-own-messages': [
    deviation(
      'threads.list-ends-on-other-thread',
      'Fills a last page with a message of another thread of the tenant.',
      listsForeign((thread, other) => other.tenantId === thread.tenantId),
      {
        trigger: 'a second thread of the tenant',
        alsoViolates: ['threads.no-phantom-messages', 'pagination.newest-first'],
      },
    ),
    deviation(
      'threads.list-ends-on-other-tenant',
      'Fills a last page with a message of another tenant.',
      listsForeign((thread, other) => other.tenantId !== thread.tenantId),
      {
        trigger: 'a thread of another tenant',
        alsoViolates: ['threads.no-phantom-messages', 'pagination.newest-first'],
      },
    ),
    deviation(
      'threads.listed-thread-id-of-copy',
      'Lists answers under the id of the run instead of the thread.',
      shown(
        'listMessages',
        atText('thread_id', (id) => siblingOf(id)),
        ({ role }) => role === 'assistant',
      ),
      {
        trigger: 'an assistant message in the list',
        alsoViolates: ['threads.run-appends-answer', 'completions.thread-holds-conversation'],
      },
    ),
  ],
  'threads.no-phantom-messages': [
    deviation(
      'threads.fifth-message-twice',
      'Stores every fifth message of a thread twice.',
      doubles((_command, thread) => thread.log.size % 5 === 0),
      {
        trigger: 'every fifth message',
        alsoViolates: ['threads.created-is-listed', 'pagination.cursor-continues', 'resources.message-ids-unique'],
      },
    ),
    deviation(
      'threads.long-message-twice',
      'Stores content above 4,096 bytes twice after a slow first write.',
      doubles(({ message }) => bytesIn(message.content) > 4096),
      {
        trigger: 'content above 4,096 bytes',
        alsoViolates: ['threads.created-is-listed', 'pagination.cursor-continues'],
      },
    ),
    deviation(
      'threads.prompt-listed',
      'Lists the prompt of the service as the oldest message.',
      selects((page, thread) =>
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
      {
        alsoViolates: [
          'pagination.limit-caps-page',
          'threads.run-appends-answer',
          'completions.thread-holds-conversation',
        ],
      },
    ),
    deviation(
      'threads.question-twice-after-run',
      'Adds the question to the thread again when it is answered.',
      steps((next) => (state, command, tickUs) => {
        if (command.operation !== 'finishRun') return next(state, command, tickUs)
        const thread = state.threads.get(command.run.threadId)
        const question = thread?.log.get(thread.lastUserAt)
        if (thread === undefined || question === undefined) return next(state, command, tickUs)
        const copy = bytesOf({ ...messageOf(question), id: siblingOf(String(messageOf(question).id)) })
        return next(withThread(state, { ...thread, log: thread.log.push(copy) }), command, tickUs)
      }),
      {
        trigger: 'a thread that was run',
        alsoViolates: [
          'threads.run-appends-answer',
          'pagination.newest-first',
          'pagination.order-of-creation',
          'completions.thread-holds-conversation',
        ],
      },
    ),
  ],
} as const satisfies Pick<DeviationTable<'threads'>, `threads.${Part}`>

function withoutRole(role: string): Bend {
  return selects((page) => ({ ...page, items: page.items.filter((item) => messageOf(item).role !== role) }))
}

function writesBack(): Bend {
  return steps((next) => {
    const before = new Map<string, Thread>()
    return (state, command, tickUs) => {
      const outcome = next(state, command, tickUs)
      if (command.operation === 'streamThreadRun') {
        const thread = outcome.state.threads.get(command.threadId)
        if (thread !== undefined && outcome.reply.kind === 'run') before.set(command.threadId, thread)
        return outcome
      }
      if (command.operation !== 'finishRun' || command.run.operation !== 'streamThreadRun') return outcome
      const kept = before.get(command.run.threadId)
      before.delete(command.run.threadId)
      return kept === undefined ? outcome : next(withThread(state, kept), command, tickUs)
    }
  })
}

function lagging(when: (command: Created) => boolean): Bend {
  return steps((next) => {
    const fresh = new Set<string>()
    return (state, command, tickUs) => {
      if (command.operation === 'createMessage') {
        if (when(command)) fresh.add(command.threadId)
        return next(state, command, tickUs)
      }
      const thread = command.operation === 'listMessages' ? state.threads.get(command.threadId) : undefined
      if (thread === undefined || !fresh.delete(thread.id)) return next(state, command, tickUs)
      const { reply } = next(withThread(state, { ...thread, log: thread.log.pop() }), command, tickUs)
      return { state, reply }
    }
  })
}

function rewritten(outcome: Outcome, threadId: string): Outcome {
  const thread = outcome.state.threads.get(threadId)
  const question = thread?.log.get(thread.lastUserAt)
  if (thread === undefined || question === undefined) return outcome
  const message = messageOf(question)
  const log = thread.log.set(thread.lastUserAt, bytesOf({ ...message, content: String(message.content).toLowerCase() }))
  return { ...outcome, state: withThread(outcome.state, { ...thread, log }) }
}

function listsForeign(fits: (thread: Thread, other: Thread) => boolean): Bend {
  return {
    seam: 'select',
    wrap: (next) => (thread, limit, before, occasion) => {
      const page = next(thread, limit, before, occasion)
      const other = occasion.state.threads.find(
        (found) => found.id !== thread.id && found.log.size > 0 && fits(thread, found),
      )
      const foreign = other?.log.last()
      if (page.next !== null || page.items.length >= limit || foreign === undefined) return page
      return { ...page, items: [...page.items, foreign] }
    },
  }
}

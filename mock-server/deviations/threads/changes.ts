/** Deviations of chapter threads in which a listed message differs from its creation or an earlier list. */

import { logOf } from '../../machine/message-log.ts'
import type { Outcome } from '../../machine/reply.ts'
import { withThread } from '../../machine/state.ts'
import { editAt, editTextAt, isObject, replaceWith } from '../../overrides/json-edit.ts'
import { bytesOf, messageOf, overridePages, overrideStep } from '../../overrides/records.ts'
import { overrideAccepted, overrideReplyWithMemory } from '../../overrides/replies.ts'
import { hasAstral, htmlEscaped, movedBy, siblingOf, withoutAstral } from '../../overrides/text-corruption.ts'
import { type DeviationTable, deviation } from '../deviation-row.ts'

export const threadChanges = {
  'threads.listed-as-created': [
    deviation(
      'threads.list-shows-other-ids',
      'Lists the row ids of another table.',
      overrideAccepted(
        'listMessages',
        editTextAt('id', (id) => siblingOf(id)),
      ),
    ),
    deviation(
      'threads.system-listed-as-user',
      'Lists system messages as user messages.',
      overrideAccepted('listMessages', editAt('role', replaceWith('user')), ({ role }) => role === 'system'),
      { trigger: 'a system message' },
    ),
    deviation(
      'threads.list-shows-preview',
      'Lists the first 200 characters of content.',
      overrideAccepted(
        'listMessages',
        editTextAt('content', (content) => (content.length > 200 ? `${content.slice(0, 200)}…` : content)),
      ),
      { trigger: 'content above 200 characters' },
    ),
    deviation(
      'threads.list-escapes',
      'Escapes content in the list for HTML.',
      overrideAccepted('listMessages', editTextAt('content', htmlEscaped)),
      { trigger: 'content with & < > or quotes' },
    ),
    deviation(
      'threads.list-without-astral',
      'Lists characters beyond the BMP as question marks.',
      overrideAccepted('listMessages', editTextAt('content', withoutAstral), ({ content }) =>
        hasAstral(String(content)),
      ),
      { trigger: 'content beyond the BMP' },
    ),
    deviation(
      'threads.list-trims',
      'Trims content in the list.',
      overrideAccepted(
        'listMessages',
        editTextAt('content', (content) => content.trim() || content),
      ),
      { trigger: 'content with blanks at its ends' },
    ),
    deviation(
      'threads.list-fills-patterns',
      'Puts content into the list by a replacement that knows patterns, so that $$ becomes $.',
      overrideAccepted(
        'listMessages',
        editTextAt('content', (content) => ' '.replace(' ', content)),
      ),
      { trigger: 'content with $$ or $&' },
    ),
    deviation(
      'threads.list-hides-addresses',
      'Hides mail addresses and the numbers of cards in the list.',
      overrideAccepted(
        'listMessages',
        editTextAt('content', (content) => content.replace(/\w+@[\w.]+|(?:\d{4} ){3}\d{4}/g, '***')),
      ),
      { trigger: 'content with a mail address or the number of a card' },
    ),
    deviation(
      'threads.created-at-of-response',
      'Answers a creation with the time of the response instead of the stored one.',
      overrideAccepted(
        'createMessage',
        editTextAt('created_at', (timestamp) => movedBy(timestamp, 137)),
      ),
    ),
    deviation(
      'threads.list-rounds-stamps',
      'Lists timestamps rounded down to the millisecond.',
      overrideAccepted(
        'listMessages',
        editTextAt('created_at', (timestamp) => `${timestamp.slice(0, 23)}000Z`),
      ),
    ),
  ],
  'threads.message-never-changes': [
    deviation(
      'threads.posted-answer-listed-bare',
      'Lists an assistant message that a client added without meta_data and sources.',
      overridePages((page) => ({
        ...page,
        items: page.items.map((item) => {
          const { meta_data, sources, ...message } = messageOf(item)
          return isObject(meta_data) && Object.keys(meta_data).length === 0 ? bytesOf(message) : item
        }),
      })),
      { trigger: 'an assistant message of a client' },
    ),
    deviation(
      'threads.read-changes-stamp',
      'Shows the time of reading as created_at from the second list on.',
      overrideReplyWithMemory(
        'listMessages',
        () => ({ lists: 0 }),
        (json, _exchange, memory) => {
          memory.lists += 1
          return memory.lists < 2
            ? json
            : editTextAt('items.*.created_at', (timestamp) => movedBy(timestamp, memory.lists * 1_000_000))(json)
        },
      ),
      { trigger: 'the second list' },
    ),
    deviation(
      'threads.old-messages-archived',
      'Replaces the content of all but the newest 100 messages of a thread.',
      overridePages((page, thread, _limit, before) => ({
        ...page,
        items: page.items.map((item, index) => {
          const archived = thread.log.size - (before - 1 - index) > 100
          return archived ? bytesOf({ ...messageOf(item), content: '[archived]' }) : item
        }),
      })),
      { trigger: 'more than 100 messages' },
    ),
    deviation(
      'threads.question-rewritten-by-run',
      'Writes the question back in lower case when it is answered.',
      overrideStep((next) => (state, command, tickUs) => {
        const outcome = next(state, command, tickUs)
        return command.operation === 'finishRun' ? rewritten(outcome, command.run.threadId) : outcome
      }),
      { trigger: 'a user message that was answered' },
    ),
    deviation(
      'threads.ids-drawn-while-reading',
      'Draws the ids of answers anew for every list.',
      overrideReplyWithMemory(
        'listMessages',
        () => ({ lists: 0 }),
        (json, _exchange, memory) => {
          memory.lists += 1
          return memory.lists < 2
            ? json
            : editAt('items.*', (item) =>
                isObject(item) && item.role === 'assistant'
                  ? { ...item, id: siblingOf(String(item.id), memory.lists) }
                  : item,
              )(json)
        },
      ),
      { trigger: 'an assistant message in the second list' },
    ),
  ],
} as const satisfies Partial<DeviationTable<'threads'>>

function rewritten(outcome: Outcome, threadId: string): Outcome {
  const thread = outcome.state.threads.get(threadId)
  const question = thread?.log.get(thread.lastUserAt)
  if (thread === undefined || question === undefined) return outcome
  const message = messageOf(question)
  const quiet = bytesOf({ ...message, content: String(message.content).toLowerCase() })
  const log = logOf([...thread.log].with(thread.lastUserAt, quiet))
  return { ...outcome, state: withThread(outcome.state, { ...thread, log }) }
}

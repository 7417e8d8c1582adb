/** Deviations of chapter threads around runs: their acceptance and their effects. */

import type { HookOverride } from '../../exchange/hooks.ts'
import type { RunCommand } from '../../machine/command.ts'
import { logOf } from '../../machine/message-log.ts'
import { type Thread, withThread } from '../../machine/state.ts'
import { editTextAt } from '../../overrides/json-edit.ts'
import { bytesOf, messageOf, overrideStep } from '../../overrides/records.ts'
import { overrideReplyWithMemory } from '../../overrides/replies.ts'
import { addRule, duringOperations, fieldRejection, rejectRequests, skipRule } from '../../overrides/rules.ts'
import { everyChunk, overrideChunk } from '../../overrides/streams.ts'
import { siblingOf } from '../../overrides/text-corruption.ts'
import type { Json, JsonObject } from '../../scenario/scenario.ts'
import { type DeviationTable, deviation } from '../deviation-row.ts'
import { endsOpenBeforeSystem, lastRoleIs } from './newest-role.ts'

const answered = ({ thread }: { readonly thread: Thread | null }): boolean => (thread?.answers ?? 0) > 0

export const threadRuns = {
  'threads.run-needs-user-message': [
    deviation('threads.run-of-nothing', 'Runs threads without any user message.', skipRule('no-user-message')),
    deviation(
      'threads.run-of-system-message',
      'Takes a system message for a question.',
      skipRule('no-user-message', lastRoleIs('system')),
      { trigger: 'a thread of a system message' },
    ),
    deviation(
      'threads.run-of-empty-thread',
      'Checks for a user message only where there are messages.',
      skipRule('no-user-message', ({ thread }) => thread?.log.size === 0),
      { trigger: 'a thread without messages' },
    ),
    deviation(
      'threads.run-of-assistant-message',
      'Takes a posted assistant message for a question.',
      skipRule('no-user-message', lastRoleIs('assistant')),
      { trigger: 'a thread of an assistant message' },
    ),
    deviation(
      'threads.run-of-open-call-alone',
      'Checks nothing of a thread without a user message in which a call is open.',
      skipRule(
        ['no-user-message', 'open-tool-calls'],
        ({ thread }) => (thread?.lastUserAt ?? 0) < 0 && (thread?.openCalls ?? 0) > 0,
      ),
      { trigger: 'a thread of an open tool call' },
    ),
  ],
  'threads.run-empty-body': [
    deviation('threads.run-demands-tools', 'Refuses runs without tools.', refusesBareRun('runThread')),
    deviation(
      'threads.streamed-run-demands-tools',
      'Refuses streamed runs without tools.',
      refusesBareRun('streamThreadRun'),
    ),
  ],
  'threads.stream-ends-on-user-or-tool': [
    deviation(
      'threads.stream-behind-assistant',
      'Streams a run on a thread that ends on an assistant message.',
      skipRule('no-message-to-answer', lastRoleIs('assistant')),
    ),
    deviation(
      'threads.stream-behind-system',
      'Streams a run on a thread that ends on a system message.',
      skipRule('no-message-to-answer', lastRoleIs('system')),
    ),
    deviation(
      'threads.stream-overlooks-system',
      'Looks for the end of a thread behind which only system messages stand.',
      skipRule('no-message-to-answer', endsOpenBeforeSystem),
      { trigger: 'a question or a result, and a system message behind it' },
    ),
    deviation(
      'threads.stream-behind-own-answer',
      'Streams another run after an answer of its own.',
      skipRule('no-message-to-answer', ({ thread }) => thread?.lastRole === 'assistant' && thread.answers > 1),
      { trigger: 'a thread of two assistant messages' },
    ),
    deviation(
      'threads.stream-ends-at-hundredth-message',
      'Takes the hundredth message of a longer thread for its last one.',
      skipRule('no-message-to-answer', ({ thread }) => {
        const hundredth = thread?.log.get(99)
        return hundredth !== undefined && ['user', 'tool'].includes(String(messageOf(hundredth).role))
      }),
      { trigger: 'a thread of more than 100 messages' },
    ),
  ],
  'threads.run-appends-answer': [
    deviation(
      'threads.run-answer-not-stored',
      'Does not store the answers of plain runs.',
      finishes('runThread', (before) => before),
    ),
    deviation(
      'threads.streamed-answer-not-stored',
      'Does not store the answers of streamed runs.',
      finishes('streamThreadRun', (before) => before),
    ),
    deviation(
      'threads.list-kept-until-message',
      'Keeps a list that was read until a client adds a message.',
      overrideReplyWithMemory(
        ['listMessages', 'createMessage'],
        () => new Map<string, Json>(),
        (json, { operation, request: { target } }, kept) => {
          if (operation === 'createMessage') kept.clear()
          else if (!kept.has(target)) kept.set(target, json)
          return kept.get(target) ?? json
        },
      ),
      { trigger: 'a list that is read right before a run' },
    ),
    deviation(
      'threads.list-kept-during-streamed-run',
      'Keeps a list that was read until a client adds a message or a whole run ends.',
      overrideReplyWithMemory(
        ['listMessages', 'createMessage', 'runThread'],
        () => new Map<string, Json>(),
        (json, { operation, request: { target } }, kept) => {
          if (operation !== 'listMessages') kept.clear()
          else if (!kept.has(target)) kept.set(target, json)
          return kept.get(target) ?? json
        },
      ),
      { trigger: 'a list that is read right before a streamed run' },
    ),
    deviation(
      'threads.second-answer-replaces-first',
      'Overwrites the first answer of a thread with the second.',
      finishes('runThread', (before, after) => {
        const last = after.log.last()
        const place = [...before.log].findIndex((item) => messageOf(item).role === 'assistant')
        return place < 0 || last === undefined ? after : { ...after, log: logOf([...before.log].with(place, last)) }
      }),
      { trigger: 'a thread that was answered before' },
    ),
    deviation(
      'threads.answer-stored-twice',
      'Stores an answer in the stream and again at its end.',
      finishes('streamThreadRun', (_before, after) => {
        const last = after.log.last()
        return last === undefined
          ? after
          : {
              ...after,
              log: after.log.push(bytesOf({ ...messageOf(last), id: siblingOf(String(messageOf(last).id)) })),
            }
      }),
      { trigger: 'a streamed run' },
    ),
    deviation(
      'threads.answer-under-other-id',
      'Streams an answer under an id that the stored one does not have.',
      overrideChunk(
        'streamThreadRun',
        everyChunk,
        editTextAt('message_id', (id) => siblingOf(id)),
      ),
    ),
    deviation(
      'threads.stored-answer-cut',
      'Cuts stored answers at 4,096 bytes.',
      finishes('runThread', (_before, after) => {
        const message = messageOf(after.log.last() ?? new Uint8Array())
        return {
          ...after,
          log: logOf([
            ...[...after.log].slice(0, -1),
            bytesOf({ ...message, content: String(message.content).slice(0, 4096) }),
          ]),
        }
      }),
      { trigger: 'an answer above 4,096 bytes' },
    ),
  ],
  'threads.run-reads-whole-thread': [
    deviation(
      'threads.run-reads-last-message',
      'Looks for a user message at the end of the thread only.',
      addRule(
        'no-user-message',
        ({ command, thread }) => command.operation === 'runThread' && thread?.lastRole !== 'user',
      ),
      { trigger: 'a thread that ends on another message' },
    ),
    deviation(
      'threads.run-reads-newest-messages',
      'Looks for a user message among the newest 50 only.',
      readsNewest(50),
      { trigger: 'a user message far up in a long thread' },
    ),
    deviation(
      'threads.run-reads-last-two-messages',
      'Looks for a user message among the last two only.',
      readsNewest(2),
      { trigger: 'a user message further up' },
    ),
    deviation(
      'threads.run-stops-at-system-message',
      'Takes a system message for the start of the conversation.',
      addRule('no-user-message', (context) => duringOperations('runThread')(context) && lastRoleIs('system')(context)),
      { trigger: 'a system message after the user message' },
    ),
    deviation(
      'threads.run-reads-behind-last-answer',
      'Looks for a user message after the last answer only.',
      addRule(
        'no-user-message',
        (context) =>
          duringOperations('runThread')(context) &&
          answered(context) &&
          !lastRoleIs('user', 'tool', 'assistant')(context),
      ),
      { trigger: 'a system message after an answer' },
    ),
  ],
} as const satisfies Partial<DeviationTable<'threads'>>

/** Whole runs look for a user message among this many of the newest messages. */
function readsNewest(count: number): HookOverride {
  return addRule(
    'no-user-message',
    ({ command, thread }) =>
      command.operation === 'runThread' && thread !== null && thread.log.size - thread.lastUserAt > count,
  )
}

function refusesBareRun(operation: RunCommand['operation']): HookOverride {
  return rejectRequests(
    operation,
    ({ body }) => (body as JsonObject | undefined)?.tools === undefined,
    fieldRejection('tools', 'is required', 'missing'),
  )
}

/** Changes the effect of the end of a run on the thread. */
function finishes(operation: RunCommand['operation'], edit: (before: Thread, after: Thread) => Thread): HookOverride {
  return overrideStep((next) => (state, command, tickUs) => {
    const outcome = next(state, command, tickUs)
    if (command.operation !== 'finishRun' || command.run.operation !== operation) return outcome
    const before = state.threads.get(command.run.threadId)
    const after = outcome.state.threads.get(command.run.threadId)
    if (before === undefined || after === undefined) return outcome
    return { ...outcome, state: withThread(outcome.state, edit(before, after)) }
  })
}

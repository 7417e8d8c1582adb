/** Deviations of chapter threads in refusals: of unknown and closed threads, and in the effects of a refusal. */
import type { HookOverride } from '../../exchange/hooks.ts'
import type { Command, RunCommand } from '../../machine/command.ts'
import { type State, withThread } from '../../machine/state.ts'
import { overrideRejection } from '../../overrides/errors.ts'
import { editAt, replaceWith } from '../../overrides/json-edit.ts'
import { overrideStep } from '../../overrides/records.ts'
import { skipRule } from '../../overrides/rules.ts'
import { type DeviationTable, deviation } from '../deviation-row.ts'

export const threadRejections = {
  'threads.unknown-thread-error': [
    deviation(
      'threads.unknown-thread-is-empty',
      'Lists an unknown thread as an empty one.',
      overrideStep((next) => (state, command, tickUs) => {
        if (command.operation === 'listMessages' && !state.threads.has(command.threadId))
          return { state, reply: { kind: 'page', cursor: null, items: [] } }
        return next(state, command, tickUs)
      }),
    ),
    deviation(
      'threads.unknown-thread-resource-not-found',
      'Refuses a run on an unknown thread as resource_not_found.',
      overrideRejection('runThread', 'thread_not_found', editAt('error_code', replaceWith('resource_not_found'))),
    ),
    deviation(
      'threads.message-to-unknown-resource-not-found',
      'Refuses a message to an unknown thread as resource_not_found.',
      overrideRejection('createMessage', 'thread_not_found', editAt('error_code', replaceWith('resource_not_found'))),
    ),
    deviation(
      'threads.unknown-thread-validation-error',
      'Refuses a streamed run on an unknown thread as bad_request.',
      overrideRejection('streamThreadRun', 'thread_not_found', editAt('error_code', replaceWith('bad_request'))),
    ),
    deviation(
      'threads.unknown-thread-not-found',
      'Refuses unknown threads with the code not_found.',
      overrideRejection(
        ['listMessages', 'createMessage'],
        'thread_not_found',
        editAt('error_code', replaceWith('not_found')),
      ),
    ),
  ],
  'threads.rejected-leaves-no-trace': [
    deviation(
      'threads.refused-tool-message-stays',
      'Stores a tool message before it looks for its call.',
      leavesTrace('createMessage', (command) => (command.operation === 'createMessage' ? command.message.content : '')),
      { trigger: 'a tool message that is refused' },
    ),
    deviation(
      'threads.refused-run-leaves-answer',
      'Stores a placeholder for the answer before it checks the thread.',
      leavesTrace('runThread', () => 'Run failed.'),
      { trigger: 'a run that is refused' },
    ),
    deviation(
      'threads.refused-stream-leaves-answer',
      'Stores a placeholder for the answer before it checks whether the run can stream.',
      leavesTrace('streamThreadRun', () => 'Run failed.'),
      { trigger: 'a streamed run that is refused' },
    ),
    deviation(
      'threads.refused-message-stays-in-closed-thread',
      'Adds a message to a thread of a completion, and refuses it then.',
      overrideStep((next) => (state, command, tickUs) => {
        const outcome = next(state, command, tickUs)
        if (
          command.operation !== 'createMessage' ||
          outcome.reply.kind !== 'rejected' ||
          outcome.reply.rejection.reason !== 'closed-completion-thread'
        )
          return outcome
        return {
          ...outcome,
          state: storedAnyway(state, command.threadId, (opened) => next(opened, command, tickUs).state),
        }
      }),
      { trigger: 'a message to a thread of a completion' },
    ),
    deviation(
      'threads.refused-completion-leaves-question',
      'Adds the question to the thread that a completion names before it looks for its assistant.',
      leavesQuestion(),
      { trigger: 'a completion in a live thread that is refused for its assistant' },
    ),
  ],
  'threads.completion-thread-closed': [
    deviation(
      'threads.completion-thread-open',
      'Takes messages for threads that completions made.',
      skipRule('closed-completion-thread'),
    ),
    deviation(
      'threads.completion-thread-open-for-system',
      'Takes system messages for threads that completions made.',
      skipRule(
        'closed-completion-thread',
        ({ command }) => command.operation === 'createMessage' && command.message.role === 'system',
      ),
      { trigger: 'a system message' },
    ),
    deviation(
      'threads.completion-thread-open-for-assistant',
      'Takes assistant messages for threads that completions made.',
      skipRule(
        'closed-completion-thread',
        ({ command }) => command.operation === 'createMessage' && command.message.role === 'assistant',
      ),
      { trigger: 'an assistant message' },
    ),
    deviation(
      'threads.streamed-completion-thread-open',
      'Forgets to close threads that streamed completions make.',
      opensThreadsOf('streamChatCompletion'),
      { trigger: 'a thread of a streamed completion' },
    ),
    deviation(
      'threads.continued-thread-open',
      'Opens a thread of a completion when it is continued.',
      skipRule('closed-completion-thread', ({ thread }) => (thread?.answers ?? 0) > 1),
      { trigger: 'a thread of two completions' },
    ),
    deviation(
      'threads.run-completion-thread-open',
      'Opens a thread of a completion when it is run.',
      overrideStep((next) => (state, command, tickUs) => {
        const outcome = next(state, command, tickUs)
        return command.operation === 'finishRun' && command.run.operation === 'runThread'
          ? { ...outcome, state: opened(outcome.state, command.run.threadId) }
          : outcome
      }),
      { trigger: 'a thread of a completion that was run' },
    ),
  ],
} as const satisfies Partial<DeviationTable<'threads'>>

/** Stores a message although the request is refused. */
function leavesTrace(
  operation: 'createMessage' | RunCommand['operation'],
  content: (command: Command) => string,
): HookOverride {
  return overrideStep((next) => (state, command, tickUs) => {
    const outcome = next(state, command, tickUs)
    if (command.operation !== operation || outcome.reply.kind !== 'rejected') return outcome
    const text = content(command)
    const role = operation === 'createMessage' ? 'user' : 'assistant'
    const refusedTool = operation !== 'createMessage' || outcome.reply.rejection.reason === 'no-matching-tool-call'
    if (text === '' || !refusedTool) return outcome
    const { caller, threadId } = command
    const left = next(state, { operation: 'createMessage', caller, threadId, message: { role, content: text } }, tickUs)
    return { ...outcome, state: left.state }
  })
}

function leavesQuestion(): HookOverride {
  return overrideStep((next) => (state, command, tickUs) => {
    const outcome = next(state, command, tickUs)
    if (command.operation !== 'createChatCompletion' || outcome.reply.kind !== 'rejected') return outcome
    const { caller, threadId, messages } = command
    const message = messages.findLast(({ role }) => role === 'user')
    if (threadId === null || message === undefined) return outcome
    const creation = { operation: 'createMessage', caller, threadId, message } as const
    return { ...outcome, state: storedAnyway(state, threadId, (opened) => next(opened, creation, tickUs).state) }
  })
}

function storedAnyway(state: State, threadId: string, store: (opened: State) => State): State {
  const thread = state.threads.get(threadId)
  if (thread === undefined) return state
  const stored = store(withThread(state, { ...thread, origin: 'created' }))
  const longer = stored.threads.get(threadId) ?? thread
  return withThread(stored, { ...longer, origin: 'completion' })
}

function opensThreadsOf(operation: 'streamChatCompletion'): HookOverride {
  return overrideStep((next) => (state, command, tickUs) => {
    const outcome = next(state, command, tickUs)
    if (command.operation !== operation || outcome.reply.kind !== 'run') return outcome
    return { ...outcome, state: opened(outcome.state, outcome.reply.run.threadId) }
  })
}

function opened(state: State, threadId: string): State {
  const thread = state.threads.get(threadId)
  return thread === undefined ? state : withThread(state, { ...thread, origin: 'created' })
}

/**
 * Runs chat completions, whole and streamed (contract: Endpoints / POST /v1/chat/completions).
 * The messages of the body go into a new thread or into one that the caller names, and the assistant answers.
 */
import type { CompletionCommand } from './command.ts'
import type { Machine } from './machine.ts'
import { appendDraft, messageFault } from './messages.ts'
import { reject } from './reject.ts'
import type { Outcome } from './reply.ts'
import { beginRun, chooseAssistant, streamFault } from './runs.ts'
import type { State, Thread } from './state.ts'
import { findThread, newThread } from './threads.ts'

/** Accepts a completion. */
export function complete(machine: Machine, state: State, command: CompletionCommand, tickUs: number): Outcome {
  const assistant = chooseAssistant(machine, state, command, command.assistantId)
  if (assistant === null) return reject(state, 'assistant-not-available')
  const opened = openThread(machine, state, command, assistant.id, tickUs)
  if (opened.kind === 'refused') return opened.outcome
  let { thread } = opened
  const reason = streamFault(machine, assistant, { command, state, thread })
  if (reason !== null) return reject(state, reason)
  for (const [index, draft] of command.messages.entries()) {
    const context = { command, state, thread }
    const fault = messageFault(machine, draft, context, tickUs)
    if (fault !== null) {
      const unmatched = {
        loc: ['body', 'messages', index, 'tool_call_id'],
        message: 'answers no tool call of an assistant message before it',
        type: 'value_error',
      }
      const inMessage = fault.faults?.map((one) => ({ ...one, loc: ['body', 'messages', index, ...one.loc.slice(1)] }))
      return reject(state, 'bad-completion-message', inMessage ?? [unmatched])
    }
    thread = appendDraft(machine, thread, draft, context, tickUs).thread
  }
  return beginRun(machine, opened.state, thread, assistant, command, tickUs)
}

type Opened =
  | { readonly kind: 'opened'; readonly state: State; readonly thread: Thread }
  | { readonly kind: 'refused'; readonly outcome: Outcome }

function openThread(
  machine: Machine,
  state: State,
  command: CompletionCommand,
  assistantId: string,
  tickUs: number,
): Opened {
  const { threadId } = command
  if (threadId === null) {
    return { kind: 'opened', ...newThread(machine, state, command, assistantId, 'completion', tickUs) }
  }
  const found = findThread(machine, state, { ...command, threadId })
  if (found.kind === 'refused') return { kind: 'refused', outcome: reject(state, 'unknown-completion-thread') }
  return { kind: 'opened', state, thread: found.thread }
}

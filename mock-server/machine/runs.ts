/**
 * Runs of an assistant on a thread (contract: Endpoints / POST /v1/threads/{thread_id}/run, /run/stream).
 * A run is accepted in one step and stored in another, so that whatever lies between (delay, stream, a client that
 * leaves) is the shell's matter.
 */
import { timestampOf } from '../clock/timestamp.ts'
import { derive } from '../randomness/key.ts'
import { answerOf } from '../scenario/choose-answer.ts'
import type { Assistant } from '../scenario/resolved-scenario.ts'
import { anyAssistant, assistantOf } from './assistants.ts'
import type { CompletionCommand, FinishRunCommand, RunCommand } from './command.ts'
import type { HookContext } from './domain-hooks.ts'
import type { Machine } from './machine.ts'
import { appendMessage, bytesOf, messageIdOf, nextTimestamp } from './messages.ts'
import { reject } from './reject.ts'
import type { ReasonId } from './rejection-reasons.ts'
import type { Outcome } from './reply.ts'
import type { Run } from './run.ts'
import { type State, type Thread, withThread } from './state.ts'
import { findThread } from './threads.ts'

/** Accepts a run on a thread, or says which rule stands against it. */
export function runThread(machine: Machine, state: State, command: RunCommand, tickUs: number): Outcome {
  const found = findThread(machine, state, command)
  if (found.kind === 'refused') return found.outcome
  const { thread } = found
  const assistant = chooseAssistant(machine, state, command, command.assistantId ?? thread.assistantId)
  if (assistant === null) return reject(state, 'assistants.not-available')
  const context = { command, state, thread }
  const reason = streamFault(machine, assistant, context) ?? runFault(machine, thread, context)
  if (reason !== null) return reject(state, reason)
  return beginRun(machine, state, thread, assistant, command, tickUs)
}

/** The assistant that a command names, if the caller's tenant may use it. */
export function chooseAssistant(
  machine: Machine,
  state: State,
  command: RunCommand | CompletionCommand,
  assistantId: string,
): Assistant | null {
  const own = assistantOf(command.caller.tenant, assistantId)
  const context = { command, state, thread: null }
  if (machine.domainHooks.checkRule('assistants.not-available', own === undefined, context)) return null
  return own ?? anyAssistant(machine, assistantId) ?? null
}

/** Whether the assistant cannot do what the operation asks for. */
export function streamFault(machine: Machine, assistant: Assistant, context: HookContext): ReasonId | null {
  const { operation } = context.command
  const whole = operation === 'runThread' || operation === 'createChatCompletion'
  const broken = machine.domainHooks.checkRule('streams.not-supported', !whole && !assistant.streaming, context)
  return broken ? 'streams.not-supported' : null
}

function runFault(machine: Machine, thread: Thread, context: HookContext): ReasonId | null {
  const { checkRule } = machine.domainHooks
  if (checkRule('threads.run.needs-user-message', thread.lastUserAt < 0, context))
    return 'threads.run.needs-user-message'
  if (checkRule('threads.run.open-tool-calls', thread.openCalls > 0, context)) return 'threads.run.open-tool-calls'
  const streamed = context.command.operation === 'streamThreadRun'
  const open = thread.lastRole === 'user' || thread.lastRole === 'tool'
  if (checkRule('threads.run.stream-end', streamed && !open, context)) return 'threads.run.stream-end'
  return null
}

/** Fixes the whole answer of a run; nothing of it is stored yet. */
export function beginRun(
  machine: Machine,
  state: State,
  thread: Thread,
  assistant: Assistant,
  command: RunCommand | CompletionCommand,
  tickUs: number,
): Outcome {
  const context = { command, state, thread }
  const key = derive(thread.key, 'run', thread.ordinal)
  const toolsOffered = 'toolsOffered' in command && command.toolsOffered
  const answer = machine.domainHooks.answer(answerOf(assistant, thread, key, toolsOffered), context)
  const stamped = nextTimestamp(thread, tickUs)
  const run: Run = {
    operation: command.operation,
    tenantId: thread.tenantId,
    threadId: thread.id,
    messageId: machine.domainHooks.createId('message', messageIdOf(thread), context),
    answer,
    latency: assistant.latency,
    key,
    startTickUs: stamped.lastTickUs,
  }
  return { state: withThread(state, stamped), reply: { kind: 'run', run } }
}

/** Stores the answer of a run. A thread that a reset has taken away stays away. */
export function finishRun(machine: Machine, state: State, command: FinishRunCommand, tickUs: number): Outcome {
  const { run } = command
  const thread = state.threads.get(run.threadId)
  const context = { command, state, thread: thread ?? null }
  const lastTickUs = Math.max(tickUs, (thread?.lastTickUs ?? run.startTickUs) + 1)
  const { answer } = run
  const json = {
    id: run.messageId,
    thread_id: run.threadId,
    role: 'assistant',
    content: answer.content,
    created_at: machine.domainHooks.timestamp(timestampOf(lastTickUs), context),
    meta_data: answer.metaData,
    sources: answer.sources as unknown as readonly never[],
    ...(answer.toolCalls.length > 0 ? { tool_calls: answer.toolCalls as unknown as readonly never[] } : null),
  }
  const bytes = bytesOf(machine.domainHooks.message(json, context))
  const reply = { kind: 'stored', bytes } as const
  if (thread === undefined) return { state, reply }
  const longer = appendMessage({ ...thread, lastTickUs }, 'assistant', bytes, { tool_calls: answer.toolCalls })
  return { state: withThread(state, longer), reply }
}

/**
 * Runs of an assistant on a thread (contract: Endpoints / POST /v1/threads/{thread_id}/run, /run/stream). A run is
 * accepted in one step and stored in another, so that everything in between (delay, stream, a client that disconnects) is
 * left to the shell.
 */
import { timestampOf } from '../clock/timestamp.ts'
import { derive } from '../randomness/key.ts'
import type { MachineReasonId } from '../reasons/machine-reasons.ts'
import type { Assistant } from '../scenario/resolved-scenario.ts'
import { anyAssistant, assistantOf } from './assistants.ts'
import { answerOf } from './choose-answer.ts'
import type { CompletionCommand, FinishRunCommand, RunCommand } from './command.ts'
import type { HookContext } from './domain-hooks.ts'
import type { Machine } from './machine.ts'
import { appendMessage, bytesOf, messageIdOf, nextTimestamp } from './messages.ts'
import { reject } from './reject.ts'
import type { Outcome } from './reply.ts'
import type { Run } from './run.ts'
import { type State, type Thread, withThread } from './state.ts'
import { findThread } from './threads.ts'

/** Accepts a run on a thread, or returns the rule that forbids it. */
export function runThread(machine: Machine, state: State, command: RunCommand, tickUs: number): Outcome {
  const found = findThread(machine, state, command)
  if (found.kind === 'refused') return found.outcome
  const { thread } = found
  const assistant = chooseAssistant(machine, state, command, command.assistantId ?? thread.assistantId)
  if (assistant === null) return reject(state, 'assistant-not-available')
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
  if (machine.domainHooks.checkRule('assistant-not-available', own === undefined, context)) return null
  return own ?? anyAssistant(machine, assistantId) ?? null
}

/** Whether the assistant does not support the operation. */
export function streamFault(machine: Machine, assistant: Assistant, context: HookContext): MachineReasonId | null {
  const { operation } = context.command
  const whole = operation === 'runThread' || operation === 'createChatCompletion'
  const broken = machine.domainHooks.checkRule('streaming-not-supported', !whole && !assistant.streaming, context)
  return broken ? 'streaming-not-supported' : null
}

function runFault(machine: Machine, thread: Thread, context: HookContext): MachineReasonId | null {
  const { checkRule } = machine.domainHooks
  if (checkRule('no-user-message', thread.lastUserAt < 0, context)) return 'no-user-message'
  if (checkRule('open-tool-calls', thread.openCalls > 0, context)) return 'open-tool-calls'
  const streamed = context.command.operation === 'streamThreadRun'
  const open = thread.lastRole === 'user' || thread.lastRole === 'tool'
  if (checkRule('no-message-to-answer', streamed && !open, context)) return 'no-message-to-answer'
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
  const scripted = answerOf(assistant, thread, key, toolsOffered)
  const isWithoutCalls = 'toolsExcluded' in command && command.toolsExcluded
  const answer = machine.domainHooks.answer(isWithoutCalls ? { ...scripted, toolCalls: [] } : scripted, context)
  const stamped = nextTimestamp(thread, tickUs)
  const run: Run = {
    operation: command.operation,
    tenantId: thread.tenantId,
    threadId: thread.id,
    messageId: machine.domainHooks.createId('message', messageIdOf(thread), context),
    assistant: assistant.name,
    answer,
    latency: assistant.latency,
    key,
    startTickUs: stamped.lastTickUs,
  }
  return { state: withThread(state, stamped), reply: { kind: 'run', run } }
}

/** Stores the answer of a run. A thread that a reset has removed stays removed. */
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

/**
 * Runs of an assistant on a thread (contract: Endpoints / POST /v1/threads/{thread_id}/run, /run/stream).
 * A run is accepted in one step and stored in another, so that whatever lies between (delay, stream, a client that
 * leaves) is the shell's matter.
 */
import { timestampOf } from '../clock/timestamp.ts'
import { derive } from '../randomness/key.ts'
import type { Assistant } from '../scenario/cast.ts'
import { answerOf } from '../scenario/script.ts'
import { anyAssistant, assistantOf } from './assistants.ts'
import type { CompletionCommand, FinishRunCommand, RunCommand } from './command.ts'
import type { Occasion } from './laws.ts'
import type { Machine } from './machine.ts'
import { bytesOf, follow, messageIdOf, stampIn } from './messages.ts'
import { refuse } from './refuse.ts'
import type { ReasonId } from './rejection.ts'
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
  if (assistant === null) return refuse(state, 'assistants.not-available')
  const occasion = { command, state, thread }
  const reason = streamFault(machine, assistant, occasion) ?? runFault(machine, thread, occasion)
  if (reason !== null) return refuse(state, reason)
  return begin(machine, state, thread, assistant, command, tickUs)
}

/** The assistant that a command names, if the caller's tenant may use it. */
export function chooseAssistant(
  machine: Machine,
  state: State,
  command: RunCommand | CompletionCommand,
  assistantId: string,
): Assistant | null {
  const own = assistantOf(command.caller.tenant, assistantId)
  const occasion = { command, state, thread: null }
  if (machine.laws.enforce('assistants.not-available', own === undefined, occasion)) return null
  return own ?? anyAssistant(machine, assistantId) ?? null
}

/** Whether the assistant cannot do what the operation asks for. */
export function streamFault(machine: Machine, assistant: Assistant, occasion: Occasion): ReasonId | null {
  const { operation } = occasion.command
  const whole = operation === 'runThread' || operation === 'createChatCompletion'
  const broken = machine.laws.enforce('streams.not-supported', !whole && !assistant.streaming, occasion)
  return broken ? 'streams.not-supported' : null
}

function runFault(machine: Machine, thread: Thread, occasion: Occasion): ReasonId | null {
  const { enforce } = machine.laws
  if (enforce('threads.run.needs-user-message', thread.lastUserAt < 0, occasion))
    return 'threads.run.needs-user-message'
  if (enforce('threads.run.open-tool-calls', thread.openCalls > 0, occasion)) return 'threads.run.open-tool-calls'
  const streamed = occasion.command.operation === 'streamThreadRun'
  const open = thread.lastRole === 'user' || thread.lastRole === 'tool'
  if (enforce('threads.run.stream-end', streamed && !open, occasion)) return 'threads.run.stream-end'
  return null
}

/** Fixes the whole answer of a run; nothing of it is stored yet. */
export function begin(
  machine: Machine,
  state: State,
  thread: Thread,
  assistant: Assistant,
  command: RunCommand | CompletionCommand,
  tickUs: number,
): Outcome {
  const occasion = { command, state, thread }
  const key = derive(thread.key, 'run', thread.ordinal)
  const toolsOffered = 'toolsOffered' in command && command.toolsOffered
  const answer = machine.laws.answer(answerOf(assistant, thread, key, toolsOffered), occasion)
  const stamped = stampIn(thread, tickUs)
  const run: Run = {
    operation: command.operation,
    tenantId: thread.tenantId,
    threadId: thread.id,
    messageId: machine.laws.mint('message', messageIdOf(thread), occasion),
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
  const occasion = { command, state, thread: thread ?? null }
  const lastTickUs = Math.max(tickUs, (thread?.lastTickUs ?? run.startTickUs) + 1)
  const { answer } = run
  const json = {
    id: run.messageId,
    thread_id: run.threadId,
    role: 'assistant',
    content: answer.content,
    created_at: machine.laws.stamp(timestampOf(lastTickUs), occasion),
    meta_data: answer.metaData,
    sources: answer.sources as unknown as readonly never[],
    ...(answer.toolCalls.length > 0 ? { tool_calls: answer.toolCalls as unknown as readonly never[] } : null),
  }
  const bytes = bytesOf(machine.laws.message(json, occasion))
  const reply = { kind: 'stored', bytes } as const
  if (thread === undefined) return { state, reply }
  const longer = follow({ ...thread, lastTickUs }, 'assistant', bytes, { tool_calls: answer.toolCalls })
  return { state: withThread(state, longer), reply }
}

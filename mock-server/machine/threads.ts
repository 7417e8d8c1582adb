/**
 * Threads and the messages that clients add to them (contract: Endpoints / Thread creation,
 * POST /v1/threads/{thread_id}/messages).
 */
import { timestampOf } from '../clock/timestamp.ts'
import { derive, type Key } from '../randomness/key.ts'
import { uuidOf } from '../randomness/uuid.ts'
import type { Caller } from '../scenario/resolved-scenario.ts'
import { assistantOf } from './assistants.ts'
import type { Command, CreateMessageCommand, CreateThreadCommand } from './command.ts'
import type { Machine } from './machine.ts'
import { appendDraft, messageFault } from './messages.ts'
import { reject } from './reject.ts'
import type { Outcome } from './reply.ts'
import { emptyThread, type State, type Thread, withThread } from './state.ts'

/** Makes an empty thread that takes messages (reference profile). */
export function createThread(machine: Machine, state: State, command: CreateThreadCommand, tickUs: number): Outcome {
  const { tenant } = command.caller
  const context = { command, state, thread: null }
  const assistant = command.assistantId === null ? tenant.assistants[0] : assistantOf(tenant, command.assistantId)
  const broken = machine.domainHooks.checkRule('assistant-not-available', assistant === undefined, context)
  if (broken) return reject(state, 'assistant-not-available')
  const assistantId = assistant?.id ?? command.assistantId ?? ''
  const creation = newThread(machine, state, command, assistantId, 'created', tickUs)
  const json = {
    id: creation.thread.id,
    assistant_id: assistantId,
    created_at: machine.domainHooks.timestamp(timestampOf(tickUs), { command, state, thread: creation.thread }),
  }
  return { state: withThread(creation.state, creation.thread), reply: { kind: 'document', json } }
}

/** Adds one message of a client. */
export function createMessage(machine: Machine, state: State, command: CreateMessageCommand, tickUs: number): Outcome {
  const found = findThread(machine, state, command)
  if (found.kind === 'refused') return found.outcome
  const { thread } = found
  const { domainHooks } = machine
  const context = { command, state, thread }
  if (domainHooks.checkRule('empty-content', command.message.content === '', context)) {
    return reject(state, 'empty-content')
  }
  if (domainHooks.checkRule('closed-completion-thread', thread.origin === 'completion', context)) {
    return reject(state, 'closed-completion-thread')
  }
  const fault = messageFault(machine, command.message, context, tickUs)
  if (fault !== null) return reject(state, fault.reason, fault.faults)
  const { thread: longer, bytes } = appendDraft(machine, thread, command.message, context, tickUs)
  return { state: withThread(state, longer), reply: { kind: 'stored', bytes } }
}

type Found =
  | { readonly kind: 'found'; readonly thread: Thread }
  | { readonly kind: 'refused'; readonly outcome: Outcome }

/** The thread that a command names, if its caller may see it. */
export function findThread(
  machine: Machine,
  state: State,
  command: Command & { readonly caller: Caller; readonly threadId: string },
): Found {
  const thread = state.threads.get(command.threadId) ?? state.threads.get(command.threadId.toLowerCase())
  if (thread === undefined) return { kind: 'refused', outcome: reject(state, 'unknown-thread') }
  const foreign = thread.tenantId !== command.caller.tenant.id
  if (machine.domainHooks.checkRule('foreign-thread', foreign, { command, state, thread })) {
    return { kind: 'refused', outcome: reject(state, 'foreign-thread') }
  }
  return { kind: 'found', thread }
}

/** A new thread whose id is keyed by tenant, request and how often that request came; not yet in the state. */
export function newThread(
  machine: Machine,
  state: State,
  command: Command & { readonly caller: Caller; readonly digest: string },
  assistantId: string,
  origin: Thread['origin'],
  tickUs: number,
): { readonly state: State; readonly thread: Thread } {
  const { key, state: counted } = requestKey(machine, state, command)
  const id = machine.domainHooks.createId('thread', uuidOf(key), { command, state, thread: null })
  const creation = { id, tenantId: command.caller.tenant.id, assistantId, origin }
  return { state: counted, thread: emptyThread(creation, tickUs) }
}

/** The key of a creating request, and the state that has counted it. */
export function requestKey(
  machine: Machine,
  state: State,
  command: Command & { readonly caller: Caller; readonly digest: string },
): { readonly key: Key; readonly state: State } {
  const { key, number } = duplicateCount(machine, command)
  const twins = state.twins.get(number) ?? 0
  return { key: derive(key, 'twin', twins), state: { ...state, twins: state.twins.set(number, twins + 1) } }
}

/** The key of a creating request, and the number under which it is counted. */
export function duplicateCount(
  machine: Machine,
  command: Command & { readonly caller: Caller; readonly digest: string },
): { readonly key: Key; readonly number: number } {
  const key = derive(machine.root, `${command.caller.tenant.id} ${command.operation} ${command.digest}`)
  // 53 bits of the key tell one request from another well enough to count it.
  return { key, number: (key.a >>> 0) * 0x20_0000 + (key.b >>> 11) }
}

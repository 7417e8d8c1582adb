/**
 * Adds a message to a thread: checks the tool rules, assigns id and stamp, and encodes it once.
 * Apart from threads.ts because completions and runs store messages too.
 */
import { timestampOf } from '../clock/timestamp.ts'
import { derive } from '../randomness/key.ts'
import { uuidOf } from '../randomness/uuid.ts'
import type { MachineReasonId } from '../reasons/machine-reasons.ts'
import type { FieldFault } from '../reasons/reason.ts'
import type { JsonObject } from '../scenario/scenario.ts'
import type { MessageDraft } from './command.ts'
import type { HookContext } from './domain-hooks.ts'
import { isRemoved } from './file-limits.ts'
import type { Machine } from './machine.ts'
import type { ToolCall } from './run.ts'
import type { Role, Thread } from './state.ts'

interface Appended {
  readonly thread: Thread
  readonly bytes: Uint8Array
}

/** Why a message cannot follow the thread; `null` when it can (contract: tool and attachment rules). */
export function messageFault(
  machine: Machine,
  draft: MessageDraft,
  context: HookContext,
  tickUs: number,
): { readonly reason: MachineReasonId; readonly faults?: readonly FieldFault[] } | null {
  const { thread, state } = context
  const unmatched =
    draft.role === 'tool' && (draft.tool_call_id === undefined || thread?.calls.has(draft.tool_call_id) !== true)
  if (machine.domainHooks.checkRule('no-matching-tool-call', unmatched, context))
    return { reason: 'no-matching-tool-call' }
  const faults = (draft.file_ids ?? []).flatMap((id, index): FieldFault[] => {
    const file = state.files.get(id.toLowerCase())
    const isThere = file !== undefined && file.tenantId === thread?.tenantId && !isRemoved(file, tickUs)
    return isThere
      ? []
      : [{ loc: ['body', 'file_ids', index], message: 'is no file of the tenant', type: 'value_error' }]
  })
  if (machine.domainHooks.checkRule('unknown-attachment', faults.length > 0, context)) {
    return { reason: 'unknown-attachment', faults }
  }
  return null
}

/** The thread with a client's message at its end. */
export function appendDraft(
  machine: Machine,
  thread: Thread,
  draft: MessageDraft,
  context: HookContext,
  tickUs: number,
): Appended {
  const id = machine.domainHooks.createId('message', messageIdOf(thread), context)
  const stamped = nextTimestamp(thread, tickUs)
  const json: Record<string, JsonObject[string]> = {
    id,
    thread_id: thread.id,
    role: draft.role,
    content: draft.content,
    created_at: machine.domainHooks.timestamp(timestampOf(stamped.lastTickUs), context),
  }
  if (draft.role === 'assistant') {
    json.meta_data = draft.meta_data ?? {}
    json.sources = draft.sources ?? []
  }
  if (draft.tool_calls !== undefined) json.tool_calls = draft.tool_calls as unknown as JsonObject[]
  if (draft.tool_call_id !== undefined) json.tool_call_id = draft.tool_call_id
  if (draft.file_ids !== undefined) json.file_ids = draft.file_ids
  const bytes = bytesOf(machine.domainHooks.message(json, context))
  return { thread: appendMessage(stamped, draft.role, bytes, draft), bytes }
}

/** The thread one message longer; keeps count of users, answers and tool calls. */
export function appendMessage(
  thread: Thread,
  role: Role,
  bytes: Uint8Array,
  tools: { readonly tool_call_id?: string; readonly tool_calls?: readonly ToolCall[] },
): Thread {
  const position = thread.log.size
  return {
    ...thread,
    ...callsAfter(thread, role, tools),
    log: thread.log.push(bytes),
    lastRole: role,
    lastUserAt: role === 'user' ? position : thread.lastUserAt,
    answers: role === 'assistant' ? thread.answers + 1 : thread.answers,
  }
}

function callsAfter(
  thread: Thread,
  role: Role,
  tools: { readonly tool_call_id?: string; readonly tool_calls?: readonly ToolCall[] },
): Pick<Thread, 'calls' | 'openCalls'> | null {
  if (role === 'tool' && tools.tool_call_id !== undefined && thread.calls.get(tools.tool_call_id) === 'open') {
    return { calls: thread.calls.set(tools.tool_call_id, 'answered'), openCalls: thread.openCalls - 1 }
  }
  if (role !== 'assistant' || tools.tool_calls === undefined) return null
  const fresh = tools.tool_calls.map((call) => call.id).filter((id) => thread.calls.get(id) !== 'open')
  const calls = fresh.reduce((all, id) => all.set(id, 'open'), thread.calls)
  return { calls, openCalls: thread.openCalls + new Set(fresh).size }
}

/** The thread with its next ordinal spent and its next stamp given out: strictly later than the one before. */
export function nextTimestamp(thread: Thread, tickUs: number): Thread {
  return { ...thread, ordinal: thread.ordinal + 1, lastTickUs: Math.max(tickUs, thread.lastTickUs + 1) }
}

/** The id of the thread's next message, keyed by the thread's own id and ordinal. */
export function messageIdOf(thread: Thread): string {
  return uuidOf(derive(thread.key, 'message', thread.ordinal))
}

/** JSON bytes; the pooled allocation keeps a short message under 300 bytes of overhead. */
export function bytesOf(json: unknown): Uint8Array {
  return Buffer.from(JSON.stringify(json))
}

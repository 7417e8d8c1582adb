/**
 * Describes the change of one step as plain JSON, which suffices to repeat it after a restart. Messages are kept as their
 * own text; counts of a thread follow from them.
 */
import type { Command } from '../machine/command.ts'
import type { Machine } from '../machine/machine.ts'
import { appendMessage } from '../machine/messages.ts'
import type { Reply } from '../machine/reply.ts'
import type { ToolCall } from '../machine/run.ts'
import {
  emptyThread,
  type QuotaWindow,
  type Role,
  type State,
  type StoredFile,
  type Thread,
  withThread,
} from '../machine/state.ts'
import { duplicateCount } from '../machine/threads.ts'

export interface Effect {
  readonly thread?: ThreadEffect
  readonly file?: StoredFile
  /** Number of a creating request, and how often it came. */
  readonly twin?: readonly [number: number, times: number]
  /** Id of a key, and its window. */
  readonly window?: readonly [id: string, window: QuotaWindow]
}

interface ThreadEffect extends Pick<Thread, 'id' | 'lastTickUs' | 'ordinal'> {
  /** Only for a new thread. */
  readonly creation?: Pick<Thread, 'tenantId' | 'assistantId' | 'origin'>
  /** JSON of the messages that were added. */
  readonly added: readonly string[]
}

/** The change of a command, `null` for none. */
export function effectOf(machine: Machine, before: State, after: State, command: Command, reply: Reply): Effect | null {
  if (before === after) return null
  const thread = threadEffect(before, after, threadIdOf(command, reply))
  const file = before.files === after.files ? undefined : after.files.get(fileIdOf(command, reply))
  const twin = before.twins === after.twins ? undefined : twinEffect(machine, after, command)
  return {
    ...(thread === null ? null : { thread }),
    ...(file === undefined ? null : { file }),
    ...(twin === undefined ? null : { twin }),
  }
}

function threadIdOf(command: Command, reply: Reply): string {
  if (reply.kind === 'run') return reply.run.threadId
  if (command.operation === 'finishRun') return command.run.threadId
  if (reply.kind === 'document' && command.operation === 'createThread') return String(reply.json.id)
  return 'threadId' in command ? (command.threadId ?? '') : ''
}

function fileIdOf(command: Command, reply: Reply): string {
  if ('fileId' in command) return command.fileId.toLowerCase()
  return reply.kind === 'document' ? String(reply.json.file_id) : ''
}

function threadEffect(before: State, after: State, named: string): ThreadEffect | null {
  if (before.threads === after.threads) return null
  const thread = after.threads.get(named) ?? after.threads.get(named.toLowerCase())
  return thread === undefined ? null : growth(before.threads.get(thread.id), thread)
}

function growth(old: Thread | undefined, thread: Thread): ThreadEffect {
  const { id, lastTickUs, ordinal, tenantId, assistantId, origin } = thread
  const added: string[] = []
  for (let position = old?.log.size ?? 0; position < thread.log.size; position += 1) {
    added.push(Buffer.from(thread.log.get(position) ?? []).toString())
  }
  const grown = { id, lastTickUs, ordinal, added }
  return old === undefined ? { ...grown, creation: { tenantId, assistantId, origin } } : grown
}

function twinEffect(machine: Machine, after: State, command: Command): readonly [number, number] | undefined {
  if (!('digest' in command)) return undefined
  const { number } = duplicateCount(machine, command)
  return [number, after.twins.get(number) ?? 0]
}

/** A whole state as effects, for one that no line of effects leads to. */
export function* wholeState(state: State): Generator<Effect> {
  for (const thread of state.threads.values()) yield { thread: growth(undefined, thread) }
  for (const file of state.files.values()) yield { file }
  for (const twin of state.twins) yield { twin }
  for (const window of state.windows) yield { window }
}

/** The state with the effect made again. */
export function replay(state: State, { thread, file, twin, window }: Effect): State {
  let next = state
  if (thread !== undefined) next = withThread(next, regrown(next, thread))
  if (file !== undefined) next = { ...next, files: next.files.set(file.id, file) }
  if (twin !== undefined) next = { ...next, twins: next.twins.set(...twin) }
  if (window !== undefined) next = { ...next, windows: next.windows.set(...window) }
  return next
}

interface StoredMessage {
  readonly role: Role
  readonly tool_call_id?: string
  readonly tool_calls?: readonly ToolCall[]
}

function regrown(state: State, { id, lastTickUs, ordinal, creation, added }: ThreadEffect): Thread {
  const old = creation === undefined ? state.threads.get(id) : emptyThread({ id, ...creation }, lastTickUs)
  if (old === undefined) throw new RangeError(`the state has no thread ${id}`)
  const longer = added.reduce((thread, text) => {
    const message: StoredMessage = JSON.parse(text)
    return appendMessage(thread, message.role, Buffer.from(text), message)
  }, old)
  return { ...longer, lastTickUs, ordinal }
}

/**
 * The hooks inside the machine: every rule, id, timestamp, answer, stored message and page goes through one.
 * The default ones return what they are given, and a deviation wraps one of them. They must be deterministic.
 */

import type { MachineReasonId } from '../reasons/machine-reasons.ts'
import type { JsonObject } from '../scenario/scenario.ts'
import type { Command } from './command.ts'
import { openCursor, sealCursor } from './cursor.ts'
import type { Answer } from './run.ts'
import type { State, Thread } from './state.ts'

/** The context in which a hook is called. */
export interface HookContext {
  readonly command: Command
  readonly state: State
  /** The thread that the command is about, once it is found. */
  readonly thread: Thread | null
}

/** The messages of one page, newest first, and where the next one starts. Each of `items` is one message to an override. */
export interface PageSelection {
  readonly items: readonly Uint8Array[]
  /** Position in the log that the next page ends before, or `null` at the end. */
  readonly next: number | null
}

export interface DomainHooks {
  /** Whether to refuse for this reason; `broken` is what the machine found. */
  checkRule(reason: MachineReasonId, broken: boolean, context: HookContext): boolean
  /** The id of a new thread, message or file. */
  createId(kind: 'thread' | 'message' | 'file', id: string, context: HookContext): string
  /** The text of a timestamp. */
  timestamp(text: string, context: HookContext): string
  /** The answer of the assistant, before it is sent or stored. */
  answer(answer: Answer, context: HookContext): Answer
  /** A message as it is stored, listed and returned. */
  message(json: JsonObject, context: HookContext): JsonObject
  /** Which messages make a page: at most `limit`, from before log position `before` down. */
  select(thread: Thread, limit: number, before: number, context: HookContext): PageSelection
  /** The cursor of a log position. */
  sealCursor(secret: string, threadId: string, position: number, context: HookContext): string
  /** The log position of a cursor, or `null` when it is not one of this thread. */
  openCursor(secret: string, threadId: string, cursor: string, context: HookContext): number | null
}

/** The hooks of a mock without deviations; without an override of pages, messages come joined by commas. */
export const defaultDomainHooks: DomainHooks = {
  checkRule: (_reason, broken) => broken,
  createId: (_kind, id) => id,
  timestamp: (text) => text,
  answer: (answer) => answer,
  message: (json) => json,
  select: (thread, limit, before) => {
    const from = Math.max(0, before - limit)
    return { items: thread.log.joined(from, before), next: from > 0 ? from : null }
  },
  sealCursor,
  openCursor,
}

/** The hooks that overrides are wrapped around: the same, with one item for each message. */
export const overridableHooks: DomainHooks = { ...defaultDomainHooks, select: newestFirst }

function newestFirst(thread: Thread, limit: number, before: number): PageSelection {
  const items: Uint8Array[] = []
  const last = Math.max(0, before - limit)
  for (let position = before - 1; position >= last; position -= 1) {
    const bytes = thread.log.get(position)
    if (bytes !== undefined) items.push(bytes)
  }
  return { items, next: last > 0 ? last : null }
}

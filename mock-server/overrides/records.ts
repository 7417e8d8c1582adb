/** Overrides of what the machine makes and keeps: ids, stamps, answers, stored messages, pages, whole steps. */

import type { HookOverride } from '../exchange/hooks.ts'
import type { Command } from '../machine/command.ts'
import type { HookContext, PageSelection } from '../machine/domain-hooks.ts'
import type { Answer } from '../machine/run.ts'
import type { Thread } from '../machine/state.ts'
import type { Step } from '../machine/step.ts'
import type { JsonObject } from '../scenario/scenario.ts'

/** The operation behind an occasion: for the end of a run, that of its request. */
export function originOf({ command }: HookContext): Exclude<Command['operation'], 'finishRun'> {
  return command.operation === 'finishRun' ? command.run.operation : command.operation
}

/** Overrides the ids of one kind. */
export function overrideIds(
  kind: 'thread' | 'message' | 'file',
  edit: (id: string, context: HookContext) => string,
): HookOverride {
  return {
    hook: 'createId',
    wrap: (next) => (asked, id, context) => {
      const faithful = next(asked, id, context)
      return asked === kind ? edit(faithful, context) : faithful
    },
  }
}

/** Overrides the text of timestamps. */
export function overrideTimestamps(edit: (text: string, context: HookContext) => string): HookOverride {
  return { hook: 'timestamp', wrap: (next) => (text, context) => edit(next(text, context), context) }
}

/** Overrides what assistants say. */
export function overrideAnswers(edit: (answer: Answer, context: HookContext) => Answer): HookOverride {
  return { hook: 'answer', wrap: (next) => (answer, context) => edit(next(answer, context), context) }
}

/** Overrides messages as they are stored, and so wherever they are read. */
export function overrideStoredMessages(edit: (message: JsonObject, context: HookContext) => JsonObject): HookOverride {
  return { hook: 'message', wrap: (next) => (message, context) => edit(next(message, context), context) }
}

/** Overrides the choice of the messages of a page. */
export function overridePages(
  edit: (page: PageSelection, thread: Thread, limit: number, before: number) => PageSelection,
): HookOverride {
  return {
    hook: 'select',
    wrap: (next) => (thread, limit, before, context) =>
      edit(next(thread, limit, before, context), thread, limit, before),
  }
}

/** Overrides the whole machine. */
export function overrideStep(wrap: (next: Step) => Step): HookOverride {
  return { hook: 'step', wrap }
}

/** A stored message as JSON. */
export function messageOf(bytes: Uint8Array): JsonObject {
  return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString()) as JsonObject
}

/** A message as it is stored. */
export function bytesOf(message: JsonObject): Uint8Array {
  return Buffer.from(JSON.stringify(message))
}

/** Bends of what the machine makes and keeps: ids, stamps, answers, stored messages, pages, whole steps. */
import type { Command } from '../machine/command.ts'
import type { Occasion, PageSelection } from '../machine/laws.ts'
import type { Step } from '../machine/machine.ts'
import type { Answer } from '../machine/run.ts'
import type { Thread } from '../machine/state.ts'
import type { JsonObject } from '../scenario/scenario.ts'
import type { Bend } from '../seams.ts'

/** The operation behind an occasion: for the end of a run, that of its request. */
export function originOf({ command }: Occasion): Exclude<Command['operation'], 'finishRun'> {
  return command.operation === 'finishRun' ? command.run.operation : command.operation
}

/** Bends the ids of one kind. */
export function mints(
  kind: 'thread' | 'message' | 'file' | 'call',
  edit: (id: string, occasion: Occasion) => string,
): Bend {
  return {
    seam: 'mint',
    wrap: (next) => (asked, id, occasion) => {
      const faithful = next(asked, id, occasion)
      return asked === kind ? edit(faithful, occasion) : faithful
    },
  }
}

/** Bends the text of timestamps. */
export function stamps(edit: (text: string, occasion: Occasion) => string): Bend {
  return { seam: 'stamp', wrap: (next) => (text, occasion) => edit(next(text, occasion), occasion) }
}

/** Bends what assistants say. */
export function answers(edit: (answer: Answer, occasion: Occasion) => Answer): Bend {
  return { seam: 'answer', wrap: (next) => (answer, occasion) => edit(next(answer, occasion), occasion) }
}

/** Bends messages as they are stored, and so wherever they are read. */
export function stores(edit: (message: JsonObject, occasion: Occasion) => JsonObject): Bend {
  return { seam: 'message', wrap: (next) => (message, occasion) => edit(next(message, occasion), occasion) }
}

/** Bends the choice of the messages of a page. */
export function selects(
  edit: (page: PageSelection, thread: Thread, limit: number, before: number) => PageSelection,
): Bend {
  return {
    seam: 'select',
    wrap: (next) => (thread, limit, before, occasion) =>
      edit(next(thread, limit, before, occasion), thread, limit, before),
  }
}

/** Bends the whole machine. */
export function steps(wrap: (next: Step) => Step): Bend {
  return { seam: 'step', wrap }
}

/** A stored message as JSON. */
export function messageOf(bytes: Uint8Array): JsonObject {
  return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString()) as JsonObject
}

/** A message as it is stored. */
export function bytesOf(message: JsonObject): Uint8Array {
  return Buffer.from(JSON.stringify(message))
}

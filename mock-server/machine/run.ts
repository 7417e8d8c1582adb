/**
 * One run of an assistant between its acceptance and its end.
 * The whole answer is known and nothing of it is stored. A run ends with its message in the thread or, when the client leaves,
 * with nothing but a spent ordinal.
 */

import type { Key } from '../randomness/key.ts'
import type { JsonObject, Latency, SourceScript } from '../scenario/scenario.ts'

export type CompletionOperation = 'createChatCompletion' | 'streamChatCompletion' | 'streamChatCompletionEvents'
export type RunOperation = 'runThread' | 'streamThreadRun'

/** A tool call of an assistant message (reference profile). */
export interface ToolCall {
  readonly id: string
  readonly type: 'function'
  readonly function: { readonly name: string; readonly arguments: string }
}

export interface Run {
  readonly operation: CompletionOperation | RunOperation
  readonly tenantId: string
  readonly threadId: string
  readonly messageId: string
  /** Name of the assistant that answers. */
  readonly assistant: string
  readonly answer: Answer
  readonly latency: Required<Latency>
  /** Source of the run's chunk borders and jitter. */
  readonly key: Key
  /** When the run was accepted; chunks and the stored message are stamped later than this. */
  readonly startTickUs: number
}

/** The answer of an assistant. */
export interface Answer {
  readonly content: string
  /** Text of the reasoning blocks; empty for none. */
  readonly reasoning: string
  readonly sources: readonly SourceScript[]
  readonly metaData: JsonObject
  readonly toolCalls: readonly ToolCall[]
  /** Which turn of the assistant's script fitted, from 1; `null` for none. */
  readonly turn: number | null
  /** Where a script cuts the content; it counts only while it is that of the content. */
  readonly cut?: Cut
}

/** Ends of the pieces of a text, and the pause before each, `null` for that of the latency. */
export interface Cut {
  readonly text: string
  readonly borders: readonly number[]
  readonly pausesMs: readonly (number | null)[]
}

/** Defines what travels between a client and the service, as the reference profile has it. */
import type { errorCodes } from './error-codes.ts'

export type Role = 'user' | 'system' | 'tool' | 'assistant'

export interface Source {
  readonly content: string
  readonly meta_data: { readonly document_title: string; readonly section: string }
}

export interface ToolCall {
  readonly id: string
  readonly type: 'function'
  /** `arguments` is JSON text. */
  readonly function: { readonly name: string; readonly arguments: string }
}

/** A message of a user, a system or a tool. */
export interface Message {
  readonly id: string
  readonly thread_id: string
  readonly role: Exclude<Role, 'assistant'>
  readonly content: string
  readonly created_at: string
  readonly tool_call_id?: string
  readonly file_ids?: readonly string[]
}

export interface AssistantMessage {
  readonly id: string
  readonly thread_id: string
  readonly role: 'assistant'
  readonly content: string
  readonly created_at: string
  /** Shaped by the `meta_data_response_schema` of the assistant. */
  readonly meta_data: Readonly<Record<string, unknown>>
  readonly sources: readonly Source[]
  readonly tool_calls?: readonly ToolCall[]
  readonly file_ids?: readonly string[]
}

/** Messages, newest first; the last page has the cursor `null`. */
export interface MessagePage {
  readonly cursor: string | null
  readonly items: readonly (AssistantMessage | Message)[]
}

export interface Thread {
  readonly id: string
  readonly assistant_id: string
  readonly created_at: string
}

export interface Assistant {
  readonly id: string
  readonly name: string
  readonly streaming: boolean
  /** JSON Schema of the `meta_data` of its answers. */
  readonly meta_data_response_schema: {
    readonly type: 'object'
    readonly title?: string
    readonly properties: Readonly<Record<string, unknown>>
    readonly required?: readonly string[]
    readonly [keyword: string]: unknown
  }
  /** Path (`__root__` for the body itself) → fields that a request must have. */
  readonly request_required_fields: Readonly<Record<string, readonly string[]>>
}

export type ContentBlock =
  | { readonly type: 'reasoning'; readonly reasoning: string }
  | { readonly type: 'text'; readonly text: string }

interface Chunk<Delta> {
  readonly created_at: string
  readonly message_id: string
  readonly thread_id: string
  readonly delta: Delta & {
    readonly role: 'assistant'
    readonly sources: readonly Source[]
    readonly tool_calls?: readonly ToolCall[]
  }
}

export type TextChunk = Chunk<{ readonly content: string }>
export type BlockChunk = Chunk<{ readonly content_blocks: readonly ContentBlock[] }>

/** A line of a stream: a chunk, or the error that ends the stream. */
export type TextStreamItem = TextChunk | ErrorBody
export type BlockStreamItem = BlockChunk | ErrorBody

export type ErrorCode = (typeof errorCodes)[number]

export interface FieldError {
  readonly loc: readonly (string | number)[]
  readonly message: string
  readonly type: string
}

export interface PlainError {
  readonly error_code: Exclude<ErrorCode, 'validation_error'>
  readonly detail: string
}

export interface ValidationError {
  readonly error_code: 'validation_error'
  readonly detail: readonly FieldError[]
}

/** Narrows by `error_code`. */
export type ErrorBody = PlainError | ValidationError

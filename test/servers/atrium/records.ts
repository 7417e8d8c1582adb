/**
 * The shapes that Atrium keeps in memory and puts on the wire.
 * Optional fields are left out of answers when they hold nothing, never sent as null.
 */

/** Roles that a message can have. */
export const roles = ['user', 'system', 'tool', 'assistant'] as const

/** One of the four roles. */
export type Role = (typeof roles)[number]

/** An excerpt that an answer rests on. */
export interface Source {
  readonly content: string
  readonly meta_data: { readonly document_title: string; readonly section: string }
}

/** A request of an assistant to call a function. */
export interface ToolCall {
  readonly id: string
  readonly type: 'function'
  readonly function: { readonly name: string; readonly arguments: string }
}

/** A message as stored and as answered. */
export interface Message {
  readonly id: string
  readonly thread_id: string
  readonly role: Role
  readonly content: string
  readonly created_at: string
  readonly tool_call_id?: string
  readonly file_ids?: readonly string[]
  readonly meta_data?: Readonly<Record<string, unknown>>
  readonly sources?: readonly Source[]
  readonly tool_calls?: readonly ToolCall[]
}

/** What a message holds before the thread gives it an id and a time. */
export type MessageDraft = Omit<Message, 'id' | 'thread_id' | 'created_at'>

/** A thread; the ones born in chat completions are closed to posted messages. */
export interface Thread {
  readonly id: string
  readonly tenantId: string
  readonly fromCompletion: boolean
  readonly createdAt: string
  readonly messages: Message[]
}

/** An assistant record as listed. */
export interface Assistant {
  readonly id: string
  readonly name: string
  readonly streaming: boolean
  readonly meta_data_response_schema: Readonly<Record<string, unknown>>
  readonly request_required_fields: Readonly<Record<string, readonly string[]>>
}

/** An assistant together with what makes it behave. */
export interface AssistantEntry {
  readonly record: Assistant
  readonly callsTools: boolean
  readonly describe: (question: string) => Record<string, unknown>
}

/** An API key record as listed. */
interface ApiKeyRecord {
  readonly id: string
  readonly api_key: string
  readonly created_at: string
  readonly last_updated_at: string
}

/** A tenant with its keys and the assistants it may use. */
export interface Tenant {
  readonly id: string
  readonly name: string
  readonly apiKeys: readonly ApiKeyRecord[]
  readonly assistants: ReadonlyMap<string, AssistantEntry>
}

/** A file from the moment its upload is granted. */
export interface StoredFile {
  readonly id: string
  readonly tenantId: string
  readonly token: string
  readonly expiresAt: number
  /** When it is removed, in epoch milliseconds; never for kept files. */
  readonly removedAt: number | null
  status: 'awaiting_upload' | 'processing' | 'completed'
}

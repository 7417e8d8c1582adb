/**
 * The domain of Basalt: tenants, assistants, threads and messages.
 * Message records carry fields beyond the contract, which readers have to pass over.
 */

/** Who speaks. */
export type Role = 'user' | 'system' | 'tool' | 'assistant'

/** An excerpt below an answer. */
export interface Source {
  readonly content: string
  readonly meta_data: { readonly document_title: string; readonly section: string; readonly relevance: number }
}

/** One call that an assistant asks for. */
export interface ToolRequest {
  readonly call_id: string
  readonly tool: string
  readonly input: Readonly<Record<string, unknown>>
}

/** The part of a message that its author supplies. */
export interface MessageContent {
  readonly role: Role
  readonly content: string
  readonly attachments: readonly { readonly file_id: string }[]
  readonly tool_call_id?: string
  readonly tool_requests?: readonly ToolRequest[]
  readonly meta_data?: Readonly<Record<string, unknown>>
  readonly sources?: readonly Source[]
}

/** A message as stored and answered. */
export interface MessageRecord extends MessageContent {
  readonly id: string
  readonly thread_id: string
  readonly created_at: string
  readonly revision: number
  readonly locale: null
}

/** Place of a message in its thread: time first, then order of arrival. */
export interface Position {
  readonly micros: number
  readonly sequence: number
}

/** A message together with its place. */
export interface Entry {
  readonly position: Position
  readonly record: MessageRecord
}

/** A thread, bound for life to the assistant it was opened for. */
export interface Thread {
  readonly id: string
  readonly tenantId: string
  readonly assistantId: string
  readonly origin: 'direct' | 'completion'
  readonly entries: Entry[]
}

/** An assistant record. */
export interface Assistant {
  readonly id: string
  readonly name: string
  readonly streaming: boolean
  readonly meta_data_response_schema: Readonly<Record<string, unknown>>
  readonly request_required_fields: Readonly<Record<string, readonly string[]>>
  readonly lifecycle: 'general_availability'
}

/** An assistant and its manner of answering. */
export interface Engine {
  readonly assistant: Assistant
  readonly asksForTools: boolean
  readonly metaData: (question: string) => Record<string, unknown>
}

/** An API key record. */
export interface ApiKey {
  readonly id: string
  readonly api_key: string
  readonly created_at: string
  readonly last_updated_at: string
  readonly label: string
}

/** A tenant and what is granted to it. */
export interface Tenant {
  readonly id: string
  readonly name: string
  readonly keys: readonly ApiKey[]
  readonly engines: readonly Engine[]
}

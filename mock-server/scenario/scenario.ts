/**
 * A scenario as plain data: the callers, the assistants, and their answers by turn. Field names are those of the contract
 * where it has them, so that a YAML file reads like it; every value is JSON.
 */
import type { OperationId } from '../../spec/index.ts'

export type Json = null | boolean | number | string | readonly Json[] | JsonObject
export interface JsonObject {
  readonly [field: string]: Json
}

/** The placeholders of a scripted text. */
export const placeholders = ['user', 'tool', 'turn'] as const

/** A whole scenario. */
export interface Scenario {
  readonly name: string
  readonly tenants: readonly TenantScript[]
  readonly assistants: readonly AssistantScript[]
  /** How uploaded files become ready; default: at once. */
  readonly files?: FileScript
}

/** Both conditions must be met before a file is `ready`; until then it is `processing`. */
export interface FileScript {
  readonly ready_after_seconds?: number
  /** Status reads that still find it in processing. */
  readonly ready_after_polls?: number
  /** Regular expression over the filename; a file that fits ends as `failed`. */
  readonly fails_when_named?: string
}

export interface TenantScript {
  readonly name: string
  /** Default: derived from the scenario's and the tenant's name. */
  readonly id?: string
  readonly keys: readonly KeyScript[]
  /** Names of its assistants; the first one is the default for new threads. */
  readonly assistants: readonly string[]
  /** Deliberate faults of its requests. */
  readonly faults?: readonly FaultScript[]
}

interface KeyScript {
  readonly key: string
  /** Without one the key is never limited. */
  readonly quota?: Quota
}

/** Number of requests in a window that starts with the first of them. */
export interface Quota {
  readonly requests: number
  readonly window_seconds: number
}

export interface AssistantScript {
  readonly name: string
  readonly id?: string
  readonly streaming: boolean
  readonly meta_data_response_schema: JsonObject
  /** Path (`__root__`, `user_data`, or another) → names of fields that it must have where it is (contract: Assistant). */
  readonly request_required_fields?: Readonly<Record<string, readonly string[]>>
  readonly latency?: Latency
  /** Deliberate faults of requests that name the assistant, or a thread of it. */
  readonly faults?: readonly FaultScript[]
  /** The first turn whose condition matches the stored thread gives the answer. */
  readonly turns: readonly TurnScript[]
}

/** A deliberate fault (the catalogue is `GET /_acs/faults`). */
export interface FaultScript {
  /** One or more faults with their settings, for example `stall:after=2,ms=500`. */
  readonly fault: string
  /** Default: every operation. */
  readonly operation?: OperationId
  /** How often it acts in each world; default: always. */
  readonly times?: number
  /** Share of the requests, drawn from the seed; default 1. */
  readonly probability?: number
}

/** How long an answer takes. All zero: it is there at once. */
export interface Latency {
  readonly first_chunk_ms?: number
  /** 0 or absent: chunks follow one another without a pause. */
  readonly chunks_per_second?: number
  /** Share of each pause by which it may be longer or shorter, 0 to 1. */
  readonly jitter?: number
}

export interface TurnScript {
  readonly when?: TurnCondition
  /**
   * Text with `{{user}}` (last user message), `{{tool}}` (latest tool result) and `{{turn}}` (1 for the first answer); in
   * process also a function. Left out where `chunks` say it.
   */
  readonly answer?: string | AnswerFunction
  /** The answer in exact pieces: each is one chunk of a stream, and all of them are what is stored. */
  readonly chunks?: readonly (string | ChunkScript)[]
  /** How often the answer is said in a row, for long ones; default 1. */
  readonly repeat?: number
  /** The text of `reasoning` blocks in the content-blocks stream. */
  readonly reasoning?: string
  readonly sources?: readonly SourceScript[]
  /** Default: made from the assistant's schema. */
  readonly meta_data?: JsonObject
  /** Tools that the answer asks for. */
  readonly tool_calls?: readonly ToolCallScript[]
}

interface ChunkScript {
  readonly text: string
  /** Time before this chunk on the world's clock, milliseconds; default: by the latency of the assistant. */
  readonly pause_ms?: number
}

/** The input of an answer function. The answer must depend on it alone, so that the same calls give the same bytes. */
export interface AnswerRequest {
  /** 1 for the first answer of the thread. */
  readonly turn: number
  /** The last user message. */
  readonly user: string
  /** The latest tool result, empty unless it is the last message. */
  readonly tool: string
  readonly toolsOffered: boolean
  /** The thread as it is listed, oldest first. */
  readonly messages: readonly JsonObject[]
}

/** The synchronous result of an answer function: a text, or all fields of a turn. It is checked like a turn of a file. */
export type AnswerFunction = (request: AnswerRequest) => string | Omit<TurnScript, 'when'>

/** The conditions on the stored thread; every given condition must hold. */
interface TurnCondition {
  /** The nth answer in the thread, from 1. */
  readonly turn?: number
  readonly last_role?: 'user' | 'system' | 'tool' | 'assistant'
  /** Regular expression for the last user message, case-insensitive. */
  readonly user_matches?: string
  /** Whether the run brings tools of its own (`tools` in the run body). */
  readonly tools_offered?: boolean
}

export interface SourceScript {
  readonly content: string
  readonly meta_data: { readonly document_title: string; readonly section: string }
}

export interface ToolCallScript {
  readonly name: string
  readonly arguments: JsonObject
}

/** What the mock keeps of a recorded exchange: what tells its request from others, and its answer. */
import type { OperationId } from '../../spec/index.ts'
import type { Json, JsonObject } from '../scenario/scenario.ts'

export interface RecordedExchange {
  /** Its name in the trace. */
  readonly id: string
  readonly tenant: string
  readonly operation: OperationId
  /** The id in its path. */
  readonly pathId: string
  readonly method: string
  readonly path: string
  /** Query parameters in the order of their names. */
  readonly query: string
  /** The request's body with sorted fields; the text itself when it is no JSON. */
  readonly body: string
  readonly json: Json | undefined
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Milliseconds after the request at which the head came. */
  readonly headMs: number
  readonly pieces: readonly { readonly atMs: number; readonly bytes: Uint8Array }[]
  /** Whether the connection broke before the end. */
  readonly isCut: boolean
}

/** A thread as it stood after an exchange. */
export interface RecordedThread {
  readonly id: string
  readonly tenant: string
  readonly assistantId: string
  readonly origin: 'completion' | 'created'
  /** Oldest first. */
  readonly messages: readonly JsonObject[]
}

/** The fields of every object in the order of their names, so that equal values have equal texts. */
export function sortedText(json: Json): string {
  return JSON.stringify(json, (_name, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1)))
      : value,
  )
}

/** Query parameters in the order of their names. */
export function sortedQuery(query: URLSearchParams | null): string {
  const sorted = new URLSearchParams(query ?? '')
  sorted.sort()
  return sorted.toString()
}

/**
 * What a generator must be told about a live target so that its requests make sense there: ids that exist, fields that
 * assistants require. Without facts the requests are valid in form and name resources that nobody has.
 */
import type { JsonObject } from '../../spec/index.ts'
import type { RequestProfile } from './operation-inputs.ts'

export interface TargetFacts {
  readonly profile?: RequestProfile
  readonly assistantIds?: readonly string[]
  /** Top-level body fields that an assistant requires, by its id; `*` for all. */
  readonly assistantBodies?: Readonly<Record<string, JsonObject>>
  readonly threadIds?: readonly string[]
  /** Threads that completions made: only these may surely be continued by another completion. */
  readonly completionThreadIds?: readonly string[]
  readonly fileIds?: readonly string[]
  readonly cursors?: readonly string[]
  /** What a run needs in its body; default `{}`. */
  readonly runBody?: JsonObject
  /** Where an upload goes, out of a grant. */
  readonly uploadUrl?: string
  /** Ids that exist, but for another tenant. */
  readonly foreignAssistantIds?: readonly string[]
  readonly foreignThreadIds?: readonly string[]
}

/** The extra body fields for one assistant. */
export function bodyFor(facts: TargetFacts, assistantId: string): JsonObject {
  return { ...facts.assistantBodies?.['*'], ...facts.assistantBodies?.[assistantId] }
}

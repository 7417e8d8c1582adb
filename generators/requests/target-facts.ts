/**
 * Describes a live target to the generators: existing ids and fields that assistants require.
 * Without facts, requests are well-formed and name resources that do not exist.
 */
import type { JsonObject } from '../../spec/index.ts'
import type { RequestProfile } from './operation-inputs.ts'

export interface TargetFacts {
  readonly profile?: RequestProfile
  readonly assistantIds?: readonly string[]
  /** Top-level body fields that an assistant requires, by its id; `*` for all. */
  readonly assistantBodies?: Readonly<Record<string, JsonObject>>
  readonly threadIds?: readonly string[]
  /** Threads that completions created: only these can certainly be continued by another completion. */
  readonly completionThreadIds?: readonly string[]
  readonly fileIds?: readonly string[]
  readonly cursors?: readonly string[]
  /** What a run needs in its body; default `{}`. */
  readonly runBody?: JsonObject
  /** The upload URL of a grant. */
  readonly uploadUrl?: string
  /** Ids that belong to another tenant. */
  readonly foreignAssistantIds?: readonly string[]
  readonly foreignThreadIds?: readonly string[]
}

/** The extra body fields for one assistant. */
export function bodyFor(facts: TargetFacts, assistantId: string): JsonObject {
  return { ...facts.assistantBodies?.['*'], ...facts.assistantBodies?.[assistantId] }
}

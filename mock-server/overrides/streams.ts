/** Overrides of what leaves the mock as NDJSON: the deltas of an answer, single chunks, single lines. */
import type { OperationId } from '../../spec/index.ts'
import type { ChunkPlace, HookOverride } from '../exchange/hooks.ts'
import type { InFlightRequest } from '../exchange/in-flight-request.ts'
import type { ChunkDraft } from '../machine/chunk.ts'
import type { Json, JsonObject } from '../scenario/scenario.ts'
import { type Edit, isObject } from './json-edit.ts'
import { appliesTo, type Where } from './replies.ts'

/** The operations that stream. */
export const streamedOperations = [
  'streamChatCompletion',
  'streamChatCompletionEvents',
  'streamThreadRun',
] as const satisfies readonly OperationId[]

/** The operations that stream text. */
export const textStreams = ['streamChatCompletion', 'streamThreadRun'] as const satisfies readonly OperationId[]

type Which = (place: ChunkPlace, chunk: JsonObject, exchange: InFlightRequest) => boolean

/** Every chunk. */
export const everyChunk: Which = () => true
/** The chunk that opens a stream. */
export const firstChunk: Which = ({ index }) => index === 0
/** The chunk that closes a stream of more than one. */
export const lastChunk: Which = (place) => place.last && place.index > 0
/** All chunks but the first. */
export const laterChunks: Which = ({ index }) => index > 0

/** Overrides chunks after they were stamped. */
export function overrideChunk(
  where: Where,
  which: Which,
  edit: (chunk: Json, place: ChunkPlace, exchange: InFlightRequest) => Json,
): HookOverride {
  return {
    hook: 'chunk',
    wrap: (next) => (stamped, place, exchange) => {
      const faithful = next(stamped, place, exchange)
      const meant = appliesTo(where, exchange.operation) && which(place, faithful as JsonObject, exchange)
      return meant ? edit(faithful as Json, place, exchange) : faithful
    },
  }
}

/** Overrides the delta of every chunk. */
export function overrideChunkDelta(edit: (delta: JsonObject, place: ChunkPlace) => JsonObject): HookOverride {
  return overrideChunk('any', everyChunk, (chunk, place) =>
    isObject(chunk) && isObject(chunk.delta) ? { ...chunk, delta: edit(chunk.delta, place) } : chunk,
  )
}

/** Overrides the sequence of deltas before anything is stamped. */
export function overrideDrafts(
  where: Where,
  edit: (drafts: readonly ChunkDraft[], exchange: InFlightRequest) => readonly ChunkDraft[],
): HookOverride {
  return {
    hook: 'chunks',
    wrap: (next) => (drafts, exchange) => {
      const faithful = next(drafts, exchange)
      return appliesTo(where, exchange.operation) ? edit(faithful, exchange) : faithful
    },
  }
}

/** Overrides every delta by itself. */
export function overrideDelta(where: Where, edit: Edit): HookOverride {
  return overrideDrafts(where, (drafts) =>
    drafts.map((draft) => ({ ...draft, delta: edit(draft.delta) as JsonObject })),
  )
}

/** Overrides lines, their line feed included. */
export function overrideLine(
  where: Where,
  edit: (text: string, place: ChunkPlace, exchange: InFlightRequest) => string | Uint8Array,
): HookOverride {
  return {
    hook: 'line',
    wrap: (next) => (bytes, place, exchange) => {
      const faithful = next(bytes, place, exchange)
      if (!appliesTo(where, exchange.operation)) return faithful
      const overridden = edit(Buffer.from(faithful).toString(), place, exchange)
      return typeof overridden === 'string' ? Buffer.from(overridden) : overridden
    },
  }
}

/** The text in a draft of the text variant. */
export const contentOf = (draft: ChunkDraft): string => String(draft.delta.content ?? '')

/** The draft with another text. */
export const withContent = (draft: ChunkDraft, content: string): ChunkDraft => ({
  ...draft,
  delta: { ...draft.delta, content },
})

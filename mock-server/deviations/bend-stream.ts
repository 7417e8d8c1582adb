/** Bends of what leaves the mock as NDJSON: the deltas of an answer, single chunks, single lines. */
import type { OperationId } from '../../spec/index.ts'
import type { Exchange } from '../http/exchange.ts'
import type { Json, JsonObject } from '../scenario/scenario.ts'
import type { Bend, ChunkPlace } from '../seams.ts'
import type { ChunkDraft } from '../streams/chunk.ts'
import { concerns, type Where } from './bend-reply.ts'
import type { Edit } from './json-edit.ts'

/** The operations that stream. */
export const streamed = [
  'streamChatCompletion',
  'streamChatCompletionEvents',
  'streamThreadRun',
] as const satisfies readonly OperationId[]

/** The operations that stream text. */
export const textStreams = ['streamChatCompletion', 'streamThreadRun'] as const satisfies readonly OperationId[]

type Which = (place: ChunkPlace, chunk: JsonObject, exchange: Exchange) => boolean

/** Every chunk. */
export const every: Which = () => true
/** The chunk that opens a stream. */
export const first: Which = ({ index }) => index === 0
/** The chunk that closes a stream of more than one. */
export const last: Which = (place) => place.last && place.index > 0
/** All chunks but the first. */
export const later: Which = ({ index }) => index > 0

/** Bends chunks after they were stamped. */
export function chunk(
  where: Where,
  which: Which,
  edit: (chunk: Json, place: ChunkPlace, exchange: Exchange) => Json,
): Bend {
  return {
    seam: 'chunk',
    wrap: (next) => (stamped, place, exchange) => {
      const faithful = next(stamped, place, exchange)
      const meant = concerns(where, exchange.operation) && which(place, faithful as JsonObject, exchange)
      return meant ? edit(faithful as Json, place, exchange) : faithful
    },
  }
}

/** Bends the sequence of deltas before anything is stamped. */
export function deltas(
  where: Where,
  edit: (drafts: readonly ChunkDraft[], exchange: Exchange) => readonly ChunkDraft[],
): Bend {
  return {
    seam: 'chunks',
    wrap: (next) => (drafts, exchange) => {
      const faithful = next(drafts, exchange)
      return concerns(where, exchange.operation) ? edit(faithful, exchange) : faithful
    },
  }
}

/** Bends every delta by itself. */
export function delta(where: Where, edit: Edit): Bend {
  return deltas(where, (drafts) => drafts.map((draft) => ({ ...draft, delta: edit(draft.delta) as JsonObject })))
}

/** Bends lines, their line feed included. */
export function line(
  where: Where,
  edit: (text: string, place: ChunkPlace, exchange: Exchange) => string | Uint8Array,
): Bend {
  return {
    seam: 'line',
    wrap: (next) => (bytes, place, exchange) => {
      const faithful = next(bytes, place, exchange)
      if (!concerns(where, exchange.operation)) return faithful
      const bent = edit(Buffer.from(faithful).toString(), place, exchange)
      return typeof bent === 'string' ? Buffer.from(bent) : bent
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

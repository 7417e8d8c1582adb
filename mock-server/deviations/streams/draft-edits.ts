/** Edits the fragments of an answer on their way into a stream; what is stored stays whole. */
import type { ChunkDraft } from '../../machine/chunk.ts'
import { contentOf, withContent } from '../../overrides/streams.ts'
import { bytesIn, lineFeedsOnly } from '../../overrides/text-corruption.ts'

/** The second fragment a second time. */
export function secondTwice(drafts: readonly ChunkDraft[]): readonly ChunkDraft[] {
  return drafts.flatMap((draft, index) => (index === 1 ? [draft, draft] : [draft]))
}

/** The second and the third fragment in each other's place. */
export function swapped(drafts: readonly ChunkDraft[]): readonly ChunkDraft[] {
  const [one, two, three, ...rest] = drafts
  if (one === undefined || two === undefined || three === undefined || rest.length === 0) return drafts
  return [one, withContent(two, contentOf(three)), withContent(three, contentOf(two)), ...rest]
}

/** Every CR LF as LF. */
export function withoutCarriageReturns(drafts: readonly ChunkDraft[]): readonly ChunkDraft[] {
  return drafts.map((draft) => withContent(draft, lineFeedsOnly(contentOf(draft))))
}

/** The first 4,096 bytes, and nothing behind them. */
export function firstBytes(drafts: readonly ChunkDraft[]): readonly ChunkDraft[] {
  let sent = 0
  return drafts.map((draft) => {
    sent += bytesIn(contentOf(draft))
    return sent > 4096 ? withContent(draft, '') : draft
  })
}

/** The same text in eight pieces of as many bytes, each decoded without the others. */
export function decodedAlone(drafts: readonly ChunkDraft[]): readonly ChunkDraft[] {
  const [first] = drafts
  const bytes = Buffer.from(drafts.map(contentOf).join(''))
  const size = Math.ceil(bytes.length / 8)
  if (first === undefined || size < 1) return drafts
  const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
    bytes.subarray(at * size, (at + 1) * size).toString(),
  )
  return inPieces(first, drafts.at(-1), pieces)
}

/** The same text in pieces of eight characters, without those that repeat the one before. */
export function equalOnce(drafts: readonly ChunkDraft[]): readonly ChunkDraft[] {
  const [first] = drafts
  if (first === undefined) return drafts
  const characters = Array.from(drafts.map(contentOf).join(''))
  const pieces = Array.from({ length: Math.ceil(characters.length / 8) }, (_, at) =>
    characters.slice(at * 8, (at + 1) * 8).join(''),
  )
  const sent = pieces.filter((piece, at) => piece !== pieces[at - 1])
  return inPieces(first, drafts.at(-1), sent)
}

/** Fragments like the first one with these texts; the last one ends the stream as before. */
function inPieces(first: ChunkDraft, last: ChunkDraft | undefined, pieces: readonly string[]): readonly ChunkDraft[] {
  return pieces.map((piece, at) => withContent((at < pieces.length - 1 ? first : last) ?? first, piece))
}

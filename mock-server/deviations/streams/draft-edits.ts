/** Edits the fragments of an answer before they are streamed; the stored message is not changed. */
import type { ChunkDraft } from '../../machine/chunk.ts'
import { contentOf, withContent } from '../../overrides/streams.ts'
import { bytesIn, lineFeedsOnly } from '../../overrides/text-corruption.ts'

/** The second fragment a second time. */
export function secondTwice(drafts: readonly ChunkDraft[]): readonly ChunkDraft[] {
  return drafts.flatMap((draft, index) => (index === 1 ? [draft, draft] : [draft]))
}

/** The second and the third fragment swapped. */
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
export const equalOnce = inPiecesOf(() => 8, isNoRepetition)

/** The same text in pieces of eight characters, without a last one that is full. */
export const lastFullLost = inPiecesOf(
  () => 8,
  (piece, at, pieces) => at === 0 || at < pieces.length - 1 || [...piece].length < 8,
)

/** The same text in eight pieces, without those that repeat the one before. */
export const equalEighthsOnce = inPiecesOf((length) => Math.ceil(length / 8), isNoRepetition)

/** The same text in pieces of 22 characters, without those that are blank. */
export const withoutBlankPieces = inPiecesOf(
  () => 22,
  (piece) => piece.trim() !== '',
)

function isNoRepetition(piece: string, at: number, pieces: readonly string[]): boolean {
  return piece !== pieces[at - 1]
}

/** Cuts the whole text into pieces of a size that may depend on its length, and keeps some of them. */
function inPiecesOf(
  sizeOf: (length: number) => number,
  isKept: (piece: string, at: number, pieces: readonly string[]) => boolean,
): (drafts: readonly ChunkDraft[]) => readonly ChunkDraft[] {
  return (drafts) => {
    const [first] = drafts
    const characters = Array.from(drafts.map(contentOf).join(''))
    if (first === undefined || characters.length === 0) return drafts
    const size = sizeOf(characters.length)
    const pieces = Array.from({ length: Math.ceil(characters.length / size) }, (_, at) =>
      characters.slice(at * size, (at + 1) * size).join(''),
    )
    return inPieces(first, drafts.at(-1), pieces.filter(isKept))
  }
}

/** Fragments like the first one with these texts; the last one ends the stream as before. */
function inPieces(first: ChunkDraft, last: ChunkDraft | undefined, pieces: readonly string[]): readonly ChunkDraft[] {
  return pieces.map((piece, at) => withContent((at < pieces.length - 1 ? first : last) ?? first, piece))
}

/**
 * Counts line ends of JSON in pieces of a chunked body without decoding the chunks.
 * A line ends on `}` LF, which the framing never contains.
 */

/** A counter that remembers how the piece before ended. */
export const lineCounter = (): ((piece: Buffer) => number) => {
  let before = 0
  return (piece) => {
    let lines = 0
    for (let at = piece.indexOf(lineFeed); at >= 0; at = piece.indexOf(lineFeed, at + 1)) {
      if ((at === 0 ? before : piece[at - 1]) === closingBrace) lines += 1
    }
    before = piece[piece.length - 1] ?? before
    return lines
  }
}

const lineFeed = 0x0a
const closingBrace = 0x7d

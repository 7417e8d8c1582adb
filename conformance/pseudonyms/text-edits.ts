/**
 * Describes replacements in a text as data.
 * So several searches can run over the same original, and the borders of the pieces of a body can be carried over to the
 * changed text. Linear, since a hostile body may need very many.
 */

/** Replaces the characters from `start` to before `end` by `text`. */
export interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** In order and without overlaps: of two that overlap the one that starts first stays, else the one listed first. */
export const settleEdits = <Placed extends Omit<Edit, 'text'>>(edits: readonly Placed[]): readonly Placed[] => {
  if (edits.length < 2) return edits
  let free = 0
  return [...edits]
    .sort((left, right) => left.start - right.start)
    .filter((edit) => {
      if (edit.start < free) return false
      free = edit.end
      return true
    })
}

/** The text with settled edits applied. */
export const applyEdits = (text: string, edits: readonly Edit[]): string => {
  const parts: string[] = []
  let from = 0
  for (const edit of edits) {
    parts.push(text.slice(from, edit.start), edit.text)
    from = edit.end
  }
  parts.push(text.slice(from))
  return parts.join('')
}

/** The places of ascending offsets of the original in the edited text; inside an edit they move along, at most to its end. */
export const moveOffsets = (offsets: readonly number[], edits: readonly Edit[]): readonly number[] => {
  let shift = 0
  let next = 0
  return offsets.map((offset) => {
    for (let edit = edits[next]; edit !== undefined && edit.end <= offset; edit = edits[next]) {
      shift += edit.text.length - (edit.end - edit.start)
      next += 1
    }
    const edit = edits[next]
    if (edit === undefined || edit.start >= offset) return offset + shift
    return edit.start + shift + Math.min(offset - edit.start, edit.text.length)
  })
}

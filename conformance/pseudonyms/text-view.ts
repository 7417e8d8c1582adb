/**
 * A text in another reading, in which every character knows its place in the original. So one search finds a secret in
 * every spelling, and the replacement is written in the spelling that was found.
 */
import { spellLike } from './encodings.ts'
import type { Edit } from './text-edits.ts'

export interface TextView {
  readonly text: string
  /** Where character `index` starts in the original. */
  readonly startOf: (index: number) => number
  /** Behind character `index` in the original. */
  readonly endOf: (index: number) => number
}

/** The text as it is. */
export const plainView = (text: string): TextView => ({ text, startOf: (index) => index, endOf: (index) => index + 1 })

/** The reading of a part of the original: one character, or nothing. */
export interface ViewPart {
  readonly start: number
  readonly end: number
  /** `null`: the part is read as it stands. */
  readonly text: string | null
}

/** A hostile body could hold a part for each of its bytes; past this number its rest is not read in other ways. */
const mostParts = 2_000_000

/** A view of the given parts of a text, in order; what is between them is left out. */
export const viewOfParts = (original: string, parts: Iterable<ViewPart>): TextView => {
  const texts: string[] = []
  const viewStarts: number[] = []
  const starts: number[] = []
  const ends: number[] = []
  let length = 0
  for (const { start, end, text } of parts) {
    const read = text ?? original.slice(start, end)
    if (read === '') continue
    if (starts.length === mostParts) break
    texts.push(read)
    viewStarts.push(length)
    starts.push(start)
    ends.push(end)
    length += read.length
  }
  const partAt = (index: number): number => {
    let [low, high] = [0, viewStarts.length - 1]
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((viewStarts[middle] ?? 0) <= index) low = middle
      else high = middle - 1
    }
    return low
  }
  const place = (index: number, behind: 0 | 1): number => {
    const part = partAt(index)
    const [from, start, end] = [viewStarts[part] ?? 0, starts[part] ?? 0, ends[part] ?? 0]
    const isPlain = end - start === (viewStarts[part + 1] ?? length) - from
    if (isPlain) return start + index - from + behind
    return behind === 0 ? start : end
  }
  return { text: texts.join(''), startOf: (index) => place(index, 0), endOf: (index) => place(index, 1) }
}

/** The reading of a match of a pattern, by the match and its groups; `null`: unchanged. */
type ReadingOf = (match: readonly (string | undefined)[]) => string | null

/**
 * A view in which every match of a pattern is read as something else, or not at all. Its places are computed on first use, since
 * most texts hold no secret in any reading.
 */
export const viewReplacing = (text: string, pattern: RegExp, readingOf: ReadingOf): TextView | null => {
  let found = 0
  const read = text.replace(pattern, (match: string, ...groups: string[]) => {
    const reading = readingOf([match, ...groups])
    if (reading === null) return match
    found += 1
    return reading
  })
  if (found === 0) return null
  const exact = (): TextView => viewOfParts(text, partsReplacing(text, pattern, readingOf))
  return found * 2 > mostParts ? exact() : viewPlacedLater(read, exact)
}

/** A view without the matches of a pattern; `null` where there is none. */
export const viewWithout = (text: string, pattern: RegExp): TextView | null => {
  const read = text.replace(pattern, '')
  if (read.length === text.length) return null
  const exact = (): TextView =>
    viewOfParts(
      text,
      partsReplacing(text, pattern, () => ''),
    )
  return text.length > mostParts ? exact() : viewPlacedLater(read, exact)
}

const viewPlacedLater = (text: string, exact: () => TextView): TextView => {
  let made: TextView | null = null
  const view = (): TextView => {
    made ??= exact()
    return made
  }
  return { text, startOf: (index) => view().startOf(index), endOf: (index) => view().endOf(index) }
}

const partsReplacing = (text: string, pattern: RegExp, readingOf: ReadingOf): readonly ViewPart[] => {
  const parts: ViewPart[] = []
  let from = 0
  for (const match of text.matchAll(pattern)) {
    const read = readingOf(match)
    if (read === null) continue
    const end = match.index + match[0].length
    parts.push({ start: from, end: match.index, text: null }, { start: match.index, end, text: read })
    from = end
    if (parts.length > mostParts) break
  }
  return [...parts, { start: from, end: text.length, text: null }]
}

/** A view of a view, with places in the first original. */
export const composedView = (outer: TextView, inner: TextView): TextView => ({
  text: inner.text,
  startOf: (index) => outer.startOf(inner.startOf(index)),
  endOf: (index) => outer.endOf(inner.endOf(index) - 1),
})

/** An edit of a view, as long as what it replaces, as edits of the original: one for each part without a gap. */
export const editsInOriginal = (original: string, view: TextView, edit: Edit): readonly Edit[] => {
  const edits: { start: number; end: number; text: string }[] = []
  for (let index = edit.start; index < edit.end; index += 1) {
    const [start, end] = [view.startOf(index), view.endOf(index)]
    const spelled = original.slice(start, end)
    const char = edit.text.charAt(index - edit.start)
    const text = char === view.text.charAt(index) ? spelled : spellLike(char, spelled)
    const last = edits.at(-1)
    if (last?.end === start) {
      last.end = end
      last.text += text
    } else edits.push({ start, end, text })
  }
  return edits
}

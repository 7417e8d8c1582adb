/**
 * Shows the part of a JSON document that a pointer names, with its neighbours and a mark.
 * Entries beside the path take one line each, so that the wrong value is visible without reading the document.
 */

export interface ExcerptLine {
  readonly text: string
  /** Whether the pointer names this line. */
  readonly marked: boolean
}

/** Entries beside the path that are shown before the rest is counted. */
const shownNeighbours = 4
/** Lines of the value itself. */
const shownLines = 10
/** Characters of a line. */
const lineLength = 110

/**
 * The lines around the value at `path`; of a missing value, the place where it should be. The verdict's excerpt of a long
 * text, `"…from here"`, marks the fault: the text is shown from there.
 */
export function jsonExcerpt(value: unknown, path: readonly string[], told = ''): readonly ExcerptLine[] {
  return linesOf(value, { path, told }, '', '')
}

function textFrom(text: string, told: string): string {
  const beginning = /^"…(.{8,}?)(?:…?"|\\)/u.exec(told)?.[1]
  const at = beginning === undefined ? -1 : text.indexOf(beginning)
  return at < 0 ? text : `…${text.slice(at)}`
}

/** The keys of a JSON pointer, `/items/0/id` or the empty one. */
export function pointerKeys(pointer: string): readonly string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
}

interface Place {
  readonly path: readonly string[]
  readonly told: string
}

function linesOf(value: unknown, { path, told }: Place, label: string, indent: string): readonly ExcerptLine[] {
  const [key, ...rest] = path
  if (key === undefined) return valueLines(typeof value === 'string' ? textFrom(value, told) : value, label, indent)
  const entries = entriesOf(value)
  if (entries === null) return [line(`${indent}${label}${inline(value)}`, true)]
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  return [
    line(`${indent}${label}${open}`),
    ...entryLines(entries, key, { path: rest, told }, { isList: Array.isArray(value), indent: `${indent}  ` }),
    line(`${indent}${close}`),
  ]
}

type Entry = readonly [key: string, value: unknown]

function entryLines(
  entries: readonly Entry[],
  key: string,
  rest: Place,
  { isList, indent }: { readonly isList: boolean; readonly indent: string },
): readonly ExcerptLine[] {
  const nameOf = (one: string): string => (isList ? '' : `${JSON.stringify(one)}: `)
  const at = entries.findIndex(([one]) => one === key)
  const before = isList ? Math.max(0, at - 1) : Math.max(0, at - shownNeighbours)
  const shown = isList ? (at < 0 ? 0 : 2) : shownNeighbours
  const last = at < 0 ? Math.min(entries.length, before + shown + 2) : Math.min(entries.length, at + shown)
  const lines = entries.slice(before, last).flatMap(([one, value]): readonly ExcerptLine[] => {
    if (one === key) return linesOf(value, rest, nameOf(one), indent)
    return [line(`${indent}${nameOf(one)}${inline(value)}`)]
  })
  return [
    ...counted(before, 'before', indent),
    ...lines,
    ...counted(entries.length - last, 'more', indent),
    ...(at < 0 ? [line(`${indent}${nameOf(key)}(missing)`, true)] : []),
  ]
}

function counted(count: number, word: string, indent: string): readonly ExcerptLine[] {
  return count <= 0 ? [] : [line(`${indent}… ${count} ${word}`)]
}

function valueLines(value: unknown, label: string, indent: string): readonly ExcerptLine[] {
  const short = inline(value)
  const isShort = short.length < 80 || entriesOf(value) === null
  const all = isShort ? [short] : JSON.stringify(value, null, 2).split('\n')
  const lines = all.slice(0, shownLines).map((text, index) => line(`${indent}${index === 0 ? label : ''}${text}`, true))
  return [...lines, ...counted(all.length - shownLines, 'lines', indent)]
}

function inline(value: unknown): string {
  return JSON.stringify(value) ?? 'undefined'
}

function line(text: string, marked = false): ExcerptLine {
  return { text: text.length <= lineLength ? text : `${[...text].slice(0, lineLength).join('')}…`, marked }
}

function entriesOf(value: unknown): readonly Entry[] | null {
  return typeof value === 'object' && value !== null ? Object.entries(value) : null
}

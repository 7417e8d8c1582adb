/**
 * Reads a text in other ways, in which a secret may stand.
 * Escapes undone, quoted-printable, without line breaks, without the separators of hex dumps, and the fragments of a stream
 * joined. Each is made only when the text looks like it.
 */
import { composedView, plainView, type TextView, type ViewPart, viewOfParts, viewReplacing } from './text-view.ts'

/** A reading of a text, made anew from the text as earlier readings left it. */
export type Reading = (text: string) => readonly TextView[]

const escapes =
  /\\u00([0-9a-f]{2})|\\x([0-9a-f]{2})|%([0-9a-f]{2})|&#x0*([0-9a-f]{2});|\\([0-3][0-7]{2})|&#0*([1-9][0-9]{1,2});|&(amp|lt|gt|quot|apos);|\\(["\\/bfnrt])/gi
const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
const jsonEscapes: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }

const escapedChar = ([, ...found]: RegExpExecArray): string | null => {
  const [unicode, hex, percent, hexEntity, octal, entity, name, json] = found
  const code = unicode ?? hex ?? percent ?? hexEntity
  if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16))
  if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8))
  if (entity !== undefined) return Number(entity) > 255 ? null : String.fromCharCode(Number(entity))
  if (name !== undefined) return named[name.toLowerCase()] ?? null
  return json === undefined ? null : (jsonEscapes[json] ?? json)
}

/** A text may be escaped so many times over: JSON in JSON in a URL. */
const mostLevels = 4

/** A view for each level of escapes, the text itself first. */
const levelsOf = (view: TextView): readonly TextView[] => {
  const levels = [view]
  while (levels.length <= mostLevels) {
    const outer = levels.at(-1) ?? view
    const inner = /[\\%&]/.test(outer.text) ? viewReplacing(outer.text, escapes, escapedChar) : null
    if (inner === null) break
    levels.push(composedView(outer, inner))
  }
  return levels
}

type Squeeze = (text: string) => TextView | null

const quotedPrintable: Squeeze = (text) =>
  /=(?:[0-9A-F]{2}|\r?\n)/.test(text)
    ? viewReplacing(text, /=(?:([0-9A-F]{2})|\r?\n)/gi, ([, hex]) =>
        hex === undefined ? '' : String.fromCharCode(Number.parseInt(hex, 16)),
      )
    : null

const withoutLineBreaks: Squeeze = (text) =>
  /(?<=[\w+/-]{16}\r?)\n[ \t]*[\w+/-]{2}/.test(text) ? viewReplacing(text, /\r?\n[ \t]*/g, () => '') : null

const withoutSeparators: Squeeze = (text) =>
  /[0-9a-f][:,\s-]{1,2}(?:0x)?[0-9a-f]{2}[:,\s-]{1,2}(?:0x)?[0-9a-f]{2}[:,\s-]/i.test(text)
    ? viewReplacing(text, /0x|[^0-9a-z]+/gi, () => '')
    : null

const lineStrings = /"((?:[^"\\\n]|\\.)*)(?:"(\s*:)?|(?=\n)|$)|\n/g

/** The places of the string values of each member name, when a text has several lines of JSON. */
const fragmentsOf = (text: string): readonly (readonly ViewPart[])[] => {
  const fragments = new Map<string, ViewPart[]>()
  let name: string | null = null
  for (const { 0: token, 1: inside = '', 2: colon, index } of text.matchAll(lineStrings)) {
    if (token === '\n') name = null
    else if (colon !== undefined) name = inside
    else if (name !== null && inside !== '') {
      const part = { start: index + 1, end: index + 1 + inside.length, text: null }
      const known = fragments.get(name)
      if (known === undefined) fragments.set(name, [part])
      else known.push(part)
    }
  }
  return [...fragments.values()].filter((parts) => isCutUp(text, parts))
}

/** Ids, roles and the like stay the same from line to line; only a text goes on. */
const isCutUp = (text: string, parts: readonly ViewPart[]): boolean => {
  const [first, second] = parts
  if (first === undefined || second === undefined) return false
  return parts.length > 2 || text.slice(first.start, first.end) !== text.slice(second.start, second.end)
}

const isLines = (text: string): boolean => /\}\r?\n\{/.test(text) && text.includes('"')

/** What is said piece by piece in a stream of JSON lines, joined. */
export const joinedFragments: Reading = (text) =>
  isLines(text) ? fragmentsOf(text).flatMap((parts) => levelsOf(viewOfParts(text, parts))) : []

/** The readings of a text as a whole, in the order in which they are searched. */
export const wholeReadings: readonly Reading[] = [
  (text) => levelsOf(plainView(text)).slice(1),
  ...[quotedPrintable, withoutLineBreaks, withoutSeparators].map(
    (squeeze): Reading =>
      (text) =>
        levelsOf(plainView(text))
          .slice(0, 2)
          .flatMap((level) => {
            const inner = squeeze(level.text)
            return inner === null ? [] : [composedView(level, inner)]
          }),
  ),
]

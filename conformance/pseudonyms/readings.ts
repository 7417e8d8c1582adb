/**
 * Reads a text in other encodings that may hide a secret. Escapes undone, quoted-printable, without line breaks, without
 * the separators of hex dumps, and the fragments of a stream joined. Each is made only when the text looks like it.
 */
import {
  composedView,
  plainView,
  type TextView,
  type ViewPart,
  viewOfParts,
  viewReplacing,
  viewWithout,
} from './text-view.ts'

/** A reading of a text, made anew from the text as earlier readings left it. */
export type Reading = (text: string) => readonly TextView[]

const escapes = {
  backslash: /\\u00([0-9a-f]{2})|\\x([0-9a-f]{2})|\\([0-3][0-7]{2})|\\(["\\/bfnrt])/gi,
  percent: /%([0-9a-f]{2})/gi,
  entity: /&#x0*([0-9a-f]{2});|&#0*([1-9][0-9]{1,2});|&(amp|lt|gt|quot|apos);/gi,
} as const
const signs = { backslash: '\\', percent: '%', entity: '&' } as const
type Escape = keyof typeof escapes

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
const jsonEscapes: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }

const ofHex = (code: string): string => String.fromCharCode(Number.parseInt(code, 16))

const charOf: Readonly<Record<Escape, (match: readonly (string | undefined)[]) => string | null>> = {
  backslash([, unicode, hex, octal, json]) {
    if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8))
    return json === undefined ? ofHex(unicode ?? hex ?? '') : (jsonEscapes[json] ?? json)
  },
  percent: ([, code = '']) => ofHex(code),
  entity([, hex, decimal, name = '']) {
    if (hex !== undefined) return ofHex(hex)
    if (decimal === undefined) return named[name.toLowerCase()] ?? null
    return Number(decimal) > 255 ? null : String.fromCharCode(Number(decimal))
  },
}

/** The deepest nesting of escapes: JSON in JSON in a URL. */
const mostLevels = 4

const unescaped = (view: TextView, kinds: readonly Escape[]): TextView | null => {
  let current = view
  for (const kind of kinds) {
    if (!current.text.includes(signs[kind])) continue
    const inner = viewReplacing(current.text, escapes[kind], charOf[kind])
    if (inner !== null) current = composedView(current, inner)
  }
  return current === view ? null : current
}

/** A view for each level of escapes of these kinds, without the text itself. */
const ladderOf = (view: TextView, kinds: readonly Escape[]): readonly TextView[] => {
  const levels: TextView[] = []
  while (levels.length < mostLevels) {
    const inner = unescaped(levels.at(-1) ?? view, kinds)
    if (inner === null) break
    levels.push(inner)
  }
  return levels
}

const kindSets: readonly (readonly Escape[])[] = [
  ['backslash'],
  ['percent'],
  ['entity'],
  ['backslash', 'percent'],
  ['backslash', 'entity'],
  ['percent', 'entity'],
  ['backslash', 'percent', 'entity'],
]

/** The text and its levels, of each set of kinds that it holds, since a secret may look like an escape of another kind. */
const levelsOf = (view: TextView): readonly TextView[] => {
  const ladders = kindSets.filter((kinds) => kinds.every((kind) => view.text.includes(signs[kind])))
  return [view, ...ladders.flatMap((kinds) => ladderOf(view, kinds))]
}

type Squeeze = (text: string) => TextView | null

const quotedPrintable: Squeeze = (text) =>
  /=(?:[0-9A-F]{2}|\r?\n)/.test(text)
    ? viewReplacing(text, /=(?:([0-9A-F]{2})|\r?\n)/gi, ([, hex]) =>
        hex === undefined ? '' : String.fromCharCode(Number.parseInt(hex, 16)),
      )
    : null

const withoutLineBreaks: Squeeze = (text) =>
  /(?<=[\w+/-]{16}\r?)\n[ \t]*[\w+/-]{2}/.test(text) ? viewWithout(text, /\r?\n[ \t]*/g) : null

const withoutSeparators: Squeeze = (text) =>
  /[0-9a-f][:,\s-]{1,2}(?:0x)?[0-9a-f]{2}[:,\s-]{1,2}(?:0x)?[0-9a-f]{2}[:,\s-]/i.test(text)
    ? viewWithout(text, /0x|[^0-9a-z]+/gi)
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

const squeezes: readonly Squeeze[] = [quotedPrintable, withoutLineBreaks, withoutSeparators]

const squeezed = (view: TextView, squeeze: Squeeze): readonly TextView[] =>
  [view, ...ladderOf(view, ['backslash'])].flatMap((level) => {
    const inner = squeeze(level.text)
    return inner === null ? [] : [composedView(level, inner)]
  })

/** The text of a stream of JSON lines, joined from its pieces. */
export const joinedFragments: Reading = (text) =>
  isLines(text)
    ? fragmentsOf(text).flatMap((parts) => {
        const joined = viewOfParts(text, parts)
        return [...levelsOf(joined), ...squeezes.flatMap((squeeze) => squeezed(joined, squeeze))]
      })
    : []

/** A text with its escapes undone, one level after another. */
export const unescapedViews: Reading = (text) => levelsOf(plainView(text)).slice(1)

/** The readings of a text as a whole, in the order in which they are searched. */
export const wholeReadings: readonly Reading[] = [
  unescapedViews,
  ...squeezes.map(
    (squeeze): Reading =>
      (text) =>
        squeezed(plainView(text), squeeze),
  ),
]

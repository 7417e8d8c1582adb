/**
 * One character, many spellings: raw, JSON escape, percent, HTML entity. A secret is found and replaced in whatever
 * spelling a target uses, and the replacement is spelled in the same way, so that JSON stays JSON and a URL a URL.
 * Text here is Latin-1: one character for each byte.
 */

/** One character as it stands in a text. */
export interface Unit {
  readonly char: string
  readonly spelled: string
}

/** How a value may be spelled where it was found: as it is, as the inside of a JSON string, or in a URL inside any text. */
export type Dialect = 'raw' | 'json' | 'url'

const unitPatterns: Readonly<Record<Exclude<Dialect, 'raw'>, RegExp>> = {
  json: /\\u00([0-9a-f]{2})|\\[\s\S]|[\s\S]/gi,
  url: /(?:\\+u00|%(?:25)*|&#x0*)([0-9a-f]{2});?|\\\/|[\s\S]/gi,
}
const jsonEscapes: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }

const charOf = (spelled: string, hex: string | undefined): string => {
  if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16))
  if (spelled.length === 1) return spelled
  const escaped = spelled.slice(1)
  return jsonEscapes[escaped] ?? escaped
}

const unitsOf = (spelled: string, dialect: Dialect): readonly Unit[] =>
  dialect === 'raw'
    ? Array.from(spelled, (char) => ({ char, spelled: char }))
    : Array.from(spelled.matchAll(unitPatterns[dialect]), (match) => ({
        char: charOf(match[0], match[1]),
        spelled: match[0],
      }))

/** The text that a spelling stands for. */
export const plainOf = (spelled: string, dialect: Dialect): string =>
  dialect === 'raw' || !/[\\%&]/.test(spelled)
    ? spelled
    : unitsOf(spelled, dialect)
        .map((unit) => unit.char)
        .join('')

const spellLike = (char: string, model: string): string => {
  if (model.length === 1) return char
  const code = char.charCodeAt(0)
  const hex = code.toString(16).padStart(2, '0')
  const prefix = /^&#x?/i.exec(model)?.[0]
  if (prefix === undefined) return model.slice(0, -2) + hex
  const digits = prefix.length === 3 ? hex : String(code)
  return `${prefix}${digits.padStart(model.length - prefix.length - 1, '0')};`
}

/** Units with other characters in them; one that keeps its character keeps its spelling to the letter. */
export const respellUnits = (units: readonly Unit[], replacement: string): string =>
  units
    .map((unit, index) => {
      const char = replacement[index] ?? unit.char
      return char === unit.char ? unit.spelled : spellLike(char, unit.spelled)
    })
    .join('')

/** `replacement`, as many characters as the spelling stands for, in the spelling of `spelled`. */
export const respell = (spelled: string, replacement: string, dialect: Dialect): string =>
  respellUnits(unitsOf(spelled, dialect), replacement)

const hexPattern = (byte: number): string =>
  byte
    .toString(16)
    .padStart(2, '0')
    .replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`)

const namedEntities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}

const literal = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')

const anySpelling = (char: string): string => {
  const code = char.charCodeAt(0)
  const hex = hexPattern(code)
  const raw = /["\\/]/.test(char) ? `\\\\*${literal(char)}` : literal(char)
  const named = namedEntities[char]
  const spellings = [`\\\\+u00${hex}`, `%(?:25)*${hex}`, `&#[xX]0*${hex};`, `&#0*${code};`, raw]
  return `(${(named === undefined ? spellings : [named, ...spellings]).join('|')})`
}

/** A global pattern for the plain text however each character is spelled; group n holds the spelling of character n. */
export const spellingsOf = (plain: string): RegExp => new RegExp(Array.from(plain, anySpelling).join(''), 'g')

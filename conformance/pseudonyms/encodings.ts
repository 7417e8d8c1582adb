/**
 * One character, many spellings: raw, JSON escape, percent, HTML entity. A secret is found and replaced in whatever
 * spelling a target uses, and the replacement is spelled in the same way, so that JSON stays JSON and a URL a URL.
 * Text here is Latin-1: one character for each byte.
 */

/** One character as it stands in a text. */
interface Unit {
  readonly char: string
  readonly spelled: string
}

/** The encodings of a value in a text: as it is, inside a JSON string, or in a URL inside any text. */
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

/** A character in the spelling of another one: the same kind of escape, or as it is. */
export const spellLike = (char: string, model: string): string => {
  const code = char.charCodeAt(0)
  const hex = code.toString(16).padStart(2, '0')
  if (/^(?:\\+u00|\\+x|%(?:25)*|=)[0-9a-f]{2}$/i.test(model)) return model.slice(0, -2) + hex
  if (/^\\+[0-3][0-7]{2}$/.test(model)) return model.slice(0, -3) + code.toString(8).padStart(3, '0')
  const prefix = /^&#x?(?=[0-9a-f]+;$)/i.exec(model)?.[0]
  if (prefix === undefined) return char
  const digits = prefix.length === 3 ? hex : String(code)
  return `${prefix}${digits.padStart(model.length - prefix.length - 1, '0')};`
}

/**
 * `replacement`, as many characters as the spelling stands for, in the spelling of `spelled`; a character that stays keeps
 * its spelling to the letter.
 */
export const respell = (spelled: string, replacement: string, dialect: Dialect): string =>
  unitsOf(spelled, dialect)
    .map((unit, index) => {
      const char = replacement[index] ?? unit.char
      return char === unit.char ? unit.spelled : spellLike(char, unit.spelled)
    })
    .join('')

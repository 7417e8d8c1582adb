/**
 * Writes expressions that mean the same in TypeScript, Python and Java: string literals, concatenations, calls.
 * Texts of a target are only data in the source: they cannot end a literal or hide from a reader.
 */
import type { Check, Values } from './finding.ts'

/** The literal syntax of one language. */
export interface Literals {
  readonly nothing: string
  /** Writes a character beyond the first 65,536 that a reader would not see. */
  readonly longEscape: (code: number) => string
  /** Joins expressions of strings. */
  readonly concat: (words: readonly string[]) => string
}

/** Python and Java cannot send half of a surrogate pair. */
export function isWritable(text: string): boolean {
  return text.isWellFormed() && text.length <= longestText
}

/** A longer text belongs into a file of its own, characters. */
const longestText = 200_000

/** A longer text is written in several literals, code points; Java takes no constant of more than 65,535 bytes. */
const longestLiteral = 10_000

/** Languages without a limit join by `+`. */
export const plus = (words: readonly string[]): string => words.join(' + ')

/** A string literal. Characters that a reader would not see are escaped. */
export function quoted(text: string, { longEscape }: Literals): string {
  return JSON.stringify(text).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\ufffe\uffff]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0
    return code > 0xffff ? longEscape(code) : `\\u${code.toString(16).padStart(4, '0')}`
  })
}

/** A text with references such as `{{id_1}}` as literals and variables joined by `+`. */
export function joinedText(text: string, literals: Literals, reference = (name: string): string => name): string {
  const parts = text.split(/\{\{(\w+_\d+)\}\}/)
  const words = parts.flatMap((part, index) => {
    if (index % 2 === 1) return [reference(part)]
    return literalsOf(part, literals)
  })
  return concatenated(words, literals)
}

/** A text of any length. */
export function longText(text: string, literals: Literals): string {
  return concatenated(literalsOf(text, literals), literals)
}

const concatenated = (words: readonly string[], { concat }: Literals): string =>
  words.length === 0 ? '""' : concat(words)

/** The literals that a text is written in; none is cut inside a character. */
const literalsOf = (text: string, literals: Literals): readonly string[] =>
  (text.match(pieces) ?? []).map((piece) => quoted(piece, literals))

const pieces = new RegExp(`.{1,${longestLiteral}}`, 'gsu')

/** A check as a call of its helper function. */
export function checkCall(check: Check, literals: Literals): string {
  const values = valuesCall(check.values, literals)
  const further =
    'others' in check
      ? [valuesCall(check.others, literals)]
      : 'count' in check
        ? [String(check.count)]
        : 'kind' in check
          ? [quoted(check.kind, literals)]
          : []
  return `${check.check}(${[values, ...further].join(', ')})`
}

function valuesCall(values: Values, literals: Literals): string {
  if (values.kind === 'outcome') return `outcome(${values.of.map(variableOf).join(', ')})`
  if (values.kind === 'json') return `list(${longText(JSON.stringify(values.values), literals)})`
  if (values.kind === 'field') {
    const { field, list, id } = values
    return `field(${[quoted(field, literals), valuesCall(list, literals), valuesCall(id, literals)].join(', ')})`
  }
  const found = `values(${[quoted(values.pointer, literals), ...values.of.map(variableOf)].join(', ')})`
  return values.kind === 'joined' ? `joined(${found})` : found
}

/** The variable that holds the answer of an exchange. */
export function variableOf(exchange: string): string {
  return exchange.toLowerCase()
}

/**
 * Finds one secret in a text, in each of its encodings.
 * In any letter case, reversed, in hex, in base64 at any alignment and twice over, as a list of codes, and its beginning at
 * the end of a body that was cut off. Text is Latin-1.
 */
import { Buffer } from 'node:buffer'
import { base64Edits, base64Needles } from './base64-search.ts'
import type { Edit } from './text-edits.ts'

export interface KnownSecret {
  readonly secret: string
  /** In lower case: where a text holds none of them and no list of codes, `editsIn` finds nothing. */
  readonly spellings: readonly string[]
  /** The text in lower case, and whether it has codes, are found out once for all secrets. */
  readonly editsIn: (text: string, lowered: string, withCodes: boolean) => readonly Edit[]
  /** For a text that may end in the middle of a secret. */
  readonly editsAtEnd: (text: string, lowered: string) => readonly Edit[]
}

/** Below this length a secret may be part of a longer word, and is replaced only as a word of its own. */
const shortestInsideWord = 8
/** A cut-off beginning that is shorter tells nothing. */
const shortestBeginning = 6

/** Leading characters of a match that belong to a JSON escape before it (`\n` + `abc…`) and must stay for its sake. */
const heldByEscape = (text: string, start: number): number => {
  const before = /(\\+)(u[0-9a-f]{0,3})?$/i.exec(text.slice(Math.max(0, start - 200), start))
  if (before?.[1] === undefined || before[1].length % 2 === 0) return 0
  if (before[2] !== undefined) return 5 - before[2].length
  return text.charAt(start) === 'u' ? 5 : 1
}

/** The replacement in the letter case of what was found. */
const inCaseOf = (found: string, needle: string, replacement: string): string => {
  if (found === needle) return replacement
  const lowered = found.toLowerCase()
  return Array.from(replacement, (char, index) => {
    if (found.charAt(index) === needle.charAt(index)) return char
    return found.charAt(index) === lowered.charAt(index) ? char.toLowerCase() : char.toUpperCase()
  }).join('')
}

const edit = (text: string, start: number, found: string, replaced: string): Edit => {
  const held = found.startsWith('\\') ? 0 : heldByEscape(text, start)
  return { start, end: start + found.length, text: found.slice(0, held) + replaced.slice(held) }
}

interface Needle {
  readonly text: string
  readonly lowered: string
  readonly replacement: string
}

const needle = (text: string, replacement: string): Needle => ({ text, lowered: text.toLowerCase(), replacement })

const needleEdits = (text: string, lowered: string, one: Needle): readonly Edit[] => {
  const edits: Edit[] = []
  const { length } = one.text
  for (let at = lowered.indexOf(one.lowered); at >= 0; at = lowered.indexOf(one.lowered, at + length)) {
    const found = text.slice(at, at + length)
    edits.push(edit(text, at, found, inCaseOf(found, one.text, one.replacement)))
  }
  return edits
}

const isInsideWord = (text: string, { start, end }: Edit): boolean =>
  /[a-z0-9]/i.test(text.charAt(start - 1)) || /[a-z0-9]/i.test(text.charAt(end))

/**
 * Whether what begins at `start` is the end of a longer hexadecimal identifier: of a million UUIDs, some end as a
 * signature begins.
 */
const endsIdentifier = (text: string, start: number): boolean =>
  /[0-9a-f-]$/i.test(text.slice(0, start)) && /^[0-9a-f-]+$/i.test(text.slice(start))

const beginningEdits = (text: string, lowered: string, one: Needle): readonly Edit[] => {
  const longest = Math.min(one.text.length - 1, text.length)
  for (let length = longest; length >= shortestBeginning; length -= 1) {
    if (!lowered.endsWith(one.lowered.slice(0, length))) continue
    const start = text.length - length
    if (endsIdentifier(text, start)) return []
    const replaced = inCaseOf(text.slice(start), one.text.slice(0, length), one.replacement.slice(0, length))
    return [{ start, end: text.length, text: replaced }]
  }
  return []
}

const hexOf = (latin: string): string => Buffer.from(latin, 'latin1').toString('hex')
const reversed = (text: string): string => Array.from(text).reverse().join('')
const codesOf = (latin: string): readonly number[] => Array.from(latin, (char) => char.charCodeAt(0))

/** Another code of as many digits, so that the replacement is as long as the list. */
const codeLike = (code: number, found: string): string => {
  if (String(code).length === found.length) return String(code)
  return String(found.length === 3 ? 100 + (code % 23) : 65 + (code % 26))
}

/** Whether a text may hold a list of codes: no secret that is looked for is shorter than five characters. */
export const hasCodes = (text: string): boolean => /\d(?:[,\s]{1,4}\d{1,3}){4}/.test(text)

/** In a list of codes, as a dump of bytes has it. Values that depend on the secret alone are computed once. */
const codeSearch = (secret: string, pseudonym: string): ((text: string) => readonly Edit[]) => {
  const codes = codesOf(secret)
  const pseudonymCodes = codesOf(pseudonym)
  const second = String(codes[1])
  const list = new RegExp(`(?<!\\d)${codes.join('[,\\s]{1,4}')}(?!\\d)`, 'g')
  return (text) => {
    if (!text.includes(second)) return []
    return Array.from(text.matchAll(list), ({ 0: found, index }) => {
      const left = [...pseudonymCodes]
      const replaced = found.replace(/\d+/g, (one) => codeLike(left.shift() ?? 0, one))
      return { start: index, end: index + found.length, text: replaced }
    })
  }
}

const needlesOf = (secret: string, pseudonym: string): readonly Needle[] => {
  const pairs = [
    [secret, pseudonym],
    [secret.replaceAll(' ', '+'), pseudonym.replaceAll(' ', '+')],
    [reversed(secret), reversed(pseudonym)],
    [hexOf(secret), hexOf(pseudonym)],
  ] as const
  return pairs
    .filter(([text], index) => pairs.findIndex(([other]) => other === text) === index)
    .map(([text, replacement]) => needle(text, replacement))
}

/** Prepares the searches for one secret (Latin-1). */
export const createKnownSecret = (secret: string, pseudonym: string): KnownSecret => {
  const plain = needle(secret, pseudonym)
  const editsAtEnd: KnownSecret['editsAtEnd'] = (text, lowered) => beginningEdits(text, lowered, plain)
  const isShort = secret.length < shortestInsideWord
  const needles = isShort ? [plain] : needlesOf(secret, pseudonym)
  const encoded = isShort ? [] : encodedNeedles(secret, pseudonym)
  const codeEdits = codeSearch(secret, pseudonym)
  const cores = encoded.flatMap((one) => one.needles.map(({ core }) => core.toLowerCase()))
  return {
    secret,
    spellings: [...needles.map((one) => one.lowered), ...cores],
    editsAtEnd,
    editsIn: (text, lowered, withCodes) => {
      // No encoding is shorter than the secret.
      if (text.length < secret.length) return []
      const found = needles.flatMap((one) => needleEdits(text, lowered, one))
      if (isShort) return found.filter((one) => !isInsideWord(text, one))
      const inBase64 = encoded.flatMap((one) => base64Edits(text, one.needles, one.replacement))
      return [...found, ...inBase64, ...(withCodes ? codeEdits(text) : [])]
    },
  }
}

/** Base64 of the secret, and base64 of that. */
const encodedNeedles = (secret: string, pseudonym: string) => {
  const once = base64Needles(secret, pseudonym)
  const twice = once.map(({ core, replacement }) => ({ needles: base64Needles(core, replacement), replacement }))
  return [{ needles: once, replacement: pseudonym }, ...twice]
}

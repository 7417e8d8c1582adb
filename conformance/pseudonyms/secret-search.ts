/**
 * One secret that must be found wherever it stands: in any spelling, in hex, in base64 at any alignment, and its beginning
 * at the end of a body that was cut off. Cheap when there is nothing to find, since every body passes here.
 */
import { Buffer } from 'node:buffer'
import { base64Edits, base64Needles } from './base64-search.ts'
import { respellUnits, spellingsOf } from './encodings.ts'
import type { Edit } from './text-edits.ts'

export interface KnownSecret {
  readonly secret: string
  /** `spelled`: what `hasSpellings` says of the text. */
  readonly editsIn: (text: string, spelled: boolean) => readonly Edit[]
  /** For a text that may end in the middle of a secret. */
  readonly editsAtEnd: (text: string) => readonly Edit[]
}

/** Below this length a secret may be part of a longer word, and is replaced only as a word of its own. */
const shortestInsideWord = 8
/** A cut-off beginning that is shorter tells nothing. */
const shortestBeginning = 6

/** Whether the text spells characters in another way than raw; asked once for all secrets, since the search is slower then. */
export const hasSpellings = (text: string): boolean => /\\u00|%|&#/i.test(text)

/** Leading characters of a match that belong to a JSON escape before it (`\n` + `abc…`) and must stay for its sake. */
const heldByEscape = (text: string, start: number): number => {
  const before = /(\\+)(u[0-9a-f]{0,3})?$/i.exec(text.slice(Math.max(0, start - 200), start))
  if (before?.[1] === undefined || before[1].length % 2 === 0) return 0
  if (before[2] !== undefined) return 5 - before[2].length
  return text.charAt(start) === 'u' ? 5 : 1
}

const edit = (text: string, start: number, found: string, replaced: string): Edit => {
  const held = found.startsWith('\\') ? 0 : heldByEscape(text, start)
  return { start, end: start + found.length, text: found.slice(0, held) + replaced.slice(held) }
}

const exactEdits = (text: string, needle: string, replacement: string): readonly Edit[] => {
  const edits: Edit[] = []
  for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + needle.length))
    edits.push(edit(text, at, needle, replacement))
  return edits
}

const spelledEdits = (text: string, spellings: RegExp, secret: string, pseudonym: string): readonly Edit[] =>
  Array.from(text.matchAll(spellings), (match) => {
    const units = Array.from(secret, (char, index) => ({ char, spelled: match[index + 1] ?? char }))
    return edit(text, match.index, match[0], respellUnits(units, pseudonym))
  })

const isInsideWord = (text: string, { start, end }: Edit): boolean =>
  /[a-z0-9]/i.test(text.charAt(start - 1)) || /[a-z0-9]/i.test(text.charAt(end))

const beginningEdits = (text: string, secret: string, pseudonym: string): readonly Edit[] => {
  for (let length = Math.min(secret.length - 1, text.length); length >= shortestBeginning; length -= 1)
    if (text.endsWith(secret.slice(0, length)))
      return [{ start: text.length - length, end: text.length, text: pseudonym.slice(0, length) }]
  return []
}

const hexOf = (latin: string): string => Buffer.from(latin, 'latin1').toString('hex')

/** Prepares the searches for one secret (Latin-1). */
export const createKnownSecret = (secret: string, pseudonym: string): KnownSecret => {
  const spellings = spellingsOf(secret)
  const needles = base64Needles(secret)
  const isOftenEscaped = /["'\\/&<>]/.test(secret)
  const [hex, hexPseudonym] = [hexOf(secret), hexOf(pseudonym)]
  return {
    secret,
    editsIn: (text, spelled) => {
      const plain =
        spelled || isOftenEscaped
          ? spelledEdits(text, spellings, secret, pseudonym)
          : exactEdits(text, secret, pseudonym)
      if (secret.length < shortestInsideWord) return plain.filter((one) => !isInsideWord(text, one))
      return [
        ...plain,
        ...exactEdits(text, hex, hexPseudonym),
        ...exactEdits(text, hex.toUpperCase(), hexPseudonym.toUpperCase()),
        ...base64Edits(text, needles, pseudonym),
      ]
    },
    editsAtEnd: (text) => beginningEdits(text, secret, pseudonym),
  }
}

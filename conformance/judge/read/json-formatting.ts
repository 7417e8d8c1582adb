/**
 * Finds unusual formatting in a JSON text. A parser forgets white space, escapes, key order and repeated keys, but a
 * server may trip on them.
 */
import type { JsonDocument } from './body.ts'
import { isObject } from './json.ts'

interface Formatting {
  /** White space outside of strings. */
  readonly whitespace: boolean
  /** Escapes that need not be. */
  readonly escapes: boolean
}

/** Compares a text with the plainest formatting of its value; long texts count as plain. */
export function formattingOf(document: JsonDocument): Formatting {
  const { text, value } = document
  const plain = text.length > longestText ? text : document.plain
  if (text === plain) return { whitespace: false, escapes: false }
  const packed = withoutBlanks(text)
  return {
    whitespace: packed !== text,
    escapes: packed !== plain && keyCount(text) === countKeys(value) && packed.includes('\\'),
  }
}

/** Whether no object of the text repeats a key; what happens then is open. */
export function hasUniqueKeys(document: JsonDocument): boolean {
  const { text, value } = document
  if (text.length > longestText) return true
  return text.length === document.plain.length || keyCount(text) === countKeys(value)
}

/** Longer texts are doubtful for their size, and may be nested deeper than a stack. */
const longestText = 4096

const strings = /"(?:[^"\\]|\\.)*"/g

function withoutBlanks(text: string): string {
  let packed = ''
  let last = 0
  for (const match of text.matchAll(strings)) {
    packed += text.slice(last, match.index).replace(/\s+/g, '') + match[0]
    last = match.index + match[0].length
  }
  return packed + text.slice(last).replace(/\s+/g, '')
}

/** Outside of strings a colon stands behind a key and nowhere else. */
const keyCount = (text: string): number => text.replace(strings, '').split(':').length - 1

function countKeys(value: unknown): number {
  let count = 0
  const open: unknown[] = [value]
  while (open.length > 0) {
    const next = open.pop()
    if (isObject(next)) count += Object.keys(next).length
    if (typeof next === 'object' && next !== null) for (const value of Object.values(next)) open.push(value)
  }
  return count
}

/** Makes UUIDs (version 4 in shape) from keys, so that an id depends on the seed alone. */
import type { Key } from './key.ts'

const hex = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/** The UUID of a key, lower case. */
export function uuidOf(key: Key): string {
  const b = (key.b & 0xffff0fff) | 0x4000
  const c = (key.c & 0x3fffffff) | 0x80000000
  const tail = half(c)
  return `${half(key.a)}-${quarter(b >>> 16)}-${quarter(b)}-${tail.slice(0, 4)}-${tail.slice(4)}${half(key.d)}`
}

function half(word: number): string {
  return quarter(word >>> 16) + quarter(word)
}

function quarter(word: number): string {
  return `${hex[(word >>> 8) & 255]}${hex[word & 255]}`
}

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Whether a text is a UUID in the hyphenated form. */
export function isUuid(text: string): boolean {
  return uuidPattern.test(text)
}

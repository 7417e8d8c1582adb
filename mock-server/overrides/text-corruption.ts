/** Typical text corruption: the transformations that several deviations share, and their conditions. */
import { createHash } from 'node:crypto'

/** Whether a text leaves the Basic Multilingual Plane. */
export const hasAstral = (text: string): boolean => /[\u{10000}-\u{10ffff}]/u.test(text)
/** Whether a text leaves ASCII. */
export const hasNonAscii = (text: string): boolean => /[^\0-\x7f]/.test(text)
/** Length in UTF-8, bytes. */
export const bytesIn = (text: string): number => Buffer.byteLength(text)

/** As a template engine with autoescape writes it. */
export const htmlEscaped = (text: string): string =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;').replace(/'/g, '&#39;')

/** As a store for three-byte UTF-8 keeps it. */
export const withoutAstral = (text: string): string => text.replace(/[\u{10000}-\u{10ffff}]/gu, '?')

/** As code that goes through half a surrogate pair at a time leaves it. */
export const halvesReplaced = (text: string): string => text.replace(/[\u{10000}-\u{10ffff}]/gu, '\ufffd\ufffd')

/** Without carriage returns. */
export const lineFeedsOnly = (text: string): string => text.replace(/\r\n?/g, '\n')

/** Astral characters as two three-byte sequences, as Java's modified UTF-8 has them. */
export function cesu8(text: string): Uint8Array {
  const parts = [...text].map((character) => {
    if (!hasAstral(character)) return Buffer.from(character)
    return Buffer.concat([surrogateBytes(character.charCodeAt(0)), surrogateBytes(character.charCodeAt(1))])
  })
  return Buffer.concat(parts)
}

function surrogateBytes(unit: number): Uint8Array {
  return Buffer.from([0xe0 | (unit >> 12), 0x80 | ((unit >> 6) & 0x3f), 0x80 | (unit & 0x3f)])
}

/** Another UUID, always the same for the same one. */
export function siblingOf(uuid: string, salt: string | number = ''): string {
  const hex = createHash('sha1').update(`${uuid} ${salt}`).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/** A timestamp moved by some microseconds. */
export function movedBy(timestamp: string, us: number): string {
  const tickUs = Date.parse(`${timestamp.slice(0, 19)}Z`) * 1000 + Number(timestamp.slice(20, 26)) + us
  const second = new Date(Math.floor(tickUs / 1_000_000) * 1000).toISOString().slice(0, 20)
  return `${second}${String(((tickUs % 1_000_000) + 1_000_000) % 1_000_000).padStart(6, '0')}Z`
}

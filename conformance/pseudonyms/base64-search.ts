/**
 * Finds a secret inside base64 text, at any of the three alignments of its bytes.
 * The bits of its pseudonym take their place without touching those of its neighbours. Text is Latin-1.
 */
import type { Edit } from './text-edits.ts'

const standard = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const urlSafe = `${standard.slice(0, 62)}-_`

interface Needle {
  /** Characters that depend on the secret alone. */
  readonly core: string
  /** The same of the pseudonym. */
  readonly replacement: string
  /** Characters from the start of the group of four to the core. */
  readonly before: number
  /** Bit at which the secret starts, counted from the start of the group. */
  readonly startBit: number
  readonly alphabet: string
}

const needle = (secret: string, pseudonym: string, shift: number, alphabet: string): Needle => {
  const startBit = shift * 8
  const before = Math.ceil(startBit / 6)
  const end = Math.floor((startBit + secret.length * 8) / 6)
  const coreOf = (text: string): string =>
    Buffer.from('\0'.repeat(shift) + text, 'latin1')
      .toString(alphabet === standard ? 'base64' : 'base64url')
      .slice(before, end)
  return { core: coreOf(secret), replacement: coreOf(pseudonym), before, startBit, alphabet }
}

/** The search pattern, made once for each secret, with the replacement for its pseudonym. */
export const base64Needles = (secret: string, pseudonym: string): readonly Needle[] => {
  const all = [0, 1, 2].flatMap((shift) =>
    [standard, urlSafe].map((alphabet) => needle(secret, pseudonym, shift, alphabet)),
  )
  return all.filter((one, index) => all.findIndex((other) => other.core === one.core) === index)
}

const bitOf = (text: string, bit: number): number => (text.charCodeAt(bit >> 3) >> (7 - (bit & 7))) & 1

const overlay = (char: string, firstBit: number, one: Needle, pseudonym: string): string => {
  let value = one.alphabet.indexOf(char)
  if (value < 0) return char
  for (let bit = 0; bit < 6; bit += 1) {
    const position = firstBit + bit - one.startBit
    if (position < 0 || position >= pseudonym.length * 8) continue
    const mask = 1 << (5 - bit)
    value = bitOf(pseudonym, position) === 1 ? value | mask : value & ~mask
  }
  return one.alphabet.charAt(value)
}

const editAt = (text: string, found: number, one: Needle, pseudonym: string): Edit => {
  const group = found - one.before
  const start = Math.max(0, group)
  const end = Math.min(text.length, group + Math.ceil((one.startBit + pseudonym.length * 8) / 6))
  let out = ''
  for (let index = start; index < end; index += 1)
    out += overlay(text.charAt(index), (index - group) * 6, one, pseudonym)
  return { start, end, text: out }
}

/** Every place where the secret stands in base64. */
export const base64Edits = (text: string, needles: readonly Needle[], pseudonym: string): readonly Edit[] => {
  const edits: Edit[] = []
  for (const one of needles)
    for (let at = text.indexOf(one.core); at >= 0; at = text.indexOf(one.core, at + one.core.length))
      edits.push(editAt(text, at, one, pseudonym))
  return edits
}

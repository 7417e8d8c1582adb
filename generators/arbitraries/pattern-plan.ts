/**
 * Reads patterns that are a row of repeated character classes, such as `^[A-Z]{2}\d+$`.
 * Such a row can be built at an exact length; other patterns give `null` and use `stringMatching` of fast-check.
 */
import { anyCharacter, type CodePointRange, type CodePoints, codePoints, complementOf } from './code-points.ts'

/** A run of characters of one class, with bounds on its length. */
export interface Run {
  readonly alphabet: CodePoints
  readonly min: number
  readonly max: number
}

const digits: CodePoints = [[0x30, 0x39]]
const words = codePoints([...digits, [0x41, 0x5a], [0x5f, 0x5f], [0x61, 0x7a]])
const spaces = codePoints([
  [0x09, 0x0d],
  [0x20, 0x20],
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff],
])
const anyButLineEnds = complementOf([
  [0x0a, 0x0a],
  [0x0d, 0x0d],
  [0x2028, 0x2029],
])
const controls: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, f: 12, v: 11, 0: 0 }
const anything: Run = { alphabet: anyCharacter, min: 0, max: Number.POSITIVE_INFINITY }

/** The row of runs that a pattern describes, or `null` for a richer pattern. */
export function runsOf(pattern: string): readonly Run[] | null {
  return new PatternReader(pattern).read()
}

class PatternReader {
  readonly #points: readonly string[]
  #at = 0

  constructor(pattern: string) {
    this.#points = [...pattern]
  }

  read(): readonly Run[] | null {
    const runs: Run[] = []
    if (!this.#take('^')) runs.push(anything)
    while (this.#at < this.#points.length) {
      if (this.#peek() === '$' && this.#at === this.#points.length - 1) return runs
      const alphabet = this.#atom()
      if (alphabet === null) return null
      const [min, max] = this.#quantifier()
      if (this.#peek() === '?') return null
      runs.push({ alphabet, min, max })
    }
    return [...runs, anything]
  }

  #atom(): CodePoints | null {
    const point = this.#next()
    if (point === '[') return this.#characterClass()
    if (point === '\\') return this.#escape()
    if (point === '.') return anyButLineEnds
    return '()|*+?{}]^$'.includes(point) ? null : single(point)
  }

  #escape(): CodePoints | null {
    const point = this.#next()
    switch (point) {
      case 'd':
        return digits
      case 'D':
        return complementOf(digits)
      case 'w':
        return words
      case 'W':
        return complementOf(words)
      case 's':
        return spaces
      case 'S':
        return complementOf(spaces)
      case 'u':
        return this.#hex(4)
      case 'x':
        return this.#hex(2)
    }
    const control = controls[point]
    if (control !== undefined) return [[control, control]]
    return /[\^$\\.*+?()[\]{}|/-]/u.test(point) ? single(point) : null
  }

  #hex(length: number): CodePoints | null {
    const text = this.#points.slice(this.#at, this.#at + length).join('')
    if (!/^[0-9a-fA-F]+$/u.test(text) || text.length !== length) return null
    this.#at += length
    const point = Number.parseInt(text, 16)
    return point >= 0xd800 && point <= 0xdfff ? null : [[point, point]]
  }

  #characterClass(): CodePoints | null {
    const negated = this.#take('^')
    const ranges: CodePointRange[] = []
    while (!this.#take(']')) {
      if (this.#at >= this.#points.length) return null
      const low = this.#classAtom()
      if (low === null) return null
      if (this.#peek() !== '-' || this.#points[this.#at + 1] === ']') {
        ranges.push(...low)
        continue
      }
      this.#at += 1
      const high = this.#classAtom()
      const first = low[0]?.[0]
      const last = high?.[0]?.[1]
      if (first === undefined || last === undefined) return null
      ranges.push([first, last])
    }
    const set = codePoints(ranges)
    return negated ? complementOf(set) : set
  }

  #classAtom(): CodePoints | null {
    const point = this.#next()
    return point === '\\' ? this.#escape() : single(point)
  }

  #quantifier(): readonly [number, number] {
    if (this.#take('*')) return [0, Number.POSITIVE_INFINITY]
    if (this.#take('+')) return [1, Number.POSITIVE_INFINITY]
    if (this.#take('?')) return [0, 1]
    const rest = this.#points.slice(this.#at).join('')
    const counted = /^\{(\d+)(,?)(\d*)\}/u.exec(rest)
    if (counted === null) return [1, 1]
    const [whole, low, comma, high] = counted
    this.#at += whole.length
    const min = Number(low)
    if (comma === '') return [min, min]
    return [min, high === '' ? Number.POSITIVE_INFINITY : Number(high)]
  }

  #peek(): string {
    return this.#points[this.#at] ?? ''
  }

  #next(): string {
    const point = this.#peek()
    this.#at += 1
    return point
  }

  #take(point: string): boolean {
    if (this.#peek() !== point) return false
    this.#at += 1
    return true
  }
}

function single(point: string): CodePoints {
  const value = point.codePointAt(0) ?? 0
  return [[value, value]]
}

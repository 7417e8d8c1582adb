/**
 * Represents sets of code points as sorted ranges and draws characters from them.
 * No set contains lone surrogates, because they cannot be encoded as UTF-8.
 */
import fc from 'fast-check'

export type CodePointRange = readonly [first: number, last: number]
export type CodePoints = readonly CodePointRange[]

const lastCodePoint = 0x10ffff

/** Every code point except NUL and the surrogates. NUL is legal JSON, but real servers may refuse it. */
export const anyCharacter: CodePoints = [
  [1, 0xd7ff],
  [0xe000, lastCodePoint],
]

/** Characters that break careless code: separators, controls, joiners, marks, directions, astral characters. */
const troublesome = [
  0x07,
  0x09,
  0x0a,
  0x0d,
  0x1b,
  0x1f,
  0x7f,
  0x85,
  0xa0,
  0xad,
  0xe9,
  0x0301,
  0x0345,
  0x0df8,
  0x200b,
  0x200d,
  0x200e,
  0x2028,
  0x2029,
  0x202e,
  0x2066,
  0xfeff,
  0xfffd,
  0xfffe,
  0xffff,
  0x1f468,
  0x1f600,
  0x1d400,
  0x20000,
  0xe0001,
  lastCodePoint,
]

/** A normalised set from ranges in any order. */
export function codePoints(ranges: readonly CodePointRange[]): CodePoints {
  const sorted = ranges.filter(([first, last]) => first <= last).sort((left, right) => left[0] - right[0])
  const merged: [number, number][] = []
  for (const [first, last] of sorted) {
    const previous = merged.at(-1)
    if (previous !== undefined && first <= previous[1] + 1) previous[1] = Math.max(previous[1], last)
    else merged.push([first, last])
  }
  return merged
}

/** The intersection of two sets. */
export function intersectCodePoints(left: CodePoints, right: CodePoints): CodePoints {
  return codePoints(
    left.flatMap(([first, last]) => right.map(([from, to]) => [Math.max(first, from), Math.min(last, to)] as const)),
  )
}

/** The complement of a set. */
export function complementOf(set: CodePoints): CodePoints {
  const gaps: CodePointRange[] = []
  let next = 1
  for (const [first, last] of codePoints(set)) {
    gaps.push([next, first - 1])
    next = last + 1
  }
  gaps.push([next, lastCodePoint])
  return intersectCodePoints(codePoints(gaps), anyCharacter)
}

/** True if a code point is in the set. */
function includesCodePoint(set: CodePoints, point: number): boolean {
  return set.some(([first, last]) => first <= point && point <= last)
}

/** The number of code points in a set. */
export function sizeOf(set: CodePoints): number {
  return set.reduce((size, [first, last]) => size + last - first + 1, 0)
}

/** One character of a set: uniform for a small set, otherwise a mix of plain, troublesome and arbitrary ones. */
export function characterOf(set: CodePoints): fc.Arbitrary<string> {
  if (sizeOf(set) <= 300) return fc.constantFrom(...set.flatMap(charactersOf))
  const plain = intersectCodePoints(set, [[0x20, 0x7e]]).flatMap(charactersOf)
  const nasty = troublesome.filter((point) => includesCodePoint(set, point)).map((point) => String.fromCodePoint(point))
  const arbitrary = fc.nat(sizeOf(set) - 1).map((index) => nthCharacter(set, index))
  const weighted: { arbitrary: fc.Arbitrary<string>; weight: number }[] = [{ arbitrary, weight: 1 }]
  if (nasty.length > 0) weighted.unshift({ arbitrary: fc.constantFrom(...nasty), weight: 2 })
  if (plain.length > 0) weighted.unshift({ arbitrary: fc.constantFrom(...plain), weight: 6 })
  return fc.oneof(...weighted)
}

function charactersOf([first, last]: CodePointRange): string[] {
  return Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index))
}

function nthCharacter(set: CodePoints, index: number): string {
  let left = index
  for (const [first, last] of set) {
    const size = last - first + 1
    if (left < size) return String.fromCodePoint(first + left)
    left -= size
  }
  throw new RangeError(`no character ${index} in a set of ${sizeOf(set)}`)
}

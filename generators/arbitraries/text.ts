/**
 * Draws text of a given range of lengths, counted in code points.
 * Boundary lengths are preferred; long texts repeat a short piece, so that 64 KiB cost no more than a line.
 */
import fc from 'fast-check'
import { type CodePoints, characterOf, intersectCodePoints, sizeOf } from './code-points.ts'
import type { Run } from './pattern-plan.ts'

/** How much longer than its minimum a text without an upper bound gets. */
const usualGrowth = 12
/** Longer texts repeat a piece of this length. */
const tileLength = 48

/** Text that fills a row of runs with a total length within bounds, or `null` if no length fits. */
export function textOfRuns(runs: readonly Run[], minLength: number, maxLength: number): fc.Arbitrary<string> | null {
  const live = runs.map((run) => (sizeOf(run.alphabet) === 0 ? { ...run, max: 0 } : run))
  if (live.some(({ min, max }) => min > max)) return null
  const lowest = Math.max(minLength, sum(live.map(({ min }) => min)))
  const highest = Math.min(maxLength, sum(live.map(({ max }) => max)))
  if (lowest > highest) return null
  const units = live.map(({ alphabet }) => (sizeOf(alphabet) === 0 ? fc.constant('') : characterOf(alphabet)))
  const [only] = units
  const ofLength =
    only !== undefined && units.length === 1
      ? (length: number) => exactText(only, length)
      : (length: number) => spread(live, units, length)
  const usual = fc.integer({ min: lowest, max: Math.min(highest, lowest + usualGrowth) })
  const edges = [...new Set([lowest, lowest + 1, highest - 1, highest])]
  const bounded = edges.filter((edge) => edge >= lowest && edge <= highest && Number.isFinite(edge))
  return fc
    .oneof({ arbitrary: usual, weight: 4 }, { arbitrary: fc.constantFrom(...bounded), weight: 1 })
    .chain(memo(ofLength))
}

/** Any text of a length within bounds. */
export function freeText(alphabet: CodePoints, minLength: number, maxLength: number): fc.Arbitrary<string> | null {
  return textOfRuns([{ alphabet, min: 0, max: Number.POSITIVE_INFINITY }], minLength, maxLength)
}

/** The intersection of two runs. */
export function commonRun(left: Run, right: Run): Run {
  return {
    alphabet: intersectCodePoints(left.alphabet, right.alphabet),
    min: Math.max(left.min, right.min),
    max: Math.min(left.max, right.max),
  }
}

function exactText(unit: fc.Arbitrary<string>, length: number): fc.Arbitrary<string> {
  if (length === 0) return fc.constant('')
  const piece = Math.min(length, tileLength)
  const short = fc.array(unit, { minLength: piece, maxLength: piece, size: 'max' })
  if (piece === length) return short.map((units) => units.join(''))
  return short.map((units) => {
    const tile = units.join('')
    return tile.repeat(Math.floor(length / piece)) + units.slice(0, length % piece).join('')
  })
}

/** Gives every run its minimum length and distributes the rest among the runs that can grow. */
function spread(runs: readonly Run[], units: readonly fc.Arbitrary<string>[], length: number): fc.Arbitrary<string> {
  const spare = length - sum(runs.map(({ min }) => min))
  const elastic = runs.flatMap(({ min, max }, index) => (max > min ? [index] : []))
  const deal = (order: readonly number[]): fc.Arbitrary<string> => {
    const lengths = runs.map(({ min }) => min)
    let left = spare
    const turns = [...order.map((index) => [index, 0.5] as const), ...elastic.map((index) => [index, 1] as const)]
    for (const [index, share] of turns) {
      const { min, max } = runs[index] ?? { min: 0, max: 0 }
      const given = Math.ceil(share * Math.min(left, max - (lengths[index] ?? min)))
      lengths[index] = (lengths[index] ?? min) + given
      left -= given
    }
    return fc.tuple(...units.map((unit, index) => exactText(unit, lengths[index] ?? 0))).map((parts) => parts.join(''))
  }
  if (spare === 0 || elastic.length === 1) return deal([])
  return fc.shuffledSubarray(elastic, { minLength: elastic.length }).chain(deal)
}

function memo<T>(make: (length: number) => T): (length: number) => T {
  const made = new Map<number, T>()
  return (length) => {
    const known = made.get(length) ?? make(length)
    made.set(length, known)
    return known
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

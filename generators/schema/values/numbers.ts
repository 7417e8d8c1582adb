/** Draws numbers within the bounds and steps of a draft and prefers the edges. */
import fc from 'fast-check'
import { guarded } from '../../arbitraries/guarded.ts'
import { fitsScalarRules } from '../contradiction.ts'
import type { Draft } from '../draft.ts'

/** Numbers that satisfy a draft, or `null` if there is none. */
export function numbersOf(draft: Draft): fc.Arbitrary<number> | null {
  const fits = (value: number) => fitsScalarRules(draft, value)
  const step = stepOf(draft)
  if (step !== null) return guardedBy(draft, multiplesOf(draft, step), fits)
  return guardedBy(draft, draft.fraction ? fractionsOf(draft) : realsOf(draft), fits)
}

function multiplesOf(draft: Draft, step: number): fc.Arbitrary<number> | null {
  const low = Math.max(draft.minimum, draft.above)
  const high = Math.min(draft.maximum, draft.below)
  const first = Number.isFinite(low) ? Math.ceil(low / step) : wide(-1, high / step)
  const last = Number.isFinite(high) ? Math.floor(high / step) : wide(1, low / step)
  const lowest = Math.max(first + (first * step <= draft.above ? 1 : 0), Number.MIN_SAFE_INTEGER)
  const highest = Math.min(last - (last * step >= draft.below ? 1 : 0), Number.MAX_SAFE_INTEGER)
  if (lowest > highest) return null
  const edges = [lowest, lowest + 1, highest - 1, highest].filter((edge) => edge >= lowest && edge <= highest)
  const decimals = decimalsOf(step)
  const near = { min: Math.max(lowest, Math.min(highest, -1000)), max: Math.min(highest, Math.max(lowest, 1000)) }
  return fc
    .oneof(
      { arbitrary: fc.integer(near), weight: 5 },
      { arbitrary: fc.integer({ min: lowest, max: highest }), weight: 2 },
      { arbitrary: fc.constantFrom(...new Set(edges)), weight: 1 },
    )
    .map((factor) => (decimals === 0 ? factor * step : Number((factor * step).toFixed(decimals))) + 0)
}

function realsOf(draft: Draft): fc.Arbitrary<number> | null {
  const [low, high] = realBounds(draft)
  if (low > high) return null
  const reals = fc.double({ min: low, max: high, noNaN: true, noDefaultInfinity: true }).map((value) => value + 0)
  const whole = { min: Math.ceil(low), max: Math.floor(high) }
  if (whole.min > whole.max || !Number.isSafeInteger(whole.min) || !Number.isSafeInteger(whole.max)) return reals
  return fc.oneof(fc.integer(whole), reals)
}

function fractionsOf(draft: Draft): fc.Arbitrary<number> | null {
  const [low, high] = realBounds(draft)
  const halves = { min: Math.ceil(low - 0.5), max: Math.floor(high - 0.5) }
  if (halves.min > halves.max) return realsOf(draft)
  return fc.integer(halves).map((value) => value + 0.5)
}

function realBounds(draft: Draft): readonly [number, number] {
  const low = Math.max(draft.minimum, draft.above)
  const high = Math.min(draft.maximum, draft.below)
  return [Math.max(low, Math.min(-1e9, high - 1e9)), Math.min(high, Math.max(1e9, low + 1e9))]
}

/** The common multiple of all steps, or `null` for numbers without a step. */
function stepOf({ multiples, integer }: Draft): number | null {
  const steps = integer ? [1, ...multiples] : multiples
  if (steps.length === 0) return null
  if (steps.every(Number.isInteger)) return steps.reduce(leastCommonMultiple)
  const scale = 10 ** Math.max(...steps.map(decimalsOf))
  return steps.map((step) => Math.round(step * scale)).reduce(leastCommonMultiple) / scale
}

function leastCommonMultiple(left: number, right: number): number {
  let [a, b] = [left, right]
  while (b !== 0) [a, b] = [b, a % b]
  return (left / a) * right
}

function decimalsOf(step: number): number {
  const [mantissa = '', exponent = '0'] = String(step).split('e')
  return Math.min(100, Math.max(0, (mantissa.split('.')[1] ?? '').length - Number(exponent)))
}

function wide(sign: 1 | -1, other: number): number {
  const reach = 2 ** 31 - 1
  return Number.isFinite(other) ? Math.trunc(other) + sign * reach : sign * reach
}

function guardedBy(
  draft: Draft,
  inner: fc.Arbitrary<number> | null,
  fits: (value: number) => boolean,
): fc.Arbitrary<number> | null {
  if (inner === null) return null
  const exact = draft.excluded.length + draft.notMultiples.length + draft.multiples.length === 0
  return exact && draft.above === Number.NEGATIVE_INFINITY && draft.below === Number.POSITIVE_INFINITY
    ? inner
    : guarded(inner, fits, 'a number')
}

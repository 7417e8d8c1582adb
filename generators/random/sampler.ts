/**
 * Draws reproducible values: one root seed is split by names.
 * Every (operation, operator) has its own stream, so a new operator never changes the cases of another one.
 */
import fc from 'fast-check'

interface SampleOptions {
  readonly seed: number
  readonly count: number
}

interface Sampler {
  readonly seed: number
  /** Values from the stream of these names. */
  sample<T>(arbitrary: fc.Arbitrary<T>, count: number, ...names: readonly string[]): readonly T[]
  /** A sampler for streams below these names. */
  split(...names: readonly string[]): Sampler
}

/** Values of an arbitrary, the same for the same seed. */
export function sample<T>(arbitrary: fc.Arbitrary<T>, { seed, count }: SampleOptions): readonly T[] {
  return count === 0 ? [] : fc.sample(arbitrary, { seed, numRuns: count })
}

/** A reproducible source of values for one root seed. */
export function sampler(seed: number): Sampler {
  return {
    seed,
    sample: (arbitrary, count, ...names) => sample(arbitrary, { seed: splitSeed(seed, ...names), count }),
    split: (...names) => sampler(splitSeed(seed, ...names)),
  }
}

/** A 32-bit seed that depends on the root and the names only. */
export function splitSeed(root: number, ...names: readonly string[]): number {
  let hash = 0x811c9dc5 ^ root
  for (const name of names) {
    for (const character of `${name}\u0000`) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193)
    hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  }
  return (hash ^ (hash >>> 16)) | 0
}

/**
 * Filters an arbitrary and throws after a bounded number of rejections in a row.
 * The filter of fast-check would try forever.
 */
import fc from 'fast-check'

/** Thrown if no fitting value was found within the bound; the schema is then reported as unsupported. */
export class GenerationStuck extends Error {
  readonly code = 'generation-stuck'
  constructor(what: string, tries: number) {
    super(`no value for ${what} within ${tries} tries`)
    this.name = 'GenerationStuck'
  }
}

/** How many values a guard has checked and how many it rejected. */
export interface GuardCount {
  seen: number
  rejected: number
}

const maxTries = 400

class Guarded<T> extends fc.Arbitrary<T> {
  readonly #inner: fc.Arbitrary<T>
  readonly #fits: (value: T) => boolean
  readonly #what: string
  readonly #count: GuardCount | undefined
  readonly #filtered: fc.Arbitrary<T>

  constructor(inner: fc.Arbitrary<T>, fits: (value: T) => boolean, what: string, count: GuardCount | undefined) {
    super()
    this.#inner = inner
    this.#fits = fits
    this.#what = what
    this.#count = count
    this.#filtered = inner.filter(fits)
  }

  override generate(random: fc.Random, bias: number | undefined): fc.Value<T> {
    for (let tries = 0; tries < maxTries; tries++) {
      const value = this.#inner.generate(random, bias)
      const fits = this.#fits(value.value)
      if (this.#count !== undefined) {
        this.#count.seen += 1
        if (!fits) this.#count.rejected += 1
      }
      if (fits) return value
    }
    throw new GenerationStuck(this.#what, maxTries)
  }

  override canShrinkWithoutContext(value: unknown): value is T {
    return this.#filtered.canShrinkWithoutContext(value)
  }

  override shrink(value: T, context: unknown): fc.Stream<fc.Value<T>> {
    return this.#filtered.shrink(value, context)
  }
}

/** The values of an arbitrary that fit, with a bound on the number of tries. */
export function guarded<T>(
  inner: fc.Arbitrary<T>,
  fits: (value: T) => boolean,
  what: string,
  count?: GuardCount,
): fc.Arbitrary<T> {
  return new Guarded(inner, fits, what, count)
}

/** The share of an arbitrary's values that fit, estimated on a small fixed sample. */
export function fittingShare<T>(inner: fc.Arbitrary<T>, fits: (value: T) => boolean, samples = 40): number {
  const values = fc.sample(inner, { numRuns: samples, seed: 17 })
  return values.filter(fits).length / samples
}

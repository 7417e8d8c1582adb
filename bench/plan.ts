/**
 * How much a benchmark measures: rounds, and how long a competitor is loaded in each. Bounded, so that a run ends.
 */
import type { Findings } from './bar.ts'

export interface Plan {
  readonly rounds: number
  /** How long a server is loaded in a round, after its warm-up, ms. */
  readonly windowMs: number
  /** Messages of the thread that is called large. */
  readonly manyMessages: number
  readonly say: (text: string) => void
}

/** A part of a benchmark that can be run alone (`--only <name>`). */
export interface Chapter {
  readonly name: string
  readonly measure: (plan: Plan) => Promise<Findings>
}

/** Figures to publish, or a fast look that all works. */
export const planOf = (quick: boolean, say: (text: string) => void): Plan =>
  quick
    ? { rounds: 2, windowMs: 600, manyMessages: 1_000_000, say }
    : { rounds: 7, windowMs: 2000, manyMessages: 1_000_000, say }

/**
 * Runs every competitor once a round, in an order that rotates, and returns the samples round by round.
 * A first round goes uncounted: compilers and caches warm up in it.
 */
export const interleaved = async <Name extends string, Sample>(
  rounds: number,
  competitors: Readonly<Record<Name, () => Promise<Sample>>>,
): Promise<readonly Readonly<Record<Name, Sample>>[]> => {
  const names = Object.keys(competitors) as Name[]
  const samples: Record<Name, Sample>[] = []
  for (let round = 0; round <= rounds; round += 1) {
    const sample = {} as Record<Name, Sample>
    for (let turn = 0; turn < names.length; turn += 1) {
      const name = names[(turn + round) % names.length]
      if (name !== undefined) sample[name] = await competitors[name]()
    }
    samples.push(sample)
  }
  return samples.slice(1)
}

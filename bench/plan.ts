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

type Competitors<Name extends string, Sample> = Readonly<Record<Name, () => Promise<Sample>>>
type Round<Name extends string, Sample> = Readonly<Record<Name, Sample>>

const roundOf = async <Name extends string, Sample>(
  competitors: Competitors<Name, Sample>,
  round: number,
): Promise<Round<Name, Sample>> => {
  const names = Object.keys(competitors) as Name[]
  const sample = {} as Record<Name, Sample>
  for (let turn = 0; turn < names.length; turn += 1) {
    const name = names[(turn + round) % names.length]
    if (name !== undefined) sample[name] = await competitors[name]()
  }
  return sample
}

/**
 * Runs every competitor once a round, in an order that rotates, and returns the samples round by round.
 * A first round goes uncounted: compilers and caches warm up in it.
 */
export const interleaved = async <Name extends string, Sample>(
  rounds: number,
  competitors: Competitors<Name, Sample>,
): Promise<readonly Round<Name, Sample>[]> => {
  const samples: Round<Name, Sample>[] = []
  for (let round = 0; round <= rounds; round += 1) samples.push(await roundOf(competitors, round))
  return samples.slice(1)
}

interface SteadyRounds<Name extends string, Sample> {
  readonly rounds: readonly Round<Name, Sample>[]
  /** Why the rounds decide nothing; `null` when the machine was calm enough. */
  readonly noise: string | null
}

/** How far apart the figures of the bare competitor may be, as a share of the least. */
const mostSpread = 0.25
const mostRepeats = 3

/**
 * As `interleaved`, with more rounds while the bare competitor's figure swings or is missing, because it did not get the
 * processor: only rounds in which it was about the same count. Where there are too few of them, all are returned with the
 * reason.
 */
export const steadyRounds = async <Name extends string, Sample>(
  rounds: number,
  competitors: Competitors<Name | 'bare', Sample>,
  figureOf: (bare: Sample) => number | null,
): Promise<SteadyRounds<Name | 'bare', Sample>> => {
  const samples = [...(await interleaved(rounds, competitors))]
  const figure = (round: Round<Name | 'bare', Sample>) => figureOf(round.bare)
  let calm = calmest(samples, figure)
  for (let round = rounds; calm.length < rounds && round < rounds * mostRepeats; round += 1) {
    samples.push(await roundOf(competitors, round + 1))
    calm = calmest(samples, figure)
  }
  if (calm.length >= rounds) return { rounds: calm, noise: null }
  return { rounds: samples, noise: noiseIn(samples.map(figure)) }
}

const noiseIn = (figures: readonly (number | null)[]): string => {
  const measured = figures.filter((figure) => figure !== null)
  const starved = figures.length - measured.length
  if (starved > figures.length / 2) return `others kept the processor in ${starved} of ${figures.length} rounds`
  const share = Math.round((Math.max(...measured) / Math.min(...measured) - 1) * 100)
  return `the bare server swung by ${share} % in ${figures.length} rounds`
}

/** The most samples whose figures are within the spread. */
const calmest = <Sample>(samples: readonly Sample[], figure: (sample: Sample) => number | null): readonly Sample[] => {
  const groups = samples.map((lowest) => {
    const least = figure(lowest)
    return samples.filter((one) => {
      const own = figure(one)
      return least !== null && own !== null && own >= least && own <= least * (1 + mostSpread)
    })
  })
  return groups.reduce((most, group) => (group.length > most.length ? group : most), [])
}

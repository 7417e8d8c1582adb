/**
 * Chooses what a slow test runs: a rotating sample in `npm cit`, everything in `npm run prove`.
 * Apart from the tests so that all sample sizes stand in one table, which announce-samples.ts prints.
 */

/** How much a sampled test runs; `nth` means every nth item, beginning with another item for each seed. */
export const samples = {
  'gate runs on the mock with other seeds': { count: 1, whole: 21 },
  'faulty servers, and at least one for each chapter': { nth: 24 },
  'legal servers': { nth: 32 },
  'faults with rare triggers': { nth: 16 },
  'faults of overlap and breaking off': { nth: 36 },
  'doctored certificates': { nth: 32 },
  'gateways of nginx': { nth: 5 },
  'rate limits of nginx': { nth: 2 },
  'legal choices of cedar': { nth: 16 },
  'faults of cedar': { nth: 16 },
  'legal choices of juniper': { nth: 24 },
  'faults of juniper in a gate run': { nth: 48 },
  'faults of juniper that a client observes': { nth: 48 },
  'places of broken assistants': { nth: 12 },
  'gateways that fail now and then': { nth: 8 },
  'troubles of a model': { nth: 10 },
  'requests at which a process is killed': { nth: 8 },
  'smoke runs on the deviations': { nth: 64 },
  'gate runs on the deviations that smoke missed': { nth: 6 },
  'gate runs on the variants': { nth: 59 },
  'deviations narrowed to one obligation': { nth: 192 },
  'seeds for the independent servers': { count: 1, whole: 20 },
  'deviations whose counterexample is replayed': { nth: 295 },
  'broken assistants on independent servers': { count: 1, whole: 9 },
  'trace mutants of one operator, requirement and operation': { count: 1, whole: Number.POSITIVE_INFINITY },
  'forms of runs on the variants': { nth: 160 },
  'forms of runs on the test servers': { nth: 120 },
  'nonces of runs before servers with defeat devices': { count: 1, whole: 100 },
  'divided runs': { count: 1, whole: 200 },
  'runs of one requirement against their plan': { count: 2, whole: 400 },
  'faulty recordings judged in parts': { count: 1, whole: 100 },
  'deviations whose findings become tests': { count: 1, whole: 60 },
  'findings whose tests were once mistaken': { nth: 7 },
  'languages of findings': { nth: 3 },
  'examples and printed blocks with tools of their own': { nth: 12 },
  'generators of clients': { nth: 2 },
  'chapters whose deviations change an answer': { nth: 4 },
  'outcomes that the action is told to fail on': { nth: 2 },
  'keys of one tenant': { nth: 3 },
  'tests that take seconds': { nth: 6 },
  'stories that are judged in parts as well': { nth: 8 },
  fuzzers: { nth: 14 },
  'commands of docs/ci.md behind the first': { nth: 12 },
  'themes of pages in a browser': { nth: 2 },
  'requests through every skin': { count: 200, whole: 10_000 },
  'values for each group of the JSON Schema Test Suite': { count: 2, whole: 20 },
} as const satisfies Readonly<Record<string, Sample>>

type SampleName = keyof typeof samples

type Sample = { readonly nth: number } | { readonly count: number; readonly whole: number }

/** The names of the samples that `T` describes. */
type NamesOf<T> = { [Name in SampleName]: (typeof samples)[Name] extends T ? Name : never }[SampleName]

interface Sampling {
  readonly seed: number
  /** Every sample is everything. */
  readonly whole: boolean
}

const dayMs = 86_400_000

/** Reads the sampling of this run; without a seed in the environment the day is the seed. */
export function samplingOf(environment: Readonly<Record<string, string | undefined>>, now = Date.now()): Sampling {
  const { ACS_SAMPLE_SEED: seed, ACS_PROVE_WHOLE: whole } = environment
  const number = seed === undefined || seed === '' ? Math.floor(now / dayMs) : Number(seed)
  if (!Number.isSafeInteger(number) || number < 0) throw new Error(`ACS_SAMPLE_SEED is no whole number: ${seed}`)
  return { seed: number, whole: whole === '1' }
}

/** The sampling of this run. */
export const sampling: Sampling = samplingOf(process.env)

/** How many: of things that can be made in any number. */
export function sampleCount(name: NamesOf<{ readonly count: number }>, { whole } = sampling): number {
  return whole ? samples[name].whole : samples[name].count
}

/** Every nth item; over n seeds in a row each item has its turn. */
export function sampleOf<T>(
  name: NamesOf<{ readonly nth: number }>,
  items: readonly T[],
  used: Sampling = sampling,
): readonly T[] {
  return items.filter((_, index) => isInTurn(name, index, used))
}

/** Whether something with this title, which stands apart from others, is in the sample; over n seeds in a row it has its turn once. */
export function isSampled(name: NamesOf<{ readonly nth: number }>, title: string, used = sampling): boolean {
  const place = [...title].reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0)
  return isInTurn(name, place, used)
}

function isInTurn(name: NamesOf<{ readonly nth: number }>, place: number, { seed, whole }: Sampling): boolean {
  const { nth } = samples[name]
  return whole || place % nth === seed % nth
}

/** As `sampleOf`, and one more item for each key that the sample leaves out. */
export function sampleOfEach<T>(
  name: NamesOf<{ readonly nth: number }>,
  items: readonly T[],
  keyOf: (item: T) => string,
  used: Sampling = sampling,
): readonly T[] {
  const taken = new Set(sampleOf(name, items, used))
  for (const key of new Set(items.map(keyOf))) {
    const group = items.filter((item) => keyOf(item) === key)
    if (group.some((item) => taken.has(item))) continue
    for (const item of pick(group, 1, used.seed)) taken.add(item)
  }
  return items.filter((item) => taken.has(item))
}

/** So many items of a list, beginning at a place that moves with the seed. */
export function pick<T>(items: readonly T[], count: number, seed = sampling.seed): readonly T[] {
  const start = seed % Math.max(1, items.length)
  return [...items.slice(start), ...items.slice(0, start)].slice(0, count)
}

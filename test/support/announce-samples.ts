/** Fixes the seed of all samples before the first test, and prints what is sampled and how to repeat it. */
import { samples, samplingOf } from './samples.ts'

/** Called by vitest once for each run; the workers inherit the environment. */
export function setup(): void {
  const { seed, whole } = samplingOf(process.env)
  process.env.ACS_SAMPLE_SEED = String(seed)
  process.stdout.write(`${announcement(seed, whole)}\n`)
}

/** The lines that say which tests run a sample. */
export function announcement(seed: number, whole: boolean): string {
  if (whole) return `Samples: all tests run whole (ACS_PROVE_WHOLE=1), with ACS_SAMPLE_SEED=${seed}.`
  const lines = Object.entries(samples).map(([name, sample]) =>
    'nth' in sample
      ? `  ${name}: one of ${sample.nth}`
      : `  ${name}: ${sample.count} of ${Number.isFinite(sample.whole) ? sample.whole : 'all'}`,
  )
  return [
    `Samples: ACS_SAMPLE_SEED=${seed} repeats them, another day has others, npm run prove runs everything.`,
    ...lines,
  ].join('\n')
}

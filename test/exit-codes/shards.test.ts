/** Tests that the merged report of a divided run decides each obligation as the undivided run does. */
import { expect, test } from 'vitest'
import { subjectOf } from '../../cli/prove/mutant.ts'
import { trialProfile } from '../../cli/prove/trial.ts'
import { sampleCount, sampling } from '../support/samples.ts'
import { differences, profiles, wholeAndMerged } from './sharded-run.ts'

const count = sampleCount('divided runs')
const firstSeed = sampling.seed * 200
const offers = Object.entries(profiles)

/** Every third divided run of the sample is a gate run, which takes longer. */
const pairs = Array.from({ length: count }, (_, index) => {
  const seed = firstSeed + index
  const [offer = '', profile] = offers[seed % offers.length] ?? []
  return { seed, parts: 2 + (seed % 3), tier: index % 3 === 0 ? 'gate' : 'smoke', offer, profile } as const
})

test.each(pairs)(
  'a $tier run in $parts parts decides as the whole run: seed $seed, $offer',
  async ({ profile, ...pair }) => {
    if (profile === undefined) throw new Error(`no profile ${pair.offer}`)
    const { whole, merged } = await wholeAndMerged({ ...pair, profile })
    expect(differences(whole, merged)).toEqual([])
    const { outcome, exitCode } = whole.run
    if (outcome !== 'incomplete') expect(merged.run).toMatchObject({ outcome, exitCode, complete: true })
  },
)

test.each(['threads.list-trims'])(
  'a rule that the whole run sees broken is broken in the merged run: %s',
  async (id) => {
    const { overrides } = await subjectOf('deviation', id)
    const profile = trialProfile({})
    const { whole, merged } = await wholeAndMerged({
      seed: firstSeed,
      parts: 3,
      tier: 'gate',
      profile,
      deviations: overrides,
    })
    expect(whole.run.outcome).toBe('nonconformant')
    expect(merged.run).toMatchObject({ outcome: 'nonconformant', exitCode: 1 })
    expect(differences(whole, merged)).toEqual([])
  },
)

/**
 * Tests that each deviation narrowed to one obligation is killed at one place of its requirement and at no other.
 * A sample of them; `npm run prove` tries all.
 */
import { expect, test } from 'vitest'
import { killedPlaces } from '../../cli/prove/obligation-results.ts'
import { loadDeviations } from '../../mock-server/index.ts'
import { sampledTrials } from '../support/sampled-trials.ts'
import { sampleOf } from '../support/samples.ts'

const timeoutMs = 3_600_000

test(
  'a narrowed deviation is killed at one obligation of its requirement',
  async () => {
    const { narrowed } = await loadDeviations()
    const sample = sampleOf('deviations narrowed to one obligation', narrowed)
    const names = sample.map(({ id }) => ({ kind: 'deviation', id }) as const)
    const trials = await sampledTrials(names, { tier: 'gate', seed: 1 })
    const requirementOf = new Map<string, string>(sample.map(({ id, requirement }) => [id, requirement]))
    const elsewhere = trials.flatMap((trial) => {
      const places = killedPlaces(trial, requirementOf.get(trial.id) ?? '')
      return places.length === 1 ? [] : [`${trial.id}: ${places.join(', ') || 'nowhere'}`]
    })
    expect(elsewhere).toEqual([])
  },
  timeoutMs,
)

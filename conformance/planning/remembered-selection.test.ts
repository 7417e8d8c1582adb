/** A remembered selection is what would be chosen anew, whatever was planned in between. */
import { expect, test } from 'vitest'
import { minimalProfile } from '../profile/minimal-profile.ts'
import { planRun } from './plan.ts'

const profile = minimalProfile('http://127.0.0.1:1', { primary: { key: 'k' } })
const planned = (options: Parameters<typeof planRun>[1]) => planRun(profile, options).probes.map(({ id }) => id)

test('tier, caps, selection and claims each have a plan of their own, also when they come again', () => {
  const options = [{}, { tier: 'smoke' }, { maxExchanges: 30 }, { only: 'pagination.*' }, { only: 'auth.*' }] as const
  const first = options.map(planned)
  expect(new Set(first.map((ids) => ids.join())).size).toBe(options.length)
  for (let exchanges = 40; exchanges < 60; exchanges += 1) planned({ maxExchanges: exchanges })
  expect(options.map(planned)).toEqual(first)
  expect(planRun({ ...profile, claims: ['core', 'streaming'] }).probes.length).toBeGreaterThan(first[0]?.length ?? 0)
})

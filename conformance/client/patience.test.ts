/** How long the model is waited for follows from what its answers took. */
import { expect, test } from 'vitest'
import { minimalProfile } from '../profile/minimal-profile.ts'
import { createPatience } from './patience.ts'

const profile = minimalProfile('http://acs.test', { primary: { key: 'k' } })

test('a model that takes 90 seconds is waited for, before and after its first answer', () => {
  const patience = createPatience(profile)
  expect(patience.idleMs(true)).toBeGreaterThan(90_000)
  patience.learnModelMs(90_000)
  expect(patience.idleMs(true)).toBeGreaterThan(2 * 90_000)
})

test('once a quick model is known, a hanging answer costs no more than other requests', () => {
  const patience = createPatience(profile)
  patience.learnModelMs(800)
  expect(patience.idleMs(true)).toBe(30_000)
  expect(patience.idleMs(false)).toBe(30_000)
})

test('the limits of the profile count as they are', () => {
  const patience = createPatience({ ...profile, timeouts: { modelMs: 5_000, freeMs: 700 } })
  patience.learnModelMs(90_000)
  expect([patience.idleMs(true), patience.idleMs(false)]).toEqual([5_000, 700])
})

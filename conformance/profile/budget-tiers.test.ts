/** What a tier may spend. */
import { expect, test } from 'vitest'
import { capsFor, reaches } from './budget-tiers.ts'
import type { TargetProfile } from './target-profile.ts'

const profile = {
  tools: { callIds: '/c/*/id', resultField: 'id' },
  claims: ['core', 'tools'],
  budget: { timeoutMs: 1000, maxBodyBytes: 1000 },
} as unknown as TargetProfile

test('smoke has 60 exchanges and 5 model calls, 7 when tools are claimed and described', () => {
  expect(capsFor('smoke', profile)).toMatchObject({ maxExchanges: 60, maxModelCalls: 7 })
  expect(capsFor('smoke', { ...profile, tools: null })).toMatchObject({ maxExchanges: 60, maxModelCalls: 5 })
  expect(capsFor('smoke', { ...profile, claims: ['core'] })).toMatchObject({ maxExchanges: 60, maxModelCalls: 5 })
})

test('gate has 600 exchanges and 20 model calls', () => {
  expect(capsFor('gate', profile)).toMatchObject({ maxExchanges: 600, maxModelCalls: 20 })
})

test('a wish counts before the profile, and the profile before the tier, zero included', () => {
  const planned = { ...profile, budget: { ...profile.budget, maxExchanges: 100, maxModelCalls: 60 } }
  expect(capsFor('gate', planned)).toMatchObject({ maxExchanges: 100, maxModelCalls: 60 })
  expect(capsFor('gate', planned, { maxModelCalls: 80, maxExchanges: 500 })).toMatchObject({
    maxExchanges: 500,
    maxModelCalls: 80,
  })
  expect(capsFor('gate', planned, { maxModelCalls: 0 })).toMatchObject({ maxModelCalls: 0 })
  expect(capsFor('gate', profile, { maxModelCalls: 80 })).toMatchObject({ maxModelCalls: 80 })
})

test('a profile lowers a smoke run and never raises it', () => {
  const rich = { ...profile, budget: { ...profile.budget, maxExchanges: 1000, maxModelCalls: 20 } }
  expect(capsFor('smoke', rich)).toMatchObject({ maxExchanges: 60 })
  const poor = { ...profile, budget: { ...profile.budget, maxModelCalls: 2 } }
  expect(capsFor('smoke', poor)).toMatchObject({ maxModelCalls: 2 })
})

test('repetitions have a reserve on top of the caps of a tier, and none on top of a cap that was asked for', () => {
  expect(capsFor('gate', profile).reserve).toEqual({ exchanges: 90, modelCalls: 6 })
  expect(capsFor('soak', profile).reserve).toEqual({ exchanges: 0, modelCalls: 0 })
  expect(capsFor('gate', profile, { maxModelCalls: 9, maxExchanges: 90 }).reserve).toEqual({
    exchanges: 0,
    modelCalls: 0,
  })
})

test('a tier reaches itself and everything lighter', () => {
  expect([reaches('gate', 'smoke'), reaches('gate', 'gate'), reaches('gate', 'deep')]).toEqual([true, true, false])
})

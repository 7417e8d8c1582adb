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
  expect(capsFor('smoke', profile)).toEqual({ maxExchanges: 60, maxModelCalls: 7 })
  expect(capsFor('smoke', { ...profile, tools: null })).toEqual({ maxExchanges: 60, maxModelCalls: 5 })
  expect(capsFor('smoke', { ...profile, claims: ['core'] })).toEqual({ maxExchanges: 60, maxModelCalls: 5 })
})

test('gate has 300 exchanges beside the long thread, and 20 model calls', () => {
  expect(capsFor('gate', profile)).toEqual({ maxExchanges: 300 + 118, maxModelCalls: 20 })
})

test('the lowest of tier, profile and wish counts, zero included', () => {
  const poor = { ...profile, budget: { ...profile.budget, maxExchanges: 100, maxModelCalls: 9 } }
  expect(capsFor('gate', poor, { maxModelCalls: 0 })).toEqual({ maxExchanges: 100, maxModelCalls: 0 })
  expect(capsFor('soak', poor)).toEqual({ maxExchanges: 100, maxModelCalls: 9 })
  expect(capsFor('soak', profile)).toEqual({ maxExchanges: null, maxModelCalls: null })
})

test('a wish raises or lowers the cap of a tier, and the budget of the profile holds against both', () => {
  expect(capsFor('gate', profile, { maxModelCalls: 60, maxExchanges: 1000 })).toEqual({
    maxExchanges: 1000,
    maxModelCalls: 60,
  })
  const poor = { ...profile, budget: { ...profile.budget, maxModelCalls: 30 } }
  expect(capsFor('gate', poor, { maxModelCalls: 60 }).maxModelCalls).toBe(30)
})

test('a tier reaches itself and everything lighter', () => {
  expect([reaches('gate', 'smoke'), reaches('gate', 'gate'), reaches('gate', 'deep')]).toEqual([true, true, false])
})

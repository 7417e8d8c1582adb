/** Tests that samples rotate, repeat with their seed, and are everything in a whole run. */
import { expect, test } from 'vitest'
import { announcement } from './announce-samples.ts'
import { isSampled, pick, sampleCount, sampleOf, sampleOfEach, samples, samplingOf } from './samples.ts'

const name = 'faulty servers, and at least one for each chapter'
const items = Array.from({ length: 20 }, (_, index) => index)
const sampled = (seed: number) => ({ seed, whole: false })

test('the day is the seed unless the environment names one', () => {
  expect(samplingOf({}, 86_400_000 * 3 + 5)).toEqual({ seed: 3, whole: false })
  expect(samplingOf({ ACS_SAMPLE_SEED: '12', ACS_PROVE_WHOLE: '1' }, 0)).toEqual({ seed: 12, whole: true })
})

test('a seed that is no whole number is refused', () => {
  expect(() => samplingOf({ ACS_SAMPLE_SEED: 'today' })).toThrow('ACS_SAMPLE_SEED')
})

test('the same seed gives the same sample, and seeds in a row give every item', () => {
  expect(sampleOf(name, items, sampled(7))).toEqual(sampleOf(name, items, sampled(7)))
  const seeds = Array.from({ length: samples[name].nth }, (_, index) => 6 + index)
  const all = seeds.flatMap((seed) => sampleOf(name, items, sampled(seed)))
  expect(all.toSorted((one, other) => one - other)).toEqual(items)
})

test('every key has an item in the sample, whatever the seed', () => {
  const keyOf = (item: number) => String(Math.floor(item / 2))
  for (const seed of items) {
    const keys = sampleOfEach(name, items, keyOf, sampled(seed)).map(keyOf)
    expect(new Set(keys).size).toBe(10)
    expect(keys.length).toBeLessThan(items.length)
  }
})

test('what stands apart has its turn once in so many seeds, and is left out otherwise', () => {
  const ofTests = 'tests that take seconds'
  for (const title of ['a board', 'the types of the mock', '']) {
    const seeds = Array.from({ length: samples[ofTests].nth }, (_, index) => 6 + index)
    expect(seeds.filter((seed) => isSampled(ofTests, title, sampled(seed)))).toHaveLength(1)
    expect(isSampled(ofTests, title, { seed: 1, whole: true })).toBe(true)
  }
})

test('a whole run takes every item', () => {
  expect(sampleOf(name, items, { seed: 1, whole: true })).toEqual(items)
  expect(sampleOfEach(name, items, String, { seed: 1, whole: true })).toEqual(items)
  expect(sampleCount('gate runs on the mock with other seeds', { seed: 1, whole: true })).toBe(21)
})

test('a pick begins at another item for another seed and never takes one twice', () => {
  expect([pick(['a', 'b', 'c'], 2, 0), pick(['a', 'b', 'c'], 2, 5)]).toEqual([
    ['a', 'b'],
    ['c', 'a'],
  ])
  expect(pick(['a'], 9, 4)).toEqual(['a'])
  expect(pick([], 1, 4)).toEqual([])
})

test('the announcement names the seed and every sample', () => {
  expect(announcement(9, false)).toMatch(/ACS_SAMPLE_SEED=9 [\s\S]*deviations: one of 64\n/)
  expect(announcement(9, true)).toContain('ACS_PROVE_WHOLE=1')
})

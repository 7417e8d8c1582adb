/** Tests that the same names give the same values and that names are independent. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sample, sampler, splitSeed } from './sampler.ts'

test('a seed and names always give the same values', () => {
  expect(sampler(42).sample(fc.nat(1000), 5, 'createMessage', 'N-DROP')).toMatchInlineSnapshot(`
    [
      98,
      932,
      669,
      1,
      7,
    ]
  `)
  expect(splitSeed(42, 'createMessage', 'N-DROP')).toMatchInlineSnapshot(`-2052537611`)
})

test('names stay distinct even if their joined texts are equal', () => {
  const seeds = [[], ['ab'], ['a', 'b'], ['b', 'a'], ['a', 'b', '']].map((names) => splitSeed(1, ...names))
  expect(new Set([...seeds, splitSeed(2, 'ab')]).size).toBe(6)
})

test('a split sampler draws from the streams below its names', () => {
  const whole = sampler(7).split('createMessage').sample(fc.nat(), 3, 'V-UNI')
  expect(sampler(7).split('createMessage').sample(fc.nat(), 3, 'V-UNI')).toEqual(whole)
  expect(sampler(7).split('runThread').sample(fc.nat(), 3, 'V-UNI')).not.toEqual(whole)
})

test('a thousand operators have a thousand seeds', () => {
  const seeds = Array.from({ length: 1000 }, (_, at) => splitSeed(1, 'createMessage', `N-${at}`))
  expect(new Set(seeds).size).toBe(1000)
})

test('a count of zero draws no value', () => {
  expect(sample(fc.nat(), { seed: 1, count: 0 })).toEqual([])
})

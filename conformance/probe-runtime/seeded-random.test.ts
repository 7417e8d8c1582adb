/** Chance is reproducible, and one stream never disturbs another. */
import { expect, test } from 'vitest'
import { seededRandom } from './seeded-random.ts'

const firstOf = (seed: number, key: string) => {
  const random = seededRandom(seed, key)
  return [random.uuid(), random.below(1000), random.uuid(), random.seed()]
}

test('the same seed and key give the same stream', () => {
  expect(firstOf(7, 'threads.run')).toEqual(firstOf(7, 'threads.run'))
})

test('another key or another seed gives another stream', () => {
  const streams = [firstOf(7, 'threads.run'), firstOf(7, 'threads.messages'), firstOf(8, 'threads.run')]
  expect(new Set(streams.flat()).size).toBe(12)
})

test('uuids are of version 4 and never repeat', () => {
  const random = seededRandom(1, 'uuids')
  const drawn = Array.from({ length: 500 }, () => random.uuid())
  for (const uuid of drawn)
    expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(new Set(drawn).size).toBe(500)
})

test('a number stays below its bound, and a pick is one of the items', () => {
  const random = seededRandom(2, 'numbers')
  for (let round = 0; round < 200; round += 1) {
    expect(random.below(3)).toBeLessThan(3)
    expect(['a', 'b']).toContain(random.pick(['a', 'b']))
  }
})

/** Chance is reproducible, and one stream never disturbs another. */
import { expect, test } from 'vitest'
import { drawFrom } from './draw.ts'

const firstOf = (seed: number, key: string) => {
  const draw = drawFrom(seed, key)
  return [draw.uuid(), draw.below(1000), draw.uuid(), draw.seed()]
}

test('the same seed and key give the same stream', () => {
  expect(firstOf(7, 'threads.run')).toEqual(firstOf(7, 'threads.run'))
})

test('another key or another seed gives another stream', () => {
  const streams = [firstOf(7, 'threads.run'), firstOf(7, 'threads.messages'), firstOf(8, 'threads.run')]
  expect(new Set(streams.flat()).size).toBe(12)
})

test('uuids are of version 4 and never repeat', () => {
  const draw = drawFrom(1, 'uuids')
  const drawn = Array.from({ length: 500 }, () => draw.uuid())
  for (const uuid of drawn)
    expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(new Set(drawn).size).toBe(500)
})

test('a number stays below its bound, and a pick is one of the items', () => {
  const draw = drawFrom(2, 'numbers')
  for (let round = 0; round < 200; round += 1) {
    expect(draw.below(3)).toBeLessThan(3)
    expect(['a', 'b']).toContain(draw.pick(['a', 'b']))
  }
})

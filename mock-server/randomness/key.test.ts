/** Laws of keyed randomness. */
import { expect, test } from 'vitest'
import { derive, drawsFrom, rootKey } from './key.ts'
import { isUuid, uuidOf } from './uuid.ts'

test('a key is a function of seed, purpose and ordinal alone', () => {
  expect(derive(rootKey(7), 'message', 3)).toEqual(derive(rootKey(7), 'message', 3))
  const others = [derive(rootKey(8), 'message', 3), derive(rootKey(7), 'run', 3), derive(rootKey(7), 'message', 4)]
  for (const other of others) expect(other).not.toEqual(derive(rootKey(7), 'message', 3))
})

test('a hundred thousand ids are UUIDs of version 4, each a different one', () => {
  const ids = new Set<string>()
  for (let seed = 0; seed < 20; seed += 1) {
    for (let ordinal = 0; ordinal < 5000; ordinal += 1) ids.add(uuidOf(derive(rootKey(seed), 'message', ordinal)))
  }
  expect(ids.size).toBe(100_000)
  expect([...ids].every((id) => isUuid(id) && id[14] === '4' && '89ab'.includes(id[19] ?? ''))).toBe(true)
})

test('draws lie in [0, 1) and spread evenly', () => {
  const draw = drawsFrom(rootKey(1))
  const buckets = Array.from({ length: 10 }, () => 0)
  for (let index = 0; index < 100_000; index += 1) {
    const bucket = Math.floor(draw() * 10)
    buckets[bucket] = (buckets[bucket] ?? 0) + 1
  }
  expect(buckets).toHaveLength(10)
  for (const count of buckets) expect(Math.abs(count - 10_000)).toBeLessThan(500)
})

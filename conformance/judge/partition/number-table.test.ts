/** The table of numbers is a map, whatever its size. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hashText, hashWhole } from './hash-text.ts'
import { NumberTable } from './number-table.ts'

test('a table gives back what was set last, for every key and for no other', () => {
  const entries = fc.array(fc.tuple(fc.string(), fc.nat(2 ** 31 - 2)), { maxLength: 3000 })
  fc.assert(
    fc.property(entries, (given) => {
      const table = new NumberTable()
      const map = new Map<number, number>()
      for (const [text, value] of given) {
        table.set(hashWhole(text), value)
        map.set(hashWhole(text), value)
      }
      for (const [key, value] of map) expect(table.get(key)).toBe(value)
      expect(table.get(hashWhole('a key that was never set'))).toBeNull()
    }),
    { numRuns: 20 },
  )
})

test('a hash is a safe integer, and texts that differ at an end or in length differ in it', () => {
  const long = 'x'.repeat(1000)
  const hashes = ['', 'a', 'b', 'ab', 'ba', long, `${long}x`, `a${long}`].map(hashText)
  expect(new Set(hashes).size).toBe(hashes.length)
  expect(hashes.every((hash) => Number.isSafeInteger(hash) && hash >= 0)).toBe(true)
})

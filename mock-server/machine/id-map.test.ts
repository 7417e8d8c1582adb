/** A map from ids keeps ids apart that end in the same characters. */
import { expect, test } from 'vitest'
import { IdMap } from './id-map.ts'

const [first, second, third] = ['11111111', '22222222', '33333333'].map((start) => ({
  id: `${start}-0000-4000-8000-000000000001`,
}))
if (first === undefined || second === undefined || third === undefined) throw new Error('three items are needed')
const ids = (map: IdMap<{ readonly id: string }>): readonly string[] => [...map.values()].map(({ id }) => id).sort()

test('ids that end in the same characters are kept apart', () => {
  const both = new IdMap().set(first.id, first).set(second.id, second)
  expect([both.get(first.id), both.get(second.id), both.get(third.id)]).toEqual([first, second, undefined])
  expect(both.size).toBe(2)
})

test('an item is replaced and removed under its own id, in whatever order the others go', () => {
  const both = new IdMap().set(first.id, first).set(second.id, second)
  const changed = { ...second, content: 'changed' }
  const left = both.without(first.id)
  expect(ids(left)).toEqual([second.id])
  expect(left.set(second.id, changed).get(second.id)).toBe(changed)
  expect(left.set(second.id, changed).size).toBe(1)
  expect(ids(left.set(third.id, third).without(second.id))).toEqual([third.id])
  expect(both.without(second.id).without(first.id).size).toBe(0)
  expect(both.without(third.id)).toBe(both)
})

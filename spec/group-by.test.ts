/** Groups and their order. */
import { expect, test } from 'vitest'
import { groupBy } from './group-by.ts'

test('groups keep the order of their first items, items the order they came in, and `null` is no key', () => {
  const groups = groupBy([3, 1, 2, 5, 4, 0], (number) => (number === 0 ? null : number % 2 === 0 ? 'even' : 'odd'))
  expect([...groups]).toEqual([
    ['odd', [3, 1, 5]],
    ['even', [2, 4]],
  ])
})

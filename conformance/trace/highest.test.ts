/** The largest of as many values as a long run has exchanges. */
import { expect, test } from 'vitest'
import { highest } from './highest.ts'

test('the largest of few, of none and of very many', () => {
  expect(highest([2, 5, 3])).toBe(5)
  expect(highest([])).toBe(0)
  expect(highest([-4, -2], Number.NEGATIVE_INFINITY)).toBe(-2)
  expect(highest(Array.from({ length: 500_000 }, (_, index) => index))).toBe(499_999)
})

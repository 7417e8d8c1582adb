/** Where two JSON values part. */
import { expect, test } from 'vitest'
import { differenceOf } from './json.ts'

test('two values differ first at the place where they part, whatever the order of keys', () => {
  const left = { type: 'a', intent: 'tax', 'a/b': [1, { deep: true }] }
  expect(differenceOf(left, { intent: 'tax', type: 'a', 'a/b': [1, { deep: true }] })).toBeNull()
  expect(differenceOf(left, { ...left, intent: 'other' })).toEqual({ at: '/intent', left: 'tax', right: 'other' })
  expect(differenceOf(left, { ...left, 'a/b': [1, { deep: false }] })).toEqual({
    at: '/a~1b/1/deep',
    left: true,
    right: false,
  })
})

test('a field that only one side has is missing on the other', () => {
  expect(differenceOf({ a: 1 }, { a: 1, b: 2 })).toEqual({ at: '/b', left: undefined, right: 2 })
  expect(differenceOf([], {})).toEqual({ at: '', left: [], right: {} })
})

/** Where two JSON values part, and how they are named. */

import { expect, test } from 'vitest'
import { countText } from '../../../spec/index.ts'
import { differenceOf, namesOf } from './json.ts'

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

test('two long texts that differ far from their beginnings are cut around the difference', () => {
  const shared = 'a word and '.repeat(40)
  const [left, right] = namesOf(`${shared}one end`, `${shared}a tail`)
  expect(left).toBe('"…ord and a word and a word and one end"')
  expect(right).toBe('"…ord and a word and a word and a tail"')
  expect(namesOf(`${shared}more`, shared)).toEqual([
    '"…ord and a word and a word and more"',
    '"…ord and a word and a word and ", cut after 440 characters',
  ])
  for (const name of namesOf(`${shared}1${shared}`, `${shared}2${shared}`)) expect(name.length).toBeLessThan(90)
})

test('short texts and other values are named whole', () => {
  expect(namesOf('yes', 'yes!?')).toEqual(['"yes"', '"yes!?"'])
  expect(namesOf(null, ['a'])).toEqual(['null', 'an array'])
  const flags = '\u{1f600}'.repeat(60)
  expect(namesOf(`${flags}a`, `${flags}b`).every((name) => !/\p{Surrogate}/u.test(name))).toBe(true)
})

test('a number of things is worded in the singular for one', () => {
  expect([1, 2, 0].map((count) => countText(count, 'message'))).toEqual(['1 message', '2 messages', '0 messages'])
})

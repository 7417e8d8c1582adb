/** Depth is counted outside of strings only. */
import { expect, test } from 'vitest'
import { isTooDeep, jsonValue, mostLevels } from './json-depth.ts'

const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels)
const objects = (levels: number): string => `${'{"a":'.repeat(levels)}0${'}'.repeat(levels)}`

test.each([
  ['at the limit', nested(mostLevels), false],
  ['one above it', nested(mostLevels + 1), true],
  ['objects above it', objects(mostLevels + 1), true],
  ['objects at it', objects(mostLevels), false],
  ['many, one behind another', JSON.stringify(Array.from({ length: 2000 }, () => [{}])), false],
  ['brackets in a string', JSON.stringify([nested(5000)]), false],
  ['brackets behind a quotation mark in a string', JSON.stringify([`"\\${nested(5000)}\\"`, 'x'.repeat(1000)]), false],
  ['levels behind a string that ends in a backslash', `["a\\\\",${nested(mostLevels)}]`, true],
])('%s', (_, text, expected) => {
  expect(isTooDeep(text)).toBe(expected)
  expect(jsonValue(text) === undefined).toBe(expected)
})

test('what is no JSON has no value', () => {
  expect(jsonValue(`${nested(10)}]`)).toBeUndefined()
})

test('a byte order mark is not part of the value', () => {
  expect(jsonValue('\uFEFF{"id":1}')).toEqual({ id: 1 })
})

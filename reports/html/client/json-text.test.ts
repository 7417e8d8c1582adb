/** JSON is laid out only when nothing but white space changes. */
import { expect, test } from 'vitest'
import { laidOut } from './json-text.ts'

test('JSON is laid out, also with separators inside its strings', () => {
  expect(laidOut('{"a": "x, y: z [ 1"}')).toBe('{\n  "a": "x, y: z [ 1"\n}')
})

test('what would change stays as it came', () => {
  for (const text of ['{"a":1.0}', '{"a":1,"a":2}', 'no JSON', '"\\u0041"']) expect(laidOut(text)).toBe(text)
})

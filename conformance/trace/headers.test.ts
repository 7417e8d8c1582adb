/** Names of headers in any letter case. */
import { expect, test } from 'vitest'
import { headerIn } from './headers.ts'

test('a header is found whatever the letter case of its line, and the first line counts', () => {
  const lines = [
    ['Content-Typ', 'a'],
    ['Content-TYPE', 'b'],
    ['content-type', 'c'],
  ] as const
  expect(headerIn(lines, 'content-type')).toBe('b')
  expect(headerIn(lines, 'content-types')).toBeUndefined()
  expect(headerIn([], 'date')).toBeUndefined()
})

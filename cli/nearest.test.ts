/** A suggestion is made only where a name is near. */
import { expect, test } from 'vitest'
import { requirements } from '../spec/index.ts'
import { nearest } from './nearest.ts'

const known = requirements.map(({ id }) => id)

test('a mistyped or shortened name finds the one that was meant, and a strange one none', () => {
  expect(nearest('threads.run-need-user', known)).toBe('threads.run-needs-user-message')
  expect(nearest('pagination.newest-frist', known)).toBe('pagination.newest-first')
  expect(nearest('bananas', known)).toBeNull()
  expect(nearest('foo', ['too.long', 'fox'])).toBe('fox')
  expect(nearest('foo', ['bar.none', 'f'])).toBeNull()
})

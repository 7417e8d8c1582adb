/** A suggestion is made only where a name is near. */
import { expect, test } from 'vitest'
import { requirements } from './index.ts'
import { nearestName } from './nearest-name.ts'

const known = requirements.map(({ id }) => id)

test('a mistyped or shortened name finds the one that was meant, and a strange one none', () => {
  expect(nearestName('threads.run-need-user', known)).toBe('threads.run-needs-user-message')
  expect(nearestName('pagination.newest-frist', known)).toBe('pagination.newest-first')
  expect(nearestName('bananas', known)).toBeNull()
  expect(nearestName('thread', known), 'the beginning of many').toBeNull()
  expect(nearestName('foo', ['too.long', 'fox'])).toBe('fox')
  expect(nearestName('foo', ['bar.none', 'f'])).toBeNull()
  expect(nearestName('prot', ['part', 'port'])).toBe('port')
  expect(nearestName('cut-aftr', ['stall', 'cut-after-chunk', 'cut-in-body'])).toBe('cut-after-chunk')
  expect(nearestName('', ['f', 'fox'])).toBeNull()
  expect(nearestName('STALL', ['stall', 'cut-in-body'])).toBe('stall')
})

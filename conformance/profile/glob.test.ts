/** Tests globs over requirement ids. */
import { expect, test } from 'vitest'
import { globMatcher } from './glob.ts'

test.each([
  ['*', 'threads.run', true],
  ['', '', true],
  ['', 'x', false],
  ['threads.*', 'threads.run', true],
  ['threads.*', 'xthreads.run', false],
  ['*.run', 'threads.run', true],
  ['*.run', 'threads.runs', false],
  ['t*.*n', 'threads.run', true],
  ['*s.*s.*', 'threads.run', false],
  ['aba*aba', 'aba', false],
  ['aba*ba', 'ababa', true],
  ['a*b*b', 'ab', false],
  ['a.b', 'axb', false],
])('%s and %s: %s', (glob, id, fits) => {
  expect(globMatcher(glob)(id)).toBe(fits)
})

test('a glob of any number of stars takes no longer than its text', () => {
  const id = 'completions.thread-holds-conversation'
  expect(globMatcher(`${'*'.repeat(100_000)}x`)(id)).toBe(false)
  expect(globMatcher(`${'*n'.repeat(100)}*x`)(id.repeat(100))).toBe(false)
})

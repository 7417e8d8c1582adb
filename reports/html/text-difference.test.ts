/** Texts are cut around their difference, never to the same beginning. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { textDifference } from './text-difference.ts'

test('a difference far behind is shown with a little of what is before it', () => {
  const start = 'a'.repeat(500)
  expect(textDifference(`${start}b tail`, `${start}c tail`)).toEqual({
    before: `…${'a'.repeat(20)}`,
    left: 'b',
    right: 'c',
    after: ' tail',
  })
})

test('texts that have nothing in common are not compared sign by sign', () => {
  expect(textDifference('a UTC timestamp', '"2026"')).toBeNull()
  expect(textDifference('same', 'same')).toBeNull()
})

test('the parts of short texts are the texts', () => {
  const short = fc.string({ unit: 'binary', maxLength: 30 })
  fc.assert(
    fc.property(short, short, (left, right) => {
      const parts = textDifference(left, right)
      if (parts === null) return
      expect(parts.before + parts.left + parts.after).toBe(left)
      expect(parts.before + parts.right + parts.after).toBe(right)
    }),
  )
})

test('no character is cut in two', () => {
  expect(textDifference('a😀b', 'a😁b')).toMatchObject({ left: '😀', right: '😁' })
})

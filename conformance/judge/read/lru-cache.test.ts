/** What was read of late is known again, and what was read long ago is read anew. */
import { expect, test } from 'vitest'
import { LruCache } from './lru-cache.ts'

test('a text of late gives the same object, and is made once', () => {
  let made = 0
  const recent = new LruCache((text) => {
    made += 1
    return { text }
  })
  const first = recent.of('one')
  recent.of('two')
  expect(recent.of('one')).toBe(first)
  expect(made).toBe(2)
})

test('a text behind many others is forgotten, and made again with the same content', () => {
  const recent = new LruCache((text) => ({ text }))
  const first = recent.of('one')
  for (let other = 0; other < 16; other += 1) recent.of(`other ${other}`)
  expect(recent.of('one')).not.toBe(first)
  expect(recent.of('one')).toEqual(first)
})

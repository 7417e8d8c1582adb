/** What was read of late is known again, and what was read long ago is read anew. */
import { expect, test } from 'vitest'
import { MessagePool } from './message-pool.ts'
import { Recent } from './recent.ts'

test('a text of late gives the same object, and is made once', () => {
  let made = 0
  const recent = new Recent((text) => {
    made += 1
    return { text }
  })
  const first = recent.of('one')
  recent.of('two')
  expect(recent.of('one')).toBe(first)
  expect(made).toBe(2)
})

test('a text behind many others is forgotten, and made again with the same content', () => {
  const recent = new Recent((text) => ({ text }))
  const first = recent.of('one')
  for (let other = 0; other < 16; other += 1) recent.of(`other ${other}`)
  expect(recent.of('one')).not.toBe(first)
  expect(recent.of('one')).toEqual(first)
})

test('a message that a page shows again is the object of before, unless it changed', () => {
  const pool = new MessagePool()
  const created = { id: 'm1', role: 'user', content: 'Hello' }
  pool.take(created)
  const same = { items: [{ content: 'Hello', role: 'user', id: 'm1' }] }
  const changed = { items: [{ id: 'm1', role: 'user', content: 'Hullo' }] }
  pool.take(same)
  pool.take(changed)
  expect(same.items[0]).toBe(created)
  expect(changed.items[0]).toEqual({ id: 'm1', role: 'user', content: 'Hullo' })
})

test('bodies keep what they say when their contents are shared', () => {
  const pool = new MessagePool()
  const content = 'x'.repeat(300)
  const sent = { messages: [{ role: 'user', content: `${content}` }, null, { role: 'user', content: 7 }, 'text'] }
  const before = structuredClone(sent)
  pool.takeSent(sent)
  pool.takeSent({ role: 'user', content: `${content}y` })
  expect(sent).toEqual(before)
})

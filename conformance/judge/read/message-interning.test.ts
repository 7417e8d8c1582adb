/** One object for one message, one string for one long content, and nothing that anybody said is changed by it. */
import { expect, test } from 'vitest'
import { MessageInterning } from './message-interning.ts'

test('a message that a page shows again is the object of before, unless it changed', () => {
  const pool = new MessageInterning()
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
  const pool = new MessageInterning()
  const content = 'x'.repeat(300)
  const sent = { messages: [{ role: 'user', content: `${content}` }, null, { role: 'user', content: 7 }, 'text'] }
  const before = structuredClone(sent)
  pool.takeSent(sent)
  pool.takeSent({ role: 'user', content: `${content}y` })
  expect(sent).toEqual(before)
})

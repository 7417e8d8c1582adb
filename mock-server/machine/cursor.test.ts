/** Laws of cursors. */
import { expect, test } from 'vitest'
import { openCursor, sealCursor } from './cursor.ts'

const secret = 'secret of a world'
const thread = '22f18751-1b47-4bcb-9b6c-23a00da66805'

test('a cursor opens to its position for its own thread and secret only', () => {
  for (const position of [1, 99, 100, 65_536, 999_999, 2 ** 40]) {
    const cursor = sealCursor(secret, thread, position)
    expect(openCursor(secret, thread, cursor)).toBe(position)
    expect(openCursor(secret, '32f18751-1b47-4bcb-9b6c-23a00da66805', cursor)).toBeNull()
    expect(openCursor('secret of another', thread, cursor)).toBeNull()
  }
})

test('a cursor with any one character changed does not open', () => {
  const cursor = sealCursor(secret, thread, 1234)
  for (let index = 0; index < cursor.length; index += 1) {
    for (const letter of '0123456789abcdefA-') {
      if (cursor[index] === letter) continue
      const changed = cursor.slice(0, index) + letter + cursor.slice(index + 1)
      expect(openCursor(secret, thread, changed)).toBeNull()
    }
  }
})

test('what is no cursor does not open', () => {
  for (const text of ['', 'x', '0', '-1', '100', 'a'.repeat(10_000), '../../etc', '%00', '0'.repeat(32)]) {
    expect(openCursor(secret, thread, text)).toBeNull()
  }
})

test('cursors of neighbouring positions have nothing in common', () => {
  const left = sealCursor(secret, thread, 100)
  const right = sealCursor(secret, thread, 200)
  const equal = [...left].filter((letter, index) => letter === right[index]).length
  expect(equal).toBeLessThan(8)
})

/** Laws of the message log, across the borders of its blocks. */
import { expect, test } from 'vitest'
import { emptyLog, logOf, type MessageLog } from './message-log.ts'

const messageAt = (position: number) => `{"at":${position},"text":"${'é'.repeat(position % 5)}"}`
const logUpTo = (size: number) => logOf(Array.from({ length: size }, (_, position) => Buffer.from(messageAt(position))))
const textOf = (bytes: Uint8Array | undefined) => (bytes === undefined ? undefined : Buffer.from(bytes).toString())
const page = (log: MessageLog, from: number, before: number) =>
  JSON.parse(`[${log.joined(from, before).map(textOf).join(',')}]`).map(({ at }: { at: number }) => at)
const countdown = (from: number, before: number) =>
  Array.from({ length: before - from }, (_, index) => before - 1 - index)

const sizes = [0, 1, 31, 32, 33, 63, 64, 65, 200]

test('a log gives back what was put in, to the byte and in order', () => {
  for (const size of sizes) {
    const log = logUpTo(size)
    expect(log.size).toBe(size)
    expect([...log].map(textOf)).toEqual(Array.from({ length: size }, (_, position) => messageAt(position)))
    expect([textOf(log.first()), textOf(log.last())]).toEqual(
      size === 0 ? [undefined, undefined] : [messageAt(0), messageAt(size - 1)],
    )
  }
})

test('there is no message outside of a log', () => {
  for (const size of sizes) {
    const log = logUpTo(size)
    expect([log.get(-1), log.get(size), log.get(size + 32)]).toEqual([undefined, undefined, undefined])
  }
})

test('joined pieces are a page, newest first, wherever it starts and ends', () => {
  const log = logUpTo(100)
  for (let from = 0; from <= 100; from += 1) {
    for (const before of [from, from + 1, from + 2, from + 31, from + 32, from + 33, 100]) {
      if (before <= 100) expect(page(log, from, before)).toEqual(countdown(from, before))
    }
  }
})

test('a page out of full blocks is cut, not copied message by message', () => {
  const log = logUpTo(320)
  expect(log.joined(110, 210)).toHaveLength(4)
  const [piece] = log.joined(64, 96)
  expect(piece?.buffer).toBe(log.get(70)?.buffer)
})

test('what is pushed onto a log is not in the logs that it grew from', () => {
  for (const size of sizes) {
    const trunk = logUpTo(size)
    const left = trunk.push(Buffer.from('"left"'))
    const right = trunk.push(Buffer.from('"right"'))
    expect([textOf(left.last()), textOf(right.last())]).toEqual(['"left"', '"right"'])
    expect([trunk.size, left.size, right.size]).toEqual([size, size + 1, size + 1])
    expect(page(trunk, 0, size)).toEqual(countdown(0, size))
  }
})

test('a fork shares the blocks of its parent', () => {
  const trunk = logUpTo(70)
  const fork = trunk.push(Buffer.from('{}'))
  expect(fork.get(3)?.buffer).toBe(trunk.get(3)?.buffer)
  expect(fork.get(66)).toBe(trunk.get(66))
  expect(emptyLog.size).toBe(0)
})

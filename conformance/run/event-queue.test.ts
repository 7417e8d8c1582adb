/** Events wait for their reader. */
import { expect, test } from 'vitest'
import { createEventQueue } from './event-queue.ts'

test('a slow reader misses nothing and reads in order', async () => {
  const queue = createEventQueue<number>()
  queue.push(1)
  queue.push(2)
  const read: number[] = []
  const parsed = (async () => {
    for await (const event of queue) {
      read.push(event)
      if (event === 2) queue.push(3)
    }
  })()
  await Promise.resolve()
  queue.push(4)
  queue.end()
  await parsed
  expect(read.toSorted()).toEqual([1, 2, 3, 4])
})

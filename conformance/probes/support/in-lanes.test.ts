/** Lanes keep their number, and end together. */
import { expect, test } from 'vitest'
import { inLanes } from './in-lanes.ts'

const soon = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))

test.each([1, 3, 20])('everything is done once, by %i lanes at most', async (workers) => {
  const done: number[] = []
  let open = 0
  let most = 0
  await inLanes({ workers }, [0, 1, 2, 3, 4, 5, 6, 7, 8], async (item) => {
    open += 1
    most = Math.max(most, open)
    for (let turn = 0; turn < 12; turn += 1) await soon()
    open -= 1
    done.push(item)
  })
  expect(done.toSorted()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8])
  expect(most).toBe(Math.min(workers, 9))
})

test('items that are undefined count as any others', async () => {
  let done = 0
  await inLanes({ workers: 2 }, Array.from({ length: 5 }), async () => {
    done += 1
  })
  expect(done).toBe(5)
})

test('a failure ends all lanes, and is thrown when what was begun is over', async () => {
  const over: number[] = []
  const work = inLanes({ workers: 2 }, [0, 1, 2, 3, 4], async (item) => {
    for (let turn = 0; turn < 4 + item; turn += 1) await soon()
    if (item === 0) throw new Error('no more')
    over.push(item)
  })
  await expect(work).rejects.toThrow('no more')
  expect(over).toEqual([1])
})

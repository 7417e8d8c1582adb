/** Tests that a limit passes only while the process can notice what it waits for. */
import { setTimeout as sleepMs } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { startTimeLimit } from './time-limit.ts'

const block = (ms: number): void => {
  const startMs = performance.now()
  while (performance.now() - startMs < ms);
}

test('what takes several turns of a blocked loop is waited for', async () => {
  const events: string[] = []
  const limit = startTimeLimit(100, () => events.push('over'))
  block(150)
  for (let turn = 0; turn < 5; turn += 1) await sleepMs(1)
  events.push('answered')
  await sleepMs(300)
  limit.clear()
  expect(events).toEqual(['answered', 'over'])
})

test('a limit is over once after a start, and not when it was cleared', async () => {
  const events: string[] = []
  const limit = startTimeLimit(40, () => events.push('over'))
  startTimeLimit(40, () => events.push('cleared')).clear()
  await sleepMs(200)
  limit.restart()
  await sleepMs(200)
  limit.clear()
  expect(events).toEqual(['over', 'over'])
})

test('a restart gives the whole time again', async () => {
  let isOver = false
  const limit = startTimeLimit(200, () => {
    isOver = true
  })
  for (let round = 0; round < 4; round += 1) {
    await sleepMs(100)
    limit.restart()
  }
  expect(isOver).toBe(false)
  limit.clear()
})

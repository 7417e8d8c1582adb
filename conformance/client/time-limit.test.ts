/** Tests that a limit passes only while the process can notice what it waits for. */
import { setTimeout as sleepMs } from 'node:timers/promises'
import { afterEach, expect, test, vi } from 'vitest'
import { startTimeLimit } from './time-limit.ts'

const block = (ms: number): void => {
  const startMs = performance.now()
  while (performance.now() - startMs < ms);
}

afterEach(() => {
  vi.useRealTimers()
})

test('what takes several turns of a blocked loop is waited for', async () => {
  const events: string[] = []
  const limit = startTimeLimit(100, () => events.push('over'))
  block(150)
  for (let turn = 0; turn < 5; turn += 1) await sleepMs(1)
  events.push('answered')
  await vi.waitFor(() => expect(events).toEqual(['answered', 'over']), 10_000)
  limit.clear()
})

test('a limit is over once after a start, and not when it was cleared', () => {
  vi.useFakeTimers()
  const events: string[] = []
  const limit = startTimeLimit(40, () => events.push('over'))
  startTimeLimit(40, () => events.push('cleared')).clear()
  vi.advanceTimersByTime(200)
  limit.restart()
  vi.advanceTimersByTime(200)
  limit.clear()
  expect(events).toEqual(['over', 'over'])
})

test('a restart gives the whole time again', () => {
  vi.useFakeTimers()
  let isOver = false
  const limit = startTimeLimit(200, () => {
    isOver = true
  })
  for (let round = 0; round < 4; round += 1) {
    vi.advanceTimersByTime(199)
    limit.restart()
  }
  expect(isOver).toBe(false)
  limit.clear()
})

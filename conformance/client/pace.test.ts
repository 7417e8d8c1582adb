/** Requests find the pace of an unknown rate limit. */
import { expect, test } from 'vitest'
import { createPace } from './pace.ts'

/** A service with a token bucket, and a clock that only pauses move. */
const bucket = (perMinute: number, size: number) => {
  let nowMs = 0
  let tokens = size
  let atMs = 0
  const pace = createPace({
    nowMs: () => nowMs,
    pause: async (waitMs) => {
      nowMs += waitMs
    },
  })
  const request = (): boolean => {
    nowMs += 1
    tokens = Math.min(size, tokens + ((nowMs - atMs) * perMinute) / 60_000)
    atMs = nowMs
    if (tokens < 1) return false
    tokens -= 1
    return true
  }
  return { pace, request, nowMs: () => nowMs }
}

test.each([
  [60, 1, 250],
  [60, 10, 250],
  [60, 1, 1000],
  [1200, 5, 250],
])(
  '%i requests a minute from a bucket of %i take what the limit dictates and a tenth',
  async (perMinute, size, restMs) => {
    const { pace, request, nowMs } = bucket(perMinute, size)
    const wanted = 480
    let refusals = 0
    for (let answers = 0; answers < wanted; ) {
      await pace.wait('primary')
      if (request()) {
        answers += 1
        pace.answered('primary')
      } else {
        refusals += 1
        pace.refused('primary', restMs)
      }
    }
    const dictatedMs = ((wanted - size) * 60_000) / perMinute
    expect(nowMs()).toBeLessThan(1.1 * dictatedMs + 3_000)
    expect(refusals).toBeLessThan(wanted / 6)
  },
)

test('a quota that starts anew each minute is used up as well', async () => {
  let nowMs = 0
  const pace = createPace({
    nowMs: () => nowMs,
    pause: async (waitMs) => {
      nowMs += waitMs
    },
  })
  const used = new Map<number, number>()
  let refusals = 0
  for (let answers = 0; answers < 240; ) {
    await pace.wait('primary')
    nowMs += 1
    const minute = Math.floor(nowMs / 60_000)
    const before = used.get(minute) ?? 0
    if (before < 60) {
      used.set(minute, before + 1)
      answers += 1
      pace.answered('primary')
    } else {
      refusals += 1
      pace.refused('primary', 1_000)
    }
  }
  expect(nowMs).toBeLessThan(270_000)
  expect(refusals, 'one each second while the quota is used up').toBeLessThan(150)
})

test('requests that are made at once go out together, when so many fit into the bucket', async () => {
  const starts: number[] = []
  let nowMs = 0
  const pace = createPace({
    nowMs: () => nowMs,
    pause: async (waitMs) => {
      starts.push(nowMs + waitMs)
    },
  })
  pace.refused('primary', 0)
  await pace.wait('primary')
  await Promise.all([1, 2, 3].map(() => pace.wait('primary')))
  await pace.wait('primary')
  expect(starts).toEqual([50, 200, 200, 200, 250])
  nowMs = 1_000
  await pace.wait('primary')
  expect(starts).toHaveLength(5)
})

test('without a refusal no request waits, and after one its key pauses', async () => {
  const { pace, nowMs } = bucket(60, 1)
  await pace.wait('primary')
  pace.refused('primary', 400)
  await pace.wait('secondary')
  await pace.wait(null)
  expect(nowMs(), 'they share the limit, and do not wait for other keys').toBe(100)
  await pace.wait('primary')
  expect(nowMs()).toBe(400)
})

test('requests that were refused together slow the key down as one does', async () => {
  const startAfter = async (refusals: number): Promise<number> => {
    const { pace, nowMs } = bucket(60, 1)
    for (let index = 0; index < refusals; index += 1) pace.refused('primary', 1_000)
    for (let index = 0; index < 3; index += 1) await pace.wait('primary')
    return nowMs()
  }
  expect(await startAfter(8)).toBe(await startAfter(1))
})

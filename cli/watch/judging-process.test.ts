/** A recording is judged behind everything else while it grows, and like any command at its end. */
import { constants, getPriority } from 'node:os'
import { expect, test } from 'vitest'
import { startJudging } from './judging-process.ts'

const options = { folder: 'nowhere', memoryMiB: 512, strict: false }

test('only a judgement that gives way has the lowest priority', async () => {
  const priorities = await Promise.all(
    [true, false].map(async (givesWay) => {
      const { pid, ended, stop } = startJudging(['missing.ndjson'], { ...options, givesWay })
      const priority = getPriority(pid)
      stop()
      await ended
      return priority
    }),
  )
  expect(priorities).toEqual([constants.priority.PRIORITY_LOW, getPriority()])
})

test('a judgement that is stopped ends without a result', async () => {
  const { ended, stop } = startJudging(['missing.ndjson'], { ...options, givesWay: true })
  stop()
  expect(await ended).toEqual({ code: 70, out: '', err: '', isStopped: true })
})

test('a judgement that fails says why', async () => {
  const { code, err, isStopped } = await startJudging(['missing.ndjson'], { ...options, givesWay: false }).ended
  expect({ code, isStopped }).toEqual({ code: 66, isStopped: false })
  expect(err).toContain('missing.ndjson')
})

/**
 * Weighs one thread with many messages in a process of its own, and times reset and fork of its world.
 * Needs `--expose-gc`; takes a MemoryJob and prints a MemoryResult.
 */
import { createMock } from '../../mock-server/index.ts'
import type { MemoryJob, MemoryResult } from './memory.ts'

const { messages: count } = JSON.parse(process.argv[2] ?? '') as MemoryJob
const content = 'May I record a phone call without telling the other side about that?'

const held = () => {
  globalThis.gc?.()
  globalThis.gc?.()
  const { heapUsed, external, rss } = process.memoryUsage()
  return { bytes: heapUsed + external, rss }
}

/** Seeding hands back what it made; only its JSON length outlives this function. */
const seed = (messages: number): number => {
  const draft = { role: 'user' as const, content }
  const { messages: made } = mock.main.seedThread({ messages: Array.from({ length: messages }, () => draft) })
  return JSON.stringify(made[0]).length
}

const medianMs = (times: number, act: () => void): number => {
  const all = Array.from({ length: times }, () => {
    const before = performance.now()
    act()
    return performance.now() - before
  })
  return all.sort((left, right) => left - right)[times >> 1] ?? 0
}

const mock = await createMock()
seed(10)
const before = held()
const jsonBytes = seed(count)
const after = held()
const snapshot = mock.main.snapshot()
const eachBytes = (after.bytes - before.bytes) / count
const result: MemoryResult = {
  beyondContentBytes: eachBytes - content.length,
  beyondJsonBytes: eachBytes - jsonBytes,
  residentBytes: (after.rss - before.rss) / count,
  forkMs: medianMs(101, () => mock.main.fork().destroy()),
  resetMs: medianMs(101, () => {
    mock.main.restore(snapshot)
    mock.main.reset()
  }),
}
await mock.close()
console.log(JSON.stringify(result))

/**
 * Runs every fuzzer of test/soak for its share of the time: `npm run soak -- [--minutes 60] [--seed 1] [--only <words>]`.
 * Each has a thread of its own, which is ended when no attempt ends within the deadline. Exit 1 when anything failed.
 */
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import type { Fuzzer, Tally } from '../test/soak/fuzzer.ts'
import { fuzzers } from '../test/soak/fuzzers.ts'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
  },
})
const seed = Number(values.seed)
const chosen = fuzzers.filter(({ name }) => name.includes(values.only))
const shareMs = (Number(values.minutes) * 60_000) / chosen.length

/** One fuzzer in a thread, until its share of the time is over or its goal is reached. */
const soak = ({ name, deadlineMs = 60_000 }: Fuzzer): Promise<Tally> =>
  new Promise((resolve) => {
    const worker = new Worker(new URL('./soak-worker.ts', import.meta.url), { workerData: { name, seed, shareMs } })
    let attempts = 0
    const end = (tally: Tally) => {
      clearTimeout(watch)
      void worker.terminate()
      resolve(tally)
    }
    const failed = (problem: string) =>
      end({ attempts, failures: [`seed ${seed}, attempt ${attempts}: ${problem}`], grownBytes: 0 })
    const hangs = () => failed(`no attempt ended within ${deadlineMs} ms`)
    let watch = setTimeout(hangs, 2 * deadlineMs)
    worker.on('message', (message: number | Tally) => {
      if (typeof message === 'object') return end(message)
      attempts = message
      clearTimeout(watch)
      watch = setTimeout(hangs, deadlineMs)
    })
    worker.on('error', (cause: unknown) => failed(`the thread died: ${String(cause)}`))
  })

let failures = 0
for (const fuzzer of chosen) {
  const startedAt = Date.now()
  const tally = await soak(fuzzer)
  failures += tally.failures.length
  const seconds = Math.round((Date.now() - startedAt) / 1000)
  const grown = `${Math.round(tally.grownBytes / 1e6)} MB grown`
  console.log(
    `${tally.attempts} of ${fuzzer.goal}  ${tally.failures.length} failed  ${seconds} s  ${grown}  ${fuzzer.name}`,
  )
  for (const failure of tally.failures) console.log(`  ${failure.replaceAll('\n', '\n  ')}`)
}
process.exitCode = failures === 0 ? 0 : 1

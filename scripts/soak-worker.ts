/** Runs one fuzzer in a thread of its own, and tells how far it is. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { parentPort, workerData } from 'node:worker_threads'
import { runFuzzer } from '../test/soak/fuzzer.ts'
import { fuzzers } from '../test/soak/fuzzers.ts'

const { name, seed, shareMs } = workerData as { readonly name: string; readonly seed: number; readonly shareMs: number }
const fuzzer = fuzzers.find((one) => one.name === name)
if (fuzzer === undefined) throw new Error(`no fuzzer ${name}`)
// Growth is only told after a collection.
setFlagsFromString('--expose-gc')
globalThis.gc = runInNewContext('gc') as NonNullable<typeof globalThis.gc>
const until = Date.now() + shareMs
const done = (attempts: number): boolean => {
  parentPort?.postMessage(attempts)
  return Date.now() > until
}
parentPort?.postMessage(await runFuzzer(fuzzer, { seed, count: fuzzer.goal, done }))

/** Runs a sample of every fuzzer, with another seed each day; `npm run soak` runs them for an hour. */
import { expect, test } from 'vitest'
import { sampleOf, sampling } from '../support/samples.ts'
import { crashOf, runFuzzer } from './fuzzer.ts'
import { fuzzers } from './fuzzers.ts'

test.each(sampleOf('fuzzers', fuzzers))('$name: no crash, no leak, nothing doctored accepted', async (fuzzer) => {
  const { attempts, failures } = await runFuzzer(fuzzer, { seed: sampling.seed, count: fuzzer.sample })
  expect(failures).toEqual([])
  expect(attempts).toBe(fuzzer.sample)
})

test('a failure of a fuzzer is told, and a crash is told from a refusal', async () => {
  const broken = { name: 'x', goal: 1, sample: 1, prepare: async () => ({ attempt: async () => 'it leaks' }) }
  expect((await runFuzzer(broken, { seed: 1, count: 50 })).failures).toHaveLength(20)
  expect(crashOf(new TypeError('path is not a text'))).toBeNull()
  expect(crashOf(new TypeError("Cannot read properties of null (reading 'x')"))).toContain('TypeError')
})

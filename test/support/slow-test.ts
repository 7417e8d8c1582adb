/** Tests that take seconds each. Some of them run in `npm cit`, others with another seed, and all in a whole run. */
import { type TestFunction, test } from 'vitest'
import { isSampled } from './samples.ts'

type NamedTest = (title: string, body: TestFunction, timeoutMs?: number) => void

const ofTests = (run: typeof test | typeof test.concurrent): NamedTest =>
  function slow(title, body, timeoutMs) {
    const wanted = isSampled('tests that take seconds', title) ? run : run.skip
    wanted(title, body, timeoutMs)
  }

/** A test that is skipped, and counted as skipped, where the sample of this run leaves it out. */
export const slowTest: NamedTest & { readonly concurrent: NamedTest } = Object.assign(ofTests(test), {
  concurrent: ofTests(test.concurrent),
})

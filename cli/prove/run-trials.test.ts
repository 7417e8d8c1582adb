/** An interrupted proof ends at once, and is no fault of the suite. */
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { acs } from '../../test/acs-in-process.ts'
import { runTrials } from './run-trials.ts'

test('trials that are interrupted end without a failure', async () => {
  const interruption = new AbortController()
  const names = [{ kind: 'variant', id: 'legal' }] as const
  const trials = runTrials(names, { tier: 'smoke', seed: 1, jobs: 1, signal: interruption.signal })
  interruption.abort()
  expect(await trials).toEqual([])
})

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
])('acs prove ends at %s with exit code %i and one line', async (signal, exitCode) => {
  const out = join(tmpdir(), 'acs-no-proof')
  const argv = ['prove', '--only', 'pagination.*', '--jobs', '1', '--out', out]
  const { code, err } = await acs(argv, {}, { interrupted: AbortSignal.abort(signal) })
  expect({ code, err }).toEqual({
    code: exitCode,
    err: 'acs: interrupted, no proof was written; run acs prove again\n',
  })
  expect(existsSync(out)).toBe(false)
})

/** Laws of a trial: it sees what the bend does, and says what it cost to see it. */
import { expect, test } from 'vitest'
import { deviationsFrom } from '../deviation-options.ts'
import { usageFailure } from '../failure.ts'
import { subjectOf } from './mutant.ts'
import { runTrial } from './trial.ts'

const faithful = { kind: 'variant', id: 'none', overrides: [], profile: {} } as const
const options = { tier: 'smoke', seed: 1 } as const

test('the faithful mock has no breach', async () => {
  const trial = await runTrial(faithful, options)
  expect(trial.breaches).toEqual([])
  expect(trial.upheld.length).toBeGreaterThan(50)
})

test('a deviation breaches its requirement, at a request within the run', async () => {
  const trial = await runTrial(await subjectOf('deviation', 'assistants.list-in-envelope'), options)
  const breach = trial.breaches.find(({ requirement }) => requirement.startsWith('assistants.'))
  expect(trial.outcome).toBe('nonconformant')
  expect(breach?.requests).toBeGreaterThan(0)
  expect(breach?.requests).toBeLessThanOrEqual(trial.exchanges)
})

test('an unknown name is told with the closest one', async () => {
  await expect(deviationsFrom({ deviate: [], variant: ['http.gzipp'] })).rejects.toEqual(
    usageFailure('--variant http.gzipp: unknown id; did you mean http.gzip?'),
  )
})

test('whatever holds chunks back is seen, however busy the machine is', async () => {
  const trial = await runTrial(await subjectOf('deviation', 'streams.sent-in-one-lump'), { tier: 'gate', seed: 1 })
  expect(trial.breaches.map(({ requirement }) => requirement)).toEqual(['streams.progressive'])
})

test('a trial is told the same times again', async () => {
  const [one, other] = [await runTrial(faithful, options), await runTrial(faithful, options)]
  expect(one).toEqual(other)
})

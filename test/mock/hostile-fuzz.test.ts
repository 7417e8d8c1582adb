/** Whatever comes in, the mock answers in the contract's words and goes on. */
import { expect, test } from 'vitest'
import { runHostile } from './hostile-run.ts'

test('four thousand hostile requests get the error body of the contract, or what they asked for', async () => {
  const { statuses, faults } = await runHostile(2026, 4000)
  expect(faults).toEqual([])
  for (const status of ['200', '201', '400', '401', '403', '404', '405', '422']) {
    expect(statuses[status], `status ${status} was never met, so the fuzz is too tame`).toBeGreaterThan(5)
  }
})

/** Every scope of evidence keeps something. */
import { expect, test } from 'vitest'
import { keptComponents } from './survey-part.ts'

test('the wider the evidence of a requirement is spread, the more of it is kept', () => {
  const { exchange, thread, tenant, trace } = keptComponents
  expect([exchange, thread, tenant, trace]).toEqual([exchange, thread, tenant, trace].sort((one, other) => one - other))
  expect(exchange).toBeGreaterThan(0)
})

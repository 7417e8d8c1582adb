/** The table of scopes is complete, and every scope keeps something. */
import { expect, test } from 'vitest'
import { isTestable, type Requirement, requirements } from '../../../spec/index.ts'
import { evidenceScopes, keptComponents } from './evidence-scope.ts'

test('every requirement that can be tested says what its evidence is partitioned by, and no other does', () => {
  const testable = (requirements as readonly Requirement[]).filter(isTestable).map(({ id }) => id)
  expect(Object.keys(evidenceScopes).sort()).toEqual([...testable].sort())
})

test('the wider the evidence of a requirement is spread, the more of it is kept', () => {
  const { exchange, thread, tenant, trace } = keptComponents
  expect([exchange, thread, tenant, trace]).toEqual([exchange, thread, tenant, trace].sort((one, other) => one - other))
  expect(exchange).toBeGreaterThan(0)
})

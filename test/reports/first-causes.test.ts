/**
 * What a report says to fix first is the real bug, measured on every deviation of the mock. Each counts with all that any proof
 * ever saw it break, which is more than one run shows: with what one gate run shows the share is 95 of 100.
 */
import { expect, test } from 'vitest'
import { isBlockingRule, type Verdict } from '../../conformance/index.ts'
import { loadDeviations } from '../../mock-server/index.ts'
import { diagnose } from '../../reports/diagnosis/diagnose.ts'
import { faultSignatures, type RequirementId, requirementOf } from '../../spec/index.ts'

const { deviations } = await loadDeviations()

const violated = (requirement: RequirementId): Verdict => {
  const row = requirementOf(requirement)
  if (row === undefined) throw new Error(`no requirement ${requirement}`)
  const { level, basis } = row
  const place = { operation: 'listMessages', facet: null } as const
  const blocking = isBlockingRule(row, false)
  return {
    requirement,
    ...place,
    level,
    basis,
    owed: true,
    blocking,
    outcome: 'violated',
    witnesses: 1,
    exchanges: ['E1'],
  }
}

/** The share of groups of so many deviations whose first cause is the rule that one of them breaks by itself. */
const rightShare = (count: number): number => {
  const right = deviations.filter((_, start) => {
    const group = Array.from({ length: count }, (_, step) => {
      const other = deviations[(start + step * (start * 37 + 11)) % deviations.length]
      return other === undefined ? [] : [other]
    }).flat()
    const broken = new Set(group.flatMap(({ requirement, alsoViolates = [] }) => [requirement, ...alsoViolates]))
    const [first] = diagnose({ verdicts: [...broken].map(violated) })
    return group.some(({ requirement }) => requirement === first?.requirement)
  })
  return right.length / deviations.length
}

test('every rule that a deviation breaks has a known pattern', () => {
  const known = new Set(faultSignatures.map(({ requirement }) => requirement))
  const missing = deviations.filter(({ requirement }) => !known.has(requirement))
  expect(missing.map(({ id }) => id)).toEqual([])
})

test.each([
  [1, 0.86],
  [2, 0.8],
])('of %i deviations at once the first cause is real for a share of %f at least', (count, least) => {
  expect(rightShare(count)).toBeGreaterThanOrEqual(least)
})

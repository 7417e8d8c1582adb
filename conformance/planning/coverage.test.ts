/** What probes claim to exercise, held against the rows of the law. */
import { expect, test } from 'vitest'
import { conformanceLevels, obligationKey, obligations } from '../../spec/index.ts'
import { allProbes } from '../probes/registry.ts'
import { reaches } from '../profile/budget-tiers.ts'
import type { TargetProfile } from '../profile/target-profile.ts'
import { coverageOf, matchesSelection, owedBy } from './coverage.ts'

const claiming = (...claims: readonly TargetProfile['claims'][number][]) =>
  ({ claims, tenants: { throttled: {} } }) as unknown as TargetProfile

test('every pattern of every probe names an obligation', () => {
  const patterns = allProbes.flatMap((probe) =>
    probe.exercises.flatMap(({ operations, requirements }) =>
      requirements.map((requirement) => ({ probe, operations, requirement })),
    ),
  )
  const idle = patterns.filter(
    ({ probe, operations, requirement }) =>
      coverageOf({ ...probe, exercises: [{ operations, requirements: [requirement] }] }).length === 0,
  )
  expect(idle.map(({ probe, requirement }) => `${probe.id} ${requirement}`)).toEqual([])
})

test('every obligation that can be owed has a probe in the gate tier', () => {
  const gate = allProbes.filter(({ from, until = 'soak' }) => reaches('gate', from) && reaches(until, 'gate'))
  const met = new Set(gate.flatMap((probe) => coverageOf(probe).map(obligationKey)))
  const open = owedBy(claiming(...conformanceLevels)).map(obligationKey)
  expect(open.filter((key) => !met.has(key))).toEqual([])
})

test('probes have ids of their own, and build only on probes that stand before them', () => {
  const ids = allProbes.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  for (const [index, probe] of allProbes.entries()) {
    for (const earlier of probe.after ?? []) expect(ids.slice(0, index)).toContain(earlier)
  }
})

test('only what is claimed is owed, and what is judged when seen never is', () => {
  const core = owedBy(claiming('core'))
  expect(core.some(({ operation }) => operation === 'listMessages')).toBe(false)
  expect(core.some(({ operation }) => operation === 'createChatCompletion')).toBe(true)
  expect(core.some(({ requirement }) => requirement === 'errors.code-api-timeout-error')).toBe(false)
  expect(owedBy(claiming(...conformanceLevels)).length).toBeLessThan(obligations.length)
})

test('a glob selects requirements by chapter or by id', () => {
  expect(matchesSelection('pagination.*', 'pagination.newest-first')).toBe(true)
  expect(matchesSelection('pagination.*', 'threads.create-echoes')).toBe(false)
  expect(matchesSelection('threads.create-echoes', 'threads.create-echoes')).toBe(true)
  expect(matchesSelection(undefined, 'anything')).toBe(true)
})

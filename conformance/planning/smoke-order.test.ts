/** The first looks of smoke, held against the probes that there are. */
import { expect, test } from 'vitest'
import { allProbes } from '../probes/registry.ts'
import { smokeOrderOf } from './smoke-order.ts'

test('every probe that only smoke plays is a first look, and every first look such a probe', () => {
  const made = allProbes.filter(({ until }) => until === 'smoke').map(({ id }) => id)
  expect(
    smokeOrderOf(allProbes)
      .map(({ id }) => id)
      .sort(),
  ).toEqual([...made].sort())
})

/** Tests the schema compiler on the JSON Schema Test Suite 2020-12. */
import { expect, test } from 'vitest'
import { sampleCount, sampling } from '../support/samples.ts'
import { suiteFigures } from './json-schema-test-suite.ts'

test('every satisfiable group of the suite that ajv judges right is generated fully valid', () => {
  const figures = suiteFigures(sampleCount('values for each group of the JSON Schema Test Suite'), sampling.seed)
  expect(figures.partly).toEqual([])
  expect(figures.unsupported).toEqual([])
  expect(figures.full).toBeGreaterThanOrEqual(294)
  const { named, generated } = figures.withoutInstance
  expect(figures.full + figures.misjudged + named + generated).toBe(figures.groups)
})

/** The compiler on the JSON Schema Test Suite 2020-12; `node scripts/prove-generators.ts` draws a thousand of each. */
import { expect, test } from 'vitest'
import { suiteFigures } from './json-schema-test-suite.ts'

test('every satisfiable group of the suite that ajv judges right is generated fully valid', () => {
  const figures = suiteFigures(20)
  expect(figures.partly).toEqual([])
  expect(figures.unsupported).toEqual([])
  expect(figures.full).toBeGreaterThanOrEqual(294)
  const { named, generated } = figures.withoutInstance
  expect(figures.full + figures.misjudged + named + generated).toBe(figures.groups)
})

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { generatedSpecFiles } from '../../scripts/generate-spec.ts'

test('the generated files are those that the document and the overlay give now (node scripts/generate-spec.ts)', () => {
  const files = [...generatedSpecFiles()]
  expect(files).toHaveLength(4)
  for (const [path, text] of files) {
    const written = readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
    // Compared as a boolean: a difference of 100 KiB tells nobody more than its name does.
    expect(written === text, `${path} is stale: run node scripts/generate-spec.ts`).toBe(true)
  }
})

/** The generated files are checked in; this holds them to their sources. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { generatedSpecFiles } from './generate-spec.ts'

test('the generated files are those that the document and the overlay give now', () => {
  const files = [...generatedSpecFiles()]
  expect(files).toHaveLength(5)
  for (const [path, text] of files) {
    const written = readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
    // Compared as a boolean: a difference of 100 KiB tells nobody more than its name does.
    expect(written === text, `${path} is stale: run node spec/generate/generate-spec.ts`).toBe(true)
  }
})

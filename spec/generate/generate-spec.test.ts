/** Tests that the generated files are up to date. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { generatedSpecFiles } from './generate-spec.ts'

test('the checked-in files equal what the document and the overlay generate', () => {
  const files = [...generatedSpecFiles()]
  expect(files).toHaveLength(5)
  for (const [path, text] of files) {
    const written = readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
    // Compared as a boolean: a diff of 100 KiB is no more useful than the file name.
    expect(written === text, `${path} is stale: run node spec/generate/generate-spec.ts`).toBe(true)
  }
})

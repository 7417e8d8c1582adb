/** The page of requirements is made from the rows; this holds it fresh. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { requirementsPage } from '../../scripts/requirements-page.ts'

test('docs/requirements.md is what the rows say (npm run generate renews it)', () => {
  const page = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'requirements.md'), 'utf8')
  expect(page).toBe(requirementsPage())
})

/**
 * Writes docs/requirements.md, the law as a page to read, from the rows in spec/. A test holds the page fresh.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { requirementsPage } from './requirements-page.ts'

writeFileSync(join(import.meta.dirname, '..', 'docs', 'requirements.md'), requirementsPage())

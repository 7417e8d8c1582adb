/**
 * Writes spec/requirement-set.v1.json: the requirements as certificates of this contract version are judged by. Run it
 * only for a deliberate new set, with an entry in CHANGELOG.md; a test fails when the rows drift away from it.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { requirementSet } from '../reports/index.ts'

writeFileSync(join(import.meta.dirname, '..', 'spec', 'requirement-set.v1.json'), requirementSet())

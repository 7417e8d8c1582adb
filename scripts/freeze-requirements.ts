/**
 * Writes spec/requirement-set.v1.json and lists its digest for this release in spec/requirement-sets.json. Run it only for a
 * deliberate new set, with an entry in CHANGELOG.md; a test fails when the rows drift away from it.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { digestOf, requirementSet } from '../reports/index.ts'
import { requirementSets } from '../spec/index.ts'

const root = join(import.meta.dirname, '..')
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly version: string }
const sets = [
  ...requirementSets.filter(({ release }) => release !== version),
  { release: version, contract: 'v1', digest: digestOf(requirementSet()) },
]
writeFileSync(join(root, 'spec', 'requirement-set.v1.json'), requirementSet())
writeFileSync(join(root, 'spec', 'requirement-sets.json'), `${JSON.stringify(sets, null, 2)}\n`)

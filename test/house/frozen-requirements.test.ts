/**
 * The requirements of a contract version are frozen, so that older certificates can be judged again.
 * A change of a row that judges makes a new set, on purpose, with `node scripts/freeze-requirements.ts`.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { digestOf, requirementSet } from '../../reports/index.ts'
import { requirementSets } from '../../spec/index.ts'

test('the rows that judge are those of the frozen set', () => {
  const frozen = readFileSync(join(import.meta.dirname, '..', '..', 'spec', 'requirement-set.v1.json'), 'utf8')
  expect(requirementSet()).toBe(frozen)
})

test('this release lists the digest of its set, and no release is listed twice', () => {
  const manifest = readFileSync(join(import.meta.dirname, '..', '..', 'package.json'), 'utf8')
  const { version } = JSON.parse(manifest) as { readonly version: string }
  expect(requirementSets.filter(({ release }) => release === version)).toEqual([
    { release: version, contract: 'v1', digest: digestOf(requirementSet()) },
  ])
  expect(new Set(requirementSets.map(({ release }) => release)).size).toBe(requirementSets.length)
})

/**
 * Tests the structure of the sources: cycles, directions, headers, doors and names.
 * What breaks a rule today is counted in ratchet.json; a figure may only get smaller.
 */
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { aroundMockMachine, conformanceSides, mockMachine } from '../../scripts/metrics/directions.ts'
import { allowedTypeCycles, type HouseRule, houseFindings } from '../../scripts/metrics/house-findings.ts'
import { fileCycles } from '../../scripts/metrics/import-cycles.ts'
import { ratchetProblems, readRatchet } from '../../scripts/metrics/ratchet.ts'
import { isProduct, readSources, topFolder, unitOf } from '../../scripts/metrics/source-tree.ts'

const root = join(import.meta.dirname, '..', '..')
const sources = readSources(root)
const ratchet = readRatchet(root)

const unitsOf = (folder: string): readonly string[] => [
  ...new Set(
    sources
      .filter(({ path }) => isProduct(path) && topFolder(path) === folder)
      .flatMap(({ path }) => unitOf(path) ?? []),
  ),
]

const sentences: Readonly<Record<HouseRule, string>> = {
  'run-time import cycles': 'no file imports itself at run time, over any number of files',
  'files in import cycles with types': 'no file imports itself when types count, but for the cycles that are listed',
  'folders in run-time cycles': 'folders of one product folder do not import each other in a circle at run time',
  'folders in cycles with types': 'folders of one product folder do not import each other in a circle when types count',
  'judge imports probes': 'the judge side of conformance imports nothing of the probe side',
  'machine imports admin or faults': 'the pure machine of the mock imports neither the admin API nor the faults',
  'first sentence of the header too long': 'the first sentence of a header has at most 20 words',
  'door names above the limit': 'the doors export at most 150 names together',
  'index files with more than re-exports': 'an index.ts only re-exports, on at most 60 lines',
  'test scaffolding in product folders': 'no test scaffolding lies in the folders of the product',
  'retired words in names': 'no file, folder or exported name uses a retired word',
}

for (const [rule, sentence] of Object.entries(sentences) as readonly [HouseRule, string][]) {
  test(sentence, () => {
    expect(ratchetProblems(houseFindings[rule](sources), ratchet[rule])).toEqual([])
  })
}

test('the ratchet holds figures of rules that exist, and none of zero', () => {
  expect(Object.keys(ratchet).filter((rule) => !(rule in houseFindings))).toEqual([])
  expect(
    Object.values(ratchet)
      .flatMap((figures) => Object.values(figures))
      .filter((figure) => figure < 1),
  ).toEqual([])
})

test('a cycle that is allowed exists, has at most three files of one folder, and a reason', () => {
  const cycles = fileCycles(sources, 'types').map((files) => files.join())
  for (const { files, reason } of allowedTypeCycles) {
    expect(cycles).toContain(files.toSorted().join())
    expect(files.length).toBeLessThanOrEqual(3)
    expect(new Set(files.map((file) => file.slice(0, file.lastIndexOf('/')))).size).toBe(1)
    expect(reason).not.toBe('')
  }
  expect(allowedTypeCycles.length).toBeLessThanOrEqual(cycles.length)
})

test('every unit of conformance has a side, so that a new or renamed one is not forgotten', () => {
  expect(Object.keys(conformanceSides).sort()).toEqual([...unitsOf('conformance')].sort())
})

test('the machine of the mock and what it must not import exist', () => {
  expect(unitsOf('mock-server')).toEqual(expect.arrayContaining([mockMachine, ...aroundMockMachine]))
})

test('a command loads the suite, the mock and the reports when it needs them, never at its start', () => {
  const byPath = new Map(sources.map((source) => [source.path, source]))
  const loaded = new Set(['cli/bin.ts'])
  for (const path of loaded) {
    for (const { target, kind } of byPath.get(path)?.imports ?? []) if (kind === 'load') loaded.add(target)
  }
  expect(loaded).toContain('cli/commands/mock.ts')
  expect([...loaded].filter((path) => !['cli', 'spec'].includes(topFolder(path)))).toEqual([])
})

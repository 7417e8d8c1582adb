/** Tests the metrics that the structure tests rest on, with small sources that show what each must see. */
import { expect, test } from 'vitest'
import { cyclesOf, graphOf } from '../../scripts/metrics/cycles.ts'
import { judgeImportsOfProbes, machineImportsOfShell } from '../../scripts/metrics/directions.ts'
import { needlessExports, unusedDoorNames } from '../../scripts/metrics/export-usage.ts'
import { functionLengths } from '../../scripts/metrics/function-lengths.ts'
import { firstSentence, wordCount } from '../../scripts/metrics/header-sentence.ts'
import { houseFindings } from '../../scripts/metrics/house-findings.ts'
import { fileCycles, unitCycles } from '../../scripts/metrics/import-cycles.ts'
import { metricsLists, metricsTable } from '../../scripts/metrics/metrics-text.ts'
import { measure, spreadOf } from '../../scripts/metrics/part-figures.ts'
import { loweredRatchet, ratchetProblems } from '../../scripts/metrics/ratchet.ts'
import { retiredNames, wordsOf } from '../../scripts/metrics/retired-words.ts'
import { parseSource, type SourceFile } from '../../scripts/metrics/source-file.ts'
import { partOf, unitOf } from '../../scripts/metrics/source-tree.ts'

const sourcesOf = (files: Readonly<Record<string, string>>): readonly SourceFile[] =>
  Object.entries(files).map(([path, text]) => parseSource(path, text))

test('imports are told apart by when they run', () => {
  const { imports } = parseSource(
    'cli/a.ts',
    `import { one, two as other } from './load.ts'
import type { T } from './types.ts'
import { type U } from './kept.ts'
import './effect.ts'
import * as whole from '../spec/whole.ts'
export { three } from './passed-on.ts'
export type { V } from './passed-type.ts'
const { four, five: renamed } = await import('./lazy.ts')
const loaded = await import('./member.ts')
loaded.six()
const seven = (await import('./direct.ts')).seven
const show = (value: import('./inline.ts').Inline, { eight }: typeof import('./shape.ts')) => import('./any.ts')
`,
  )
  expect(imports.map(({ target, kind, names }) => [target, kind, names])).toEqual([
    ['cli/load.ts', 'load', ['one', 'two']],
    ['cli/types.ts', 'types', ['T']],
    ['cli/kept.ts', 'load', ['U']],
    ['cli/effect.ts', 'load', []],
    ['spec/whole.ts', 'load', 'all'],
    ['cli/passed-on.ts', 'load', ['three']],
    ['cli/passed-type.ts', 'types', ['V']],
    ['cli/lazy.ts', 'lazy', ['four', 'five']],
    ['cli/member.ts', 'lazy', ['six']],
    ['cli/direct.ts', 'lazy', ['seven']],
    ['cli/inline.ts', 'types', ['Inline']],
    ['cli/shape.ts', 'types', ['eight']],
    ['cli/any.ts', 'lazy', 'mentioned'],
  ])
})

test('exports are named, and those that are passed on are no definitions', () => {
  const { exports, definitions } = parseSource(
    'cli/a.ts',
    `export const a = 1, { b } = object
export function c() {}
export type D = 1
const e = 2
export { e as f }
export { g } from './g.ts'
`,
  )
  expect(exports).toEqual(['a', 'b', 'c', 'D', 'f', 'g'])
  expect(definitions).toEqual(['a', 'b', 'c', 'D', 'f'])
})

test('a file that is not TypeScript is refused', () => {
  expect(() => parseSource('cli/a.ts', 'const = 1')).toThrow(/^cli\/a\.ts: /)
})

test('only re-exports and comments make an index', () => {
  const isIndex = (text: string): boolean => parseSource('cli/index.ts', text).onlyReexports
  expect(isIndex("/** The door. */\n// Why.\nexport { a } from './a.ts'\nexport * from './b.ts'\n")).toBe(true)
  expect(isIndex("import { a } from './a.ts'\nexport { a }\n")).toBe(false)
  expect(isIndex("export { a } from './a.ts'\nexport const b = 1\n")).toBe(false)
})

test('the first sentence ends where another begins or the comment ends', () => {
  expect(firstSentence('\n * Reads a file, e.g. one of\n * version 1.0. Throws.\n ')).toBe(
    'Reads a file, e.g. one of version 1.0.',
  )
  expect(firstSentence(' Reads a file ')).toBe('Reads a file')
  expect(firstSentence('\n * Reads a file\n *\n * Second paragraph.')).toBe('Reads a file')
  expect(parseSource('cli/a.ts', '#!/usr/bin/env node\n/** Starts. Ends. */\n').headerSentence).toBe('Starts.')
  expect(parseSource('cli/a.ts', 'const a = 1 /** Late. */\n').headerSentence).toBe('')
  expect(wordCount('Reads `a.ts` — then → 2 files.')).toBe(5)
})

test('named functions are measured, anonymous ones are not', () => {
  const source = parseSource(
    'cli/a.ts',
    `function one() {}
const two = () => {
  list.map((item) => item)
}
class C {
  three() {
    return 1

  }
}
const object = { four: () => 1 }
`,
  )
  expect(functionLengths(source).toSorted()).toEqual([1, 1, 3, 4])
})

test('cycles are the strongly connected parts of a graph, the biggest first', () => {
  const graph = graphOf([
    ['x', 'y'],
    ['y', 'x'],
    ['y', 'a'],
    ['a', 'b'],
    ['b', 'c'],
    ['c', 'a'],
    ['c', 'd'],
    ['d', 'd'],
  ])
  expect(cyclesOf(graph)).toEqual([
    ['a', 'b', 'c'],
    ['x', 'y'],
  ])
})

test('a type import closes a cycle only when types count, a lazy one closes none between files', () => {
  const sources = sourcesOf({
    'cli/a.ts': "import { b } from './b.ts'\nexport const a = b\n",
    'cli/b.ts': "import type { a } from './a.ts'\nexport const b = 1\n",
    'cli/c.ts': "import { d } from './d.ts'\n",
    'cli/d.ts': "export const d = await import('./c.ts')\n",
  })
  expect(fileCycles(sources, 'load')).toEqual([])
  expect(fileCycles(sources, 'types')).toEqual([['cli/a.ts', 'cli/b.ts']])
})

test('a unit is a folder with the file of its name, and lazy imports bind units', () => {
  const sources = sourcesOf({
    'conformance/har.ts': "import { a } from './trace/a.ts'\n",
    'conformance/har/reader.ts': "import type { B } from '../har.ts'\nexport type C = B\n",
    'conformance/trace/a.ts': "export const a = () => import('../har/reader.ts')\n",
    'conformance/index.ts': "export { a } from './trace/a.ts'\n",
    'conformance/trace/a.test.ts': "import '../index.ts'\n",
  })
  expect(unitCycles(sources, 'conformance', 'load')).toEqual([['har', 'trace']])
  expect(unitOf('conformance/index.ts')).toBeNull()
})

test('an export is needless if no other file takes it; a name that a door passes on is used', () => {
  const sources = sourcesOf({
    'spec/a.ts': 'export const used = 1\nexport const offered = 2\nexport const needless = used\nexport type T = 1\n',
    'spec/index.ts': "export { offered, type T, used } from './a.ts'\n",
    'cli/b.ts':
      "import { used } from '../spec/index.ts'\nimport type { T } from '../spec/index.ts'\nexport const b: T = used\n",
  })
  expect(needlessExports(sources).map(({ name }) => name)).toEqual(['needless', 'b'])
  expect(unusedDoorNames(sources).map(({ name }) => name)).toEqual(['offered'])
})

test('the judge may not import a probe, nor the machine the admin API, not even as a type', () => {
  const sources = sourcesOf({
    'conformance/judge/oracles/a.ts':
      "import type { P } from '../../probes/p.ts'\nimport { b } from '../../trace/b.ts'\n",
    'conformance/probes/p.ts': "import { a } from '../judge/oracles/a.ts'\n",
    'mock-server/machine/m.ts': "import { reasons } from '../admin/reasons.ts'\nimport { c } from '../clock/c.ts'\n",
    'mock-server/admin/reasons.ts': "import { m } from '../machine/m.ts'\n",
  })
  expect(judgeImportsOfProbes(sources)).toEqual(['conformance/judge/oracles/a.ts imports conformance/probes/p.ts'])
  expect(machineImportsOfShell(sources)).toEqual(['mock-server/machine/m.ts imports mock-server/admin/reasons.ts'])
})

test('retired words are found in files, folders and definitions, whatever their case and number', () => {
  expect(wordsOf('toldTime')).toEqual(['told', 'time'])
  expect(wordsOf('HTTPDoor2-x')).toEqual(['http', 'door', 'x'])
  const sources = sourcesOf({
    'conformance/staging/stage-2.ts': 'export interface ShellSeams {}\nexport const stagedTime = 1\n',
    'conformance/index.ts': "export { ShellSeams } from './staging/stage-2.ts'\n",
  })
  expect(retiredNames(sources)).toEqual([
    { word: 'staging', place: 'conformance/staging' },
    { word: 'stage', place: 'conformance/staging/stage-2.ts' },
    { word: 'seam', place: 'conformance/staging/stage-2.ts: ShellSeams' },
  ])
})

test('files count for one part each, and what only tests use counts for the tests', () => {
  expect(partOf('cli/app.ts')).toBe('cli')
  expect(partOf('mock-server/test-talk.ts')).toBe('tests')
  expect(partOf('conformance/oracles/threads.cases.ts')).toBe('tests')
  expect(partOf('conformance/trace-notation/prove.ts')).toBe('tests')
  expect(partOf('cli/app.test.ts')).toBe('tests')
  expect(partOf('test/acs-in-process.ts')).toBe('tests')
  expect(partOf('bench/test-suite.ts')).toBe('bench+scripts')
})

test('scaffolding, long headers and an index with logic are found', () => {
  const sources = sourcesOf({
    'cli/test-a.ts': '/** Helps. */\n',
    'cli/b.ts': `/** ${'word '.repeat(21)}*/\nimport { test } from 'vitest'\n`,
    'cli/index.ts': '/** Computes. */\nexport const a = 1\n',
    'cli/c.test.ts': "/** Tests. */\nimport { test } from 'vitest'\n",
  })
  expect(houseFindings['test scaffolding in product folders'](sources)).toEqual({ cli: ['cli/test-a.ts', 'cli/b.ts'] })
  expect(houseFindings['first sentence of the header too long'](sources)).toEqual({ cli: ['cli/b.ts: 21 words'] })
  expect(houseFindings['index files with more than re-exports'](sources)).toEqual({
    cli: ['cli/index.ts: more than re-exports'],
  })
})

test('a ratchet refuses more findings than allowed, and asks to be lowered when there are fewer', () => {
  expect(ratchetProblems({ cli: ['a'] }, { cli: 1 })).toEqual([])
  expect(ratchetProblems({ cli: ['a', 'b'] }, { cli: 1 })).toEqual(['cli: 2, allowed 1:', '  a', '  b'])
  expect(ratchetProblems({ cli: ['a'] })).toEqual(['cli: 1, allowed 0:', '  a'])
  expect(ratchetProblems({}, { cli: 2 })).toEqual(['cli: only 0 of 2 left: run `npm run metrics -- --lower`'])
})

test('lowering a ratchet raises no figure and drops those at zero', () => {
  const sources = sourcesOf({ 'cli/test-a.ts': '/** Helps. */\n', 'cli/test-b.ts': '/** Helps. */\n' })
  const rule = 'test scaffolding in product folders'
  expect(loweredRatchet(sources, { [rule]: { cli: 5, spec: 1 } })).toEqual({ [rule]: { cli: 2 } })
  expect(loweredRatchet(sources, { [rule]: { cli: 1 } })).toEqual({ [rule]: { cli: 1 } })
  expect(loweredRatchet(sources, {})).toEqual({})
})

test('figures of the product and of the total add up those of their parts', () => {
  const figures = measure(
    sourcesOf({
      'spec/a.ts': '/** One two. */\nexport const a = () => 1\n',
      'cli/b.ts': "/** One two three. */\nimport { a } from '../spec/a.ts'\n",
      'test/c.ts': '/** One. */\n',
    }),
  )
  const of = (name: string) => figures.find((found) => found.name === name)
  expect(of('product')).toMatchObject({ files: 2, lines: 4, longestHeader: { words: 3, path: 'cli/b.ts' } })
  expect(of('total')).toMatchObject({ files: 3, lines: 5, functionLines: { median: 1, p90: 1, max: 1 } })
  expect(spreadOf([5, 1, 2, 3, 4, 6, 7, 8, 9, 10])).toEqual({ median: 5, p90: 9, max: 10 })
})

test('the table has a row for each part, and the lists name what closes a cycle of folders', () => {
  const sources = sourcesOf({
    'spec/gaps/a.ts': "/** One two. */\nimport { b } from '../schemas/b.ts'\nexport const a = b\n",
    'spec/schemas/b.ts': "/** One. */\nimport type { a } from '../gaps/a.ts'\nexport const b = 1\n",
  })
  const figures = measure(sources)
  const rows = metricsTable(figures).split('\n')
  expect(rows[2]).toBe(
    '| spec | 2 | 6 | 3 · 3 · 3 | 0 · 0 · 0 | 0 / 1 (2) | 0 / 1 (2) | 0 | 0 (0) | 2 (spec/gaps/a.ts) |',
  )
  expect(rows.slice(2, 12).map((row) => row.split(' ')[1])).toEqual(figures.map(({ name }) => name))
  expect(metricsLists(figures, sources)).toContain(`## Folder cycles with types

- spec: gaps ↔ schemas
  - spec/gaps/a.ts → spec/schemas/b.ts (load: b)
  - spec/schemas/b.ts → spec/gaps/a.ts (types: a)`)
})

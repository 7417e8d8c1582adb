/** Computes what breaks a structural house rule today, rule by rule and grouped by the part of the repository. */
import { judgeImportsOfProbes, machineImportsOfShell } from './directions.ts'
import { wordCount } from './header-sentence.ts'
import { type Depth, fileCycles, unitCycles } from './import-cycles.ts'
import { retiredNames } from './retired-words.ts'
import type { SourceFile } from './source-file.ts'
import { isDoor, isTestSupport, partOf, productFolders } from './source-tree.ts'

/** Group (a part, or a retired word) → what breaks the rule, in words. */
export type Grouped = Readonly<Record<string, readonly string[]>>

const headerWordsMax = 20
const doorNamesMax = 150
const indexLinesMax = 60

/** A cycle with types that is allowed: at most three files of one folder, and why they belong together. */
interface AllowedCycle {
  readonly files: readonly string[]
  readonly reason: string
}

export const allowedTypeCycles: readonly AllowedCycle[] = []

const cycleKey = (files: readonly string[]): string => files.toSorted().join(' ↔ ')

const group = <T>(found: readonly T[], groupOf: (item: T) => string, textOf: (item: T) => string): Grouped => {
  const groups: Record<string, string[]> = {}
  for (const item of found) {
    const name = groupOf(item)
    groups[name] = [...(groups[name] ?? []), textOf(item)]
  }
  return groups
}

const byPart = (sources: readonly SourceFile[], textOf: (source: SourceFile) => string): Grouped =>
  group(sources, ({ path }) => partOf(path), textOf)

const runTimeCycles = (sources: readonly SourceFile[]): Grouped =>
  group(fileCycles(sources, 'load'), (cycle) => partOf(cycle[0] ?? ''), cycleKey)

const typeCycleFiles = (sources: readonly SourceFile[]): Grouped => {
  const allowed = new Set(allowedTypeCycles.map(({ files }) => cycleKey(files)))
  const cycles = fileCycles(sources, 'types').filter((cycle) => !allowed.has(cycleKey(cycle)))
  const files = cycles.flatMap((cycle, index) => cycle.map((file) => ({ file, text: `cycle ${index + 1}: ${file}` })))
  return group(
    files,
    ({ file }) => partOf(file),
    ({ text }) => text,
  )
}

const foldersInCycles = (sources: readonly SourceFile[], depth: Depth): Grouped =>
  group(
    productFolders.flatMap((folder) =>
      unitCycles(sources, folder, depth)
        .flat()
        .map((unit) => ({ folder, unit })),
    ),
    ({ folder }) => folder,
    ({ unit }) => unit,
  )

const longHeaders = (sources: readonly SourceFile[]): Grouped =>
  byPart(
    sources.filter(({ headerSentence }) => wordCount(headerSentence) > headerWordsMax),
    ({ path, headerSentence }) => `${path}: ${wordCount(headerSentence)} words`,
  )

const doorNames = (sources: readonly SourceFile[]): readonly string[] =>
  sources.filter(({ path }) => isDoor(path)).flatMap(({ path, exports }) => exports.map((name) => `${path}: ${name}`))

const indexesWithLogic = (sources: readonly SourceFile[]): Grouped =>
  byPart(
    sources
      .filter(({ path }) => path.endsWith('/index.ts'))
      .filter(({ onlyReexports, lines }) => !onlyReexports || lines > indexLinesMax),
    ({ path, onlyReexports, lines }) => `${path}: ${onlyReexports ? `${lines} lines` : 'more than re-exports'}`,
  )

/** What teams use inside their own tests. */
const vitestDoors = new Set(['conformance/vitest.ts', 'mock-server/skins/vitest.ts'])

const isScaffolding = ({ path, packages }: SourceFile): boolean =>
  isTestSupport(path) || (partOf(path) !== 'tests' && packages.includes('vitest') && !vitestDoors.has(path))

const scaffolding = (sources: readonly SourceFile[]): Grouped =>
  group(
    sources.filter(isScaffolding),
    ({ path }) => path.split('/')[0] ?? '',
    ({ path }) => path,
  )

/** Rule → its findings. The names are the keys of test/house/ratchet.json. */
export const houseFindings = {
  'run-time import cycles': runTimeCycles,
  'files in import cycles with types': typeCycleFiles,
  'folders in run-time cycles': (sources) => foldersInCycles(sources, 'load'),
  'folders in cycles with types': (sources) => foldersInCycles(sources, 'types'),
  'judge imports probes': (sources) => ({ conformance: judgeImportsOfProbes(sources) }),
  'machine imports admin or faults': (sources) => ({ 'mock-server': machineImportsOfShell(sources) }),
  'first sentence of the header too long': longHeaders,
  'door names above the limit': (sources) => ({ doors: doorNames(sources).slice(doorNamesMax) }),
  'index files with more than re-exports': indexesWithLogic,
  'test scaffolding in product folders': scaffolding,
  'retired words in names': (sources) =>
    group(
      retiredNames(sources),
      ({ word }) => word,
      ({ place }) => place,
    ),
} as const satisfies Readonly<Record<string, (sources: readonly SourceFile[]) => Grouped>>

export type HouseRule = keyof typeof houseFindings

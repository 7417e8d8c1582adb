/** Measures each part of the repository: sizes, cycles, exports and headers. */
import { needlessExports, unusedDoorNames } from './export-usage.ts'
import { functionLengths } from './function-lengths.ts'
import { wordCount } from './header-sentence.ts'
import { type Depth, fileCycles, unitCycles } from './import-cycles.ts'
import type { SourceFile } from './source-file.ts'
import { isDoor, type Part, partOf, parts, productFolders } from './source-tree.ts'

/** Median, 90th percentile (nearest rank) and maximum. */
export interface Spread {
  readonly median: number
  readonly p90: number
  readonly max: number
}

export type Cycles = Readonly<Record<Depth, readonly (readonly string[])[]>>

export interface Figures {
  readonly name: string
  readonly files: number
  readonly lines: number
  readonly fileLines: Spread
  readonly functionLines: Spread
  readonly fileCycles: Cycles
  /** Cycles between the second-level units of one product folder. */
  readonly folderCycles: Cycles
  /** Names that no other file uses, as `path: name`. */
  readonly needlessExports: readonly string[]
  readonly doorNames: number
  /** Names of the doors that nothing in the repository imports, as `path: name`. */
  readonly unusedDoorNames: readonly string[]
  readonly longestHeader: { readonly words: number; readonly path: string }
}

const rank = (sorted: readonly number[], share: number): number =>
  sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0

export const spreadOf = (numbers: readonly number[]): Spread => {
  const sorted = numbers.toSorted((a, b) => a - b)
  return { median: rank(sorted, 0.5), p90: rank(sorted, 0.9), max: sorted.at(-1) ?? 0 }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)

const longestHeader = (sources: readonly SourceFile[]): Figures['longestHeader'] =>
  sources
    .map(({ path, headerSentence }) => ({ path, words: wordCount(headerSentence) }))
    .reduce((longest, header) => (header.words > longest.words ? header : longest), { path: '', words: 0 })

/** What is found in the whole repository, to be split by part. */
interface Found {
  readonly fileCycles: Cycles
  readonly needless: readonly { readonly path: string; readonly name: string }[]
  readonly unusedDoorNames: readonly { readonly path: string; readonly name: string }[]
  readonly functions: ReadonlyMap<string, readonly number[]>
}

const both = <T>(found: (depth: Depth) => T): Readonly<Record<Depth, T>> => ({
  load: found('load'),
  types: found('types'),
})

const findAll = (sources: readonly SourceFile[]): Found => ({
  fileCycles: both((depth) => fileCycles(sources, depth)),
  needless: needlessExports(sources),
  unusedDoorNames: unusedDoorNames(sources),
  functions: new Map(sources.map((source) => [source.path, functionLengths(source)])),
})

const figuresOf = (name: string, members: readonly Part[], all: readonly SourceFile[], found: Found): Figures => {
  const isMember = (path: string | undefined): boolean => members.includes(partOf(path ?? ''))
  const sources = all.filter(({ path }) => isMember(path))
  const inMembers = (names: Found['needless']): readonly string[] =>
    names.filter(({ path }) => isMember(path)).map(({ path, name: exported }) => `${path}: ${exported}`)
  const folders = productFolders.filter((folder) => members.includes(folder))
  return {
    name,
    files: sources.length,
    lines: sum(sources.map(({ lines }) => lines)),
    fileLines: spreadOf(sources.map(({ lines }) => lines)),
    functionLines: spreadOf(sources.flatMap(({ path }) => found.functions.get(path) ?? [])),
    fileCycles: both((depth) => found.fileCycles[depth].filter(([path]) => isMember(path))),
    folderCycles: both((depth) => folders.flatMap((folder) => unitCycles(all, folder, depth))),
    needlessExports: inMembers(found.needless),
    doorNames: sum(sources.filter(({ path }) => isDoor(path)).map(({ exports }) => exports.length)),
    unusedDoorNames: inMembers(found.unusedDoorNames),
    longestHeader: longestHeader(sources),
  }
}

/** Figures of each product folder, of the product, of the tests, of bench and scripts, and of all together. */
export const measure = (sources: readonly SourceFile[]): readonly Figures[] => {
  const found = findAll(sources)
  const of = (name: string, members: readonly Part[]): Figures => figuresOf(name, members, sources, found)
  return [
    ...productFolders.map((folder) => of(folder, [folder])),
    of('product', productFolders),
    of('tests', ['tests']),
    of('bench+scripts', ['bench+scripts']),
    of('total', parts),
  ]
}

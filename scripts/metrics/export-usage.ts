/** Finds exported names that no other file imports. */
import type { Import } from './import.ts'
import type { SourceFile } from './source-file.ts'
import { isDoor } from './source-tree.ts'

interface UnusedExport {
  readonly path: string
  readonly name: string
}

type Uses = ReadonlyMap<string, ReadonlySet<string>>

const namesTaken = ({ text }: SourceFile, { names }: Import, offered: readonly string[]): readonly string[] => {
  if (names === 'all') return offered
  if (names !== 'mentioned') return names
  const words = new Set(text.match(/[\w$]+/g))
  return offered.filter((name) => words.has(name))
}

/** File → names of it that some other file imports or passes on. */
const usesOf = (sources: readonly SourceFile[]): Uses => {
  const exported = new Map(sources.map(({ path, exports }) => [path, exports]))
  const uses = new Map<string, Set<string>>()
  for (const source of sources) {
    for (const found of source.imports) {
      const used = uses.get(found.target) ?? new Set<string>()
      for (const name of namesTaken(source, found, exported.get(found.target) ?? [])) used.add(name)
      uses.set(found.target, used)
    }
  }
  return uses
}

const unusedIn = (sources: readonly SourceFile[], isAskedFor: (path: string) => boolean): readonly UnusedExport[] => {
  const uses = usesOf(sources)
  return sources
    .filter(({ path }) => isAskedFor(path))
    .flatMap(({ path, exports }) => exports.map((name) => ({ path, name })))
    .filter(({ path, name }) => uses.get(path)?.has(name) !== true)
}

/** Files that the package offers beside its doors. */
const publicFiles = new Set([
  'conformance/vitest.ts',
  'spec/client/index.ts',
  ...['msw', 'playwright', 'storybook', 'vitest'].map((name) => `mock-server/skins/${name}.ts`),
])

/** Names that are exported and that no other file uses; doors and other files of the public API are left out. */
export const needlessExports = (sources: readonly SourceFile[]): readonly UnusedExport[] =>
  unusedIn(sources, (path) => !isDoor(path) && !publicFiles.has(path))

/** Names of the doors that nothing in the repository imports, tests included. */
export const unusedDoorNames = (sources: readonly SourceFile[]): readonly UnusedExport[] => unusedIn(sources, isDoor)

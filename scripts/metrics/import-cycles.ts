/**
 * Finds import cycles between files, and between the second-level units of one product folder.
 * `load` follows imports that run; `types` follows type imports as well. An `import()` is followed by neither for
 * files, because it runs after both are loaded, and by both for units, because it is a dependency all the same.
 */
import { cyclesOf, graphOf } from './cycles.ts'
import type { Import } from './import.ts'
import type { SourceFile } from './source-file.ts'
import { isProduct, type ProductFolder, topFolder, unitOf } from './source-tree.ts'

export type Depth = 'load' | 'types'

type Cycle = readonly string[]

const isFollowed = (depth: Depth, { kind }: Import): boolean =>
  kind === 'load' || (kind === 'types' && depth === 'types')

/** Import cycles between files. */
export const fileCycles = (sources: readonly SourceFile[], depth: Depth): readonly Cycle[] =>
  cyclesOf(
    graphOf(
      sources.flatMap(({ path, imports }) =>
        imports.filter((found) => isFollowed(depth, found)).map(({ target }) => [path, target] as const),
      ),
    ),
  )

/** An import by the file `path` that crosses from one unit of a product folder to another. */
interface UnitImport {
  readonly from: string
  readonly to: string
  readonly path: string
  readonly found: Import
}

/** Imports of product code between the units of one product folder. */
export const unitImports = (sources: readonly SourceFile[], folder: ProductFolder): readonly UnitImport[] =>
  sources
    .filter(({ path }) => isProduct(path) && topFolder(path) === folder)
    .flatMap(({ path, imports }) => {
      const from = unitOf(path)
      return imports.flatMap((found) => {
        const to = topFolder(found.target) === folder ? unitOf(found.target) : null
        return from === null || to === null || from === to ? [] : [{ from, to, path, found }]
      })
    })

/** Cycles between the units of one product folder; `index.ts` is no unit. */
export const unitCycles = (sources: readonly SourceFile[], folder: ProductFolder, depth: Depth): readonly Cycle[] =>
  cyclesOf(
    graphOf(
      unitImports(sources, folder)
        .filter(({ found }) => found.kind !== 'types' || depth === 'types')
        .map(({ from, to }) => [from, to] as const),
    ),
  )

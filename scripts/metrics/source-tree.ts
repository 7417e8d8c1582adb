/** Reads and parses every hand-written TypeScript file of the repository, and says which part each belongs to. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSource, type SourceFile } from './source-file.ts'

export const productFolders = ['spec', 'generators', 'mock-server', 'conformance', 'reports', 'cli'] as const
export type ProductFolder = (typeof productFolders)[number]
/** The parts that figures are given for: the product folders, all tests together, the rest together. */
export const parts = [...productFolders, 'tests', 'bench+scripts'] as const
export type Part = (typeof parts)[number]

const otherFolders = ['test', 'bench', 'scripts'] as const
const skippedFolders = new Set(['node_modules', 'fixtures'])

const pathsBelow = (root: string, folder: string): readonly string[] =>
  readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`
    if (entry.isDirectory()) return skippedFolders.has(entry.name) ? [] : pathsBelow(root, path)
    return path.endsWith('.ts') && !path.endsWith('.generated.ts') ? [path] : []
  })

/** Every source file below the folders of the repository at `root`, parsed; `index.ts` at the top is left out. */
export const readSources = (root: string): readonly SourceFile[] =>
  [...productFolders, ...otherFolders]
    .flatMap((folder) => pathsBelow(root, folder))
    .map((path) => parseSource(path, readFileSync(join(root, path), 'utf8')))

/** The first folder of a path. */
export const topFolder = (path: string): string => path.split('/')[0] ?? ''

const isProductFolder = (folder: string): folder is ProductFolder =>
  (productFolders as readonly string[]).includes(folder)

/** True below a product folder, tests included. */
const isInProductFolder = (path: string): boolean => isProductFolder(topFolder(path))

/** True for code in a product folder that only tests use, beside the `*.test.ts` files themselves. */
export const isTestSupport = (path: string): boolean =>
  isInProductFolder(path) && /(^|\/)(test-[^/]*|[^/]*\.cases|trace-notation([./].*)?)\.ts$/.test(path)

/** The part that a file's figures count for. */
export const partOf = (path: string): Part => {
  const folder = topFolder(path)
  if (path.endsWith('.test.ts') || folder === 'test' || isTestSupport(path)) return 'tests'
  return isProductFolder(folder) ? folder : 'bench+scripts'
}

/** True for hand-written code that is neither a test nor test support. */
export const isProduct = (path: string): boolean => isProductFolder(partOf(path))

/**
 * The second-level unit of a file: `judging` for `conformance/judging/judge.ts`. A file beside a folder of its name
 * belongs to the folder's unit. The `index.ts` of a product folder belongs to none.
 */
export const unitOf = (path: string): string | null => {
  const name = (path.split('/')[1] ?? '').replace(/\.ts$/, '')
  return isInProductFolder(path) && name !== 'index' ? name : null
}

/** `conformance/index.ts` and its like: what a product folder offers to the others. */
export const isDoor = (path: string): boolean =>
  isInProductFolder(path) && path.endsWith('/index.ts') && path.split('/').length === 2

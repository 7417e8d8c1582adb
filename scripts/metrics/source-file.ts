/**
 * Reads the imports, the exports and the header of one TypeScript file.
 * Its syntax tree is not built, which takes most of a parser's time: the metrics of imports are also house tests.
 */
import { posix } from 'node:path'
import { parseSync, type Span } from 'oxc-parser'
import { firstSentence } from './header-sentence.ts'
import type { Import, ImportKind } from './import.ts'
import { inlineImports } from './inline-imports.ts'

export interface SourceFile {
  readonly path: string
  readonly text: string
  readonly lines: number
  /** The first sentence of the header comment; empty if there is none. */
  readonly headerSentence: string
  /** Imports of other files of the repository, re-exports among them. */
  readonly imports: readonly Import[]
  /** Names of packages and built-in modules that the file imports. */
  readonly packages: readonly string[]
  /** Every name that the file exports. */
  readonly exports: readonly string[]
  /** Those of the exported names that the file defines itself. */
  readonly definitions: readonly string[]
  /** True if nothing stands in the file but `export … from` and comments. */
  readonly onlyReexports: boolean
}

type Parsed = ReturnType<typeof parseSync>
type TargetOf = (specifier: string) => string

const isRelative = (specifier: string): boolean => specifier.startsWith('.')

const kindOf = (text: string, { start }: Span): ImportKind =>
  /^(import|export)\s+type\s+(\{|\*|\w+\s+from\b)/.test(text.slice(start, start + 200)) ? 'types' : 'load'

const namesOr = (names: readonly (string | null)[]): Import['names'] => {
  const known = names.filter((name) => name !== null)
  return known.length === names.length ? known : 'all'
}

const importStatements = (text: string, { module }: Parsed, targetOf: TargetOf): readonly Import[] =>
  module.staticImports
    .filter(({ moduleRequest }) => isRelative(moduleRequest.value))
    .map((statement) => ({
      target: targetOf(statement.moduleRequest.value),
      kind: kindOf(text, statement),
      names: namesOr(statement.entries.map(({ importName }) => importName.name)),
    }))

const reexportStatements = (text: string, { module }: Parsed, targetOf: TargetOf): readonly Import[] =>
  module.staticExports.flatMap((statement) => {
    const specifier = statement.entries[0]?.moduleRequest?.value
    if (specifier === undefined || !isRelative(specifier)) return []
    const names = namesOr(statement.entries.map(({ importName }) => importName.name))
    return [{ target: targetOf(specifier), kind: kindOf(text, statement), names }]
  })

const withoutSpans = (text: string, spans: readonly Span[]): string => {
  const pieces: string[] = []
  let from = 0
  for (const { start, end } of spans.toSorted((a, b) => a.start - b.start)) {
    pieces.push(text.slice(from, start))
    from = Math.max(from, end)
  }
  return [...pieces, text.slice(from)].join('')
}

const holdsOnlyReexports = (text: string, { comments, module }: Parsed): boolean => {
  const reexports = module.staticExports.filter(({ entries }) => entries.every(({ moduleRequest }) => moduleRequest))
  return withoutSpans(text, [...comments, ...reexports]).replaceAll(/[;\s]/g, '') === ''
}

const headerOf = (text: string): string => /^(?:#!.*\n)?\/\*\*(.*?)\*\//s.exec(text)?.[1] ?? ''

/** Parses the text of the file at `path`; throws if it is not TypeScript. */
export const parseSource = (path: string, text: string): SourceFile => {
  const parsed = parseSync(path, text)
  const { errors, module } = parsed
  if (errors[0] !== undefined) throw new Error(`${path}: ${errors[0].message}`)
  const targetOf: TargetOf = (specifier) => posix.join(posix.dirname(path), specifier)
  const lazyStarts = new Set(module.dynamicImports.map(({ moduleRequest }) => moduleRequest.start))
  const exported = module.staticExports.flatMap(({ entries }) => entries)
  const nameOf = ({ exportName }: (typeof exported)[number]): string | readonly never[] => exportName.name ?? []
  return {
    path,
    text,
    lines: text.split('\n').length - 1,
    headerSentence: firstSentence(headerOf(text)),
    imports: [
      ...importStatements(text, parsed, targetOf),
      ...reexportStatements(text, parsed, targetOf),
      ...inlineImports(text, lazyStarts, targetOf),
    ],
    packages: module.staticImports.map(({ moduleRequest }) => moduleRequest.value).filter((name) => !isRelative(name)),
    exports: exported.flatMap(nameOf),
    definitions: exported.filter(({ moduleRequest }) => moduleRequest === null).flatMap(nameOf),
    onlyReexports: holdsOnlyReexports(text, parsed),
  }
}

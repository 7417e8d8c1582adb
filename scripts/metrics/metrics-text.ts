/** Renders the figures as a Markdown table, and what is behind them as lists. */
import { unitImports } from './import-cycles.ts'
import type { Cycles, Figures, Spread } from './part-figures.ts'
import type { SourceFile } from './source-file.ts'
import { productFolders } from './source-tree.ts'

const spreadText = ({ median, p90, max }: Spread): string => `${median} · ${p90} · ${max}`

const cyclesText = ({ load, types }: Cycles): string => {
  const text = (cycles: readonly (readonly string[])[]): string =>
    cycles.length === 0 ? '0' : `${cycles.length} (${cycles.map(({ length }) => length).join(', ')})`
  return `${text(load)} / ${text(types)}`
}

const columns: readonly (readonly [string, (figures: Figures) => string | number])[] = [
  ['part', ({ name }) => name],
  ['files', ({ files }) => files],
  ['lines', ({ lines }) => lines],
  ['file lines¹', ({ fileLines }) => spreadText(fileLines)],
  ['function lines¹', ({ functionLines }) => spreadText(functionLines)],
  ['file cycles²', ({ fileCycles }) => cyclesText(fileCycles)],
  ['folder cycles²', ({ folderCycles }) => cyclesText(folderCycles)],
  ['needless exports³', ({ needlessExports }) => needlessExports.length],
  ['door names (unused)⁴', ({ doorNames, unusedDoorNames }) => `${doorNames} (${unusedDoorNames.length})`],
  ['longest header⁵', ({ longestHeader: { words, path } }) => `${words} (${path})`],
]

const footnotes = `¹ median · 90th percentile · maximum; functions that have a name
² number (sizes), at run time / with types; folders are the second-level units of one product folder
³ exported and used by no other file; doors are not asked
⁴ exported by index.ts of the product folders (imported by nothing in the repository, tests included)
⁵ words in the first sentence of a header comment`

const row = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`

/** A Markdown table with a row for each part. */
export const metricsTable = (figures: readonly Figures[]): string =>
  [
    row(columns.map(([title]) => title)),
    row(columns.map((_, index) => (index === 0 ? '---' : '--:'))),
    ...figures.map((of) => row(columns.map(([, cell]) => cell(of)))),
    '',
    footnotes,
  ].join('\n')

const list = (title: string, items: readonly string[]): readonly string[] =>
  items.length === 0 ? [] : ['', `## ${title}`, '', ...items.map((item) => item.replace(/^ */, '$&- '))]

const folderCycleItems = (sources: readonly SourceFile[], { name, folderCycles }: Figures): readonly string[] => {
  const folder = productFolders.find((known) => known === name)
  if (folder === undefined) return []
  const edges = unitImports(sources, folder)
  return folderCycles.types.flatMap((units) => [
    `${name}: ${units.join(' ↔ ')}`,
    ...edges
      .filter(({ from, to }) => units.includes(from) && units.includes(to))
      .map(
        ({ path, found: { target, kind, names } }) => `  ${path} → ${target} (${kind}: ${[names].flat().join(', ')})`,
      ),
  ])
}

/** What the figures count: cycles with the imports that close them, needless exports, unused names of doors. */
export const metricsLists = (figures: readonly Figures[], sources: readonly SourceFile[]): string => {
  const total = figures.at(-1)
  if (total === undefined) return ''
  const cycleTexts = (cycles: readonly (readonly string[])[]): readonly string[] =>
    cycles.map((files) => files.join(' ↔ '))
  return [
    ...list('File cycles at run time', cycleTexts(total.fileCycles.load)),
    ...list('File cycles with types', cycleTexts(total.fileCycles.types)),
    ...list(
      'Folder cycles with types',
      figures.flatMap((of) => folderCycleItems(sources, of)),
    ),
    ...list('Needless exports', total.needlessExports),
    ...list('Door names that nothing imports', total.unusedDoorNames),
  ].join('\n')
}

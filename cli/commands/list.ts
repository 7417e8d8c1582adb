/** `acs list <kind>`: what the contract says, or the mock's deviations, variants and faults, a line each. */
import { Argument, Command } from 'commander'
import type { CommandFactory } from '../command-factory.ts'
import { usageFailure } from '../failure.ts'
import { renderTable } from '../table.ts'

const kinds = ['requirements', 'gaps', 'operations', 'deviations', 'variants', 'faults'] as const
type Kind = (typeof kinds)[number]

interface ListOptions {
  readonly json?: true
  readonly chapter?: string
}

export const listCommand: CommandFactory = (terminal) =>
  new Command('list')
    .description('list what the contract says, or the deviations, variants and faults of the mock')
    .addArgument(new Argument('<kind>', 'what to list').choices(kinds))
    .option('--chapter <name>', 'only this chapter, for example pagination')
    .option('--json', 'print complete rows as JSON')
    .action(async (kind: Kind, options: ListOptions) => {
      const all = await rowsOf(kind)
      const rows = all.filter(({ chapter }) => options.chapter === undefined || chapter === options.chapter)
      if (rows.length === 0) {
        const chapters = [...new Set(all.map(({ chapter }) => chapter))].join(', ')
        throw usageFailure(
          `--chapter ${options.chapter}: ${kind} has no chapter ${JSON.stringify(options.chapter)}; chapters are ${chapters}`,
        )
      }
      terminal.out(
        options.json === true
          ? `${JSON.stringify(
              rows.map(({ row }) => row),
              null,
              2,
            )}\n`
          : renderTable(rows.map(({ cells }) => cells)),
      )
    })

interface ListedRow {
  readonly id: string
  readonly chapter: string
  readonly row: unknown
  readonly cells: readonly string[]
}

const rowsOf = async (kind: Kind): Promise<readonly ListedRow[]> =>
  kind === 'requirements' || kind === 'gaps' || kind === 'operations' ? contractRows(kind) : mockRows(kind)

const mockRows = async (kind: 'deviations' | 'variants' | 'faults'): Promise<readonly ListedRow[]> => {
  const { createMock, loadDeviations, loadVariants } = await import('../../mock-server/index.ts')
  const listed = (id: string, row: object, ...cells: readonly string[]): ListedRow => ({
    id,
    chapter: id.split('.')[0] ?? '',
    row: { id, ...row },
    cells: [id, ...cells],
  })
  if (kind === 'faults') {
    await using mock = await createMock()
    return mock.faults.faultCatalogue().map(({ name, scope, description, parameters, operations }) => {
      const settings = Object.entries(parameters).map(([field, { preset }]) => `${field}=${preset}`)
      return listed(name, { scope, description, parameters, operations }, scope, settings.join(','), description)
    })
  }
  if (kind === 'variants') {
    return (await loadVariants()).map(({ id, because, description }) =>
      listed(id, { because, description }, description),
    )
  }
  return (await loadDeviations()).deviations.map(({ id, requirement, description }) =>
    listed(id, { requirement, description }, description),
  )
}

const contractRows = async (kind: 'requirements' | 'gaps' | 'operations'): Promise<readonly ListedRow[]> => {
  const spec = await import('../../spec/index.ts')
  switch (kind) {
    case 'requirements':
      return (spec.requirements as readonly import('../../spec/index.ts').Requirement[]).map((row) => ({
        id: row.id,
        chapter: spec.chapterOf(row.id),
        row,
        cells: [row.id, row.level, row.basis, row.excluded === undefined ? row.rule : `(not testable) ${row.rule}`],
      }))
    case 'gaps':
      return (spec.gaps as readonly import('../../spec/index.ts').Gap[]).map((row) => ({
        id: row.id,
        chapter: spec.chapterOf(row.id),
        row,
        cells: [row.id, row.question, `mock: ${row.mockAnswer}`],
      }))
    case 'operations':
      return spec.operationIds.map((id) => {
        const row = spec.operations[id]
        return {
          id,
          chapter: row.chapter,
          row: { id, ...row },
          cells: [
            id,
            row.method,
            row.path ?? '(the file_url of the grant)',
            row.profile === 'reference' ? 'reference profile only' : '',
          ],
        }
      })
  }
}

/** `acs list requirements|gaps|operations`: the law, a line each. */
import { Argument, Command } from 'commander'
import type { CommandFactory } from '../command-factory.ts'
import { renderTable } from '../table.ts'

const kinds = ['requirements', 'gaps', 'operations'] as const
type Kind = (typeof kinds)[number]

interface ListOptions {
  readonly json?: true
  readonly chapter?: string
}

export const listCommand: CommandFactory = (terminal) =>
  new Command('list')
    .description('list the requirements, the gaps or the operations of the contract')
    .addArgument(new Argument('<kind>', 'what to list').choices(kinds))
    .option('--chapter <name>', 'only this chapter, for example pagination')
    .option('--json', 'print whole rows as JSON')
    .action(async (kind: Kind, options: ListOptions) => {
      const rows = (await rowsOf(kind)).filter(
        ({ id, chapter }) =>
          options.chapter === undefined || chapter === options.chapter || id.startsWith(options.chapter),
      )
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

const rowsOf = async (kind: Kind): Promise<readonly ListedRow[]> => {
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
            row.path ?? '(the URL of the grant)',
            row.profile === 'reference' ? 'reference profile only' : '',
          ],
        }
      })
  }
}

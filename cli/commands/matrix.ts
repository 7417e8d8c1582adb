/** `acs matrix REPORT…`: implementations side by side, rule by rule, with their answers to the gaps. */
import { basename, dirname } from 'node:path'
import { Command } from 'commander'
import type { NamedReport } from '../../reports/index.ts'
import { formatOption } from '../arguments.ts'
import type { CommandFactory } from '../command-factory.ts'
import { readReport, writeTo } from '../read-file.ts'

interface MatrixOptions {
  readonly format: 'html' | 'markdown'
  readonly out?: string
}

export const matrixCommand: CommandFactory = (terminal) =>
  new Command('matrix')
    .description('compare implementations: a matrix of rules and of answers to the gaps')
    .argument('<reports...>', 'report.json files, each optionally as name=file')
    .addOption(formatOption(['html', 'markdown'], 'markdown'))
    .option('-o, --out <file>', 'file to write instead of stdout')
    .action(async (files: readonly string[], { format, out }: MatrixOptions) => {
      const { matrixOf, renderMatrixHtml, renderMatrixMarkdown } = await import('../../reports/index.ts')
      const matrix = matrixOf(await Promise.all(files.map(namedReport)))
      writeTo(out, format === 'html' ? renderMatrixHtml(matrix) : renderMatrixMarkdown(matrix), terminal.out)
    })

/** `name=file`, or a file that is called after its folder. */
const namedReport = async (argument: string): Promise<NamedReport> => {
  const [, name, file = argument] = /^([^=/]+)=(.+)$/.exec(argument) ?? []
  const fallback = basename(file) === 'report.json' ? basename(dirname(file)) : basename(file)
  return { name: name ?? fallback, report: await readReport(file) }
}

/** `acs matrix REPORT…`: implementations side by side, rule by rule, with their answers to the gaps. */
import { existsSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
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
      const { matrixForms, matrixOf } = await import('../../reports/index.ts')
      const reports = await Promise.all(files.map((file) => namedReport(file, out)))
      const isDouble = ({ name }: NamedReport) => reports.filter((other) => other.name === name).length > 1
      // Reports of folders that are called alike are told apart by their paths.
      const named = reports.map((report, index) =>
        isDouble(report) ? { ...report, name: files[index] ?? report.name } : report,
      )
      const matrix = matrixOf(named)
      writeTo(out, matrixForms[format](matrix), terminal.out)
    })

/** `name=file`, or a file that is called after its folder. */
const namedReport = async (argument: string, out: string | undefined): Promise<NamedReport> => {
  const [, name, file = argument] = /^([^=/]+)=(.+)$/.exec(argument) ?? []
  const fallback = basename(file) === 'report.json' ? basename(dirname(file)) : basename(file)
  return { name: name ?? fallback, report: await readReport(file), href: pageBeside(file, out) }
}

/** The HTML report beside a report.json, as the page of the matrix names it. */
const pageBeside = (file: string, out: string | undefined): string | undefined => {
  const page = join(dirname(file), 'report.html')
  if (out === undefined || !existsSync(page)) return undefined
  return relative(dirname(out), page).split(/[\\/]/).map(encodeURIComponent).join('/')
}

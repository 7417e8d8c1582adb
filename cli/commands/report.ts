/** `acs report REPORT --format …`: renders a report.json again, in any of the forms. */
import { basename } from 'node:path'
import { Command } from 'commander'
import type { Report } from '../../reports/index.ts'
import { formatOption } from '../arguments.ts'
import type { CommandFactory } from '../command-factory.ts'
import { CommandFailure, exitCodes, usageFailure } from '../failure.ts'
import { readReport, readTraceBeside, writeTo } from '../read-file.ts'
import type { Terminal } from '../terminal.ts'
import { screenOf } from '../write-report.ts'

const renderings = [
  'text',
  'html',
  'markdown',
  'junit',
  'ctrf',
  'sarif',
  'har',
  'badge',
  'annotations',
  'json',
] as const
const languages = ['vitest', 'pytest', 'junit5'] as const
const formats = [...renderings, ...languages] as const
type Format = (typeof formats)[number]
type Language = (typeof languages)[number]

interface ReportOptions {
  readonly format: Format
  readonly out?: string
  readonly target?: string
  readonly artifact?: string
  readonly verbose?: true
}

export const reportCommand: CommandFactory = (terminal) =>
  new Command('report')
    .description(
      'render a report.json as text, HTML, Markdown, JUnit, CTRF, SARIF, HAR, GitHub annotations or a badge, or its failures as tests',
    )
    .argument('<report>', 'report.json of a run')
    .addOption(formatOption(formats, 'text'))
    .option('-o, --out <file>', 'file to write instead of stdout')
    .option('-t, --target <file>', 'target profile of the run, for the printed commands')
    .option('--artifact <file>', 'sarif: repository file to attach the alerts to (default: the target profile)')
    .option('-v, --verbose', 'text: print a curl command for each request of a failure')
    .addHelpText(
      'after',
      `
vitest, pytest and junit5 write one test for each failure, which sends its requests again and fails while the rule is
broken. The tests do not need acs: keys come from ACS_API_KEY and the like, and ACS_BASE_URL selects another server.
Failures that cannot become a test are listed with the reason, on stderr and in the file.

Example: acs report acs-report/report.json --format vitest --out findings.test.ts`,
    )
    .action(async (file: string, { format, out, target, artifact = target, verbose }: ReportOptions) => {
      const report = await readReport(file)
      const reports = await import('../../reports/index.ts')
      const commands = { reportPath: file, targetFile: target }
      if (isLanguage(format)) return writeTests(report, { file, out, language: format }, terminal)
      const screen = out === undefined ? screenOf(terminal) : {}
      const rendered: Readonly<Record<Exclude<Format, Language>, () => string>> = {
        text: () => reports.renderText(report, { ...screen, verbose: verbose === true, ...commands }),
        html: () => reports.renderHtml(report, commands),
        markdown: () => reports.renderMarkdown(report, commands),
        junit: () => reports.renderJunit(report, commands),
        ctrf: () => reports.renderCtrf(report, commands),
        sarif: () => reports.renderSarif(report, { ...commands, ...(artifact === undefined ? {} : { artifact }) }),
        annotations: () => reports.renderAnnotations(report, commands),
        har: () => reports.renderHar(report),
        badge: () => reports.renderBadge(report),
        json: () => reports.serializeReport(report),
      }
      writeTo(out, rendered[format](), terminal.out)
    })

const isLanguage = (format: Format): format is Language => (languages as readonly string[]).includes(format)

interface TestFile {
  /** The report.json. */
  readonly file: string
  readonly out: string | undefined
  readonly language: Language
}

/** Writes a test for each violation; the trace beside the report has the whole requests. */
const writeTests = async (report: Report, { file, out, language }: TestFile, terminal: Terminal): Promise<void> => {
  const name = basename(out ?? 'AcsFindingsTest', '.java')
  if (language === 'junit5' && !/^[A-Za-z]\w*$/.test(name))
    throw usageFailure(
      `report: a Java class must be named like its file; use a name such as --out AcsFindingsTest.java`,
    )
  const { renderFindingTests } = await import('../../reports/index.ts')
  const { replayFileOf } = await import('../../conformance/index.ts')
  const trace = await readTraceBeside(file)
  const { text, tests, left } = renderFindingTests(report, {
    language,
    name,
    exchanges: trace.exchanges,
    replayOf: (verdict, history) => replayFileOf(verdict, trace, history),
  })
  for (const { obligation, reason } of left) terminal.err(`No test for ${obligation}: ${reason}\n`)
  // A script that always asks for the tests must not fail because nothing is wrong.
  if (tests === 0 && left.length === 0) return terminal.err(`${file} contains no violation, so no test was written\n`)
  if (tests === 0) {
    const why = `${file} contains no violation that can become a test, so no test was written`
    throw new CommandFailure(why, { exitCode: exitCodes.data })
  }
  writeTo(out, text, terminal.out)
}

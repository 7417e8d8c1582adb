/** `acs report REPORT --format …`: renders a report.json again, in any of the forms. */
import { Command } from 'commander'
import { formatOption } from '../arguments.ts'
import type { CommandFactory } from '../command-factory.ts'
import { readReport, writeTo } from '../read-file.ts'
import { screenOf } from '../write-report.ts'

const formats = ['text', 'html', 'markdown', 'junit', 'ctrf', 'sarif', 'har', 'badge', 'annotations', 'json'] as const
type Format = (typeof formats)[number]

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
      'render a report.json as text, HTML, Markdown, JUnit, CTRF, SARIF, HAR, annotations of GitHub or a badge',
    )
    .argument('<report>', 'report.json of a run')
    .addOption(formatOption(formats, 'text'))
    .option('-o, --out <file>', 'file to write instead of stdout')
    .option('-t, --target <file>', 'target profile of the run, for the printed commands')
    .option('--artifact <file>', 'sarif: file of the repository that shows the alerts (default: the target profile)')
    .option('-v, --verbose', 'text: print a curl command for each request of a failure')
    .action(async (file: string, { format, out, target, artifact = target, verbose }: ReportOptions) => {
      const report = await readReport(file)
      const reports = await import('../../reports/index.ts')
      const commands = { reportPath: file, targetFile: target }
      const screen = out === undefined ? screenOf(terminal) : {}
      const rendered: Readonly<Record<Format, () => string>> = {
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

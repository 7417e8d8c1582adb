/** `acs report REPORT --format …`: renders a report.json again, in any of the forms. */
import { Command, Option } from 'commander'
import type { CommandFactory } from '../app.ts'
import { readReport, writeTo } from '../read-file.ts'

const formats = ['text', 'html', 'markdown', 'junit', 'ctrf', 'sarif', 'har', 'badge', 'json'] as const
type Format = (typeof formats)[number]

interface ReportOptions {
  readonly format: Format
  readonly out?: string
}

export const reportCommand: CommandFactory = (terminal) =>
  new Command('report')
    .description('render a report.json as text, HTML, Markdown, JUnit, CTRF, SARIF, HAR or a badge')
    .argument('<report>', 'report.json of a run')
    .addOption(new Option('-f, --format <format>', 'form to render').choices(formats).default('text'))
    .option('-o, --out <file>', 'file to write instead of stdout')
    .action(async (file: string, { format, out }: ReportOptions) => {
      const report = await readReport(file)
      const reports = await import('../../reports/index.ts')
      const color = terminal.outColor && out === undefined
      const rendered: Readonly<Record<Format, () => string>> = {
        text: () => reports.renderText(report, { color, reportPath: file }),
        html: () => reports.renderHtml(report),
        markdown: () => reports.renderMarkdown(report, { reportPath: file }),
        junit: () => reports.renderJunit(report),
        ctrf: () => reports.renderCtrf(report),
        sarif: () => reports.renderSarif(report),
        har: () => reports.renderHar(report),
        badge: () => reports.renderBadge(report),
        json: () => reports.serializeReport(report),
      }
      writeTo(out, rendered[format](), terminal.out)
    })

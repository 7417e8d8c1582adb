/** `acs compare OLD NEW`: what was fixed and what broke between two reports; exits 1 when something broke. */
import { Command, Option } from 'commander'
import { formatOption } from '../arguments.ts'
import type { CommandFactory } from '../command-factory.ts'
import { readReport, writeTo } from '../read-file.ts'

interface CompareOptions {
  readonly format: 'text' | 'markdown' | 'json'
  readonly html?: string
  readonly failOn?: 'lost'
}

export const compareCommand: CommandFactory = (terminal, finish) =>
  new Command('compare')
    .description('compare two reports, obligation by obligation')
    .addHelpText(
      'after',
      `
Changes: broken, new, still (failing), unproven (failed, not tested now), lost (passed, not tested now), fixed.
Exit codes: 0 nothing worse, 1 a failure that counts is broken or new (or lost, with --fail-on lost), 64 and above wrong usage.`,
    )
    .argument('<old>', "the earlier run's report.json")
    .argument('<new>', "the later run's report.json")
    .addOption(formatOption(['text', 'markdown', 'json'], 'text'))
    .addOption(
      new Option(
        '--fail-on <what>',
        'lost: also fail when a rule that blocks passed before and is not tested now',
      ).choices(['lost']),
    )
    .option('--html <file>', 'also write the comparison as an HTML page')
    .action(async (before: string, after: string, { format, html, failOn }: CompareOptions) => {
      const reports = await import('../../reports/index.ts')
      const comparison = reports.compareReports(await readReport(before), await readReport(after), { failOn })
      if (format === 'json') terminal.out(`${JSON.stringify(comparison, null, 2)}\n`)
      else if (format === 'markdown') terminal.out(reports.comparisonForms.markdown(comparison))
      else terminal.out(reports.comparisonForms.text(comparison, { color: terminal.outColor }))
      if (html !== undefined) writeTo(html, reports.comparisonForms.html(comparison), terminal.out)
      finish(comparison.exitCode)
    })

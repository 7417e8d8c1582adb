/** `acs merge REPORT…`: puts the reports of sharded runs together, and exits with the outcome of the whole. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { Command } from 'commander'
import type { CommandFactory } from '../app.ts'
import { CommandFailure, exitCodes } from '../failure.ts'
import { readReport, writeTo } from '../read-file.ts'

export const mergeCommand: CommandFactory = (terminal, finish) =>
  new Command('merge')
    .description('merge the reports of sharded runs (acs test --shard i/n) into one')
    .argument('<reports...>', 'report.json files of the shards')
    .option('-o, --out <folder>', 'folder for the merged report', 'acs-report')
    .action(async (files: readonly string[], { out }: { readonly out: string }) => {
      const reports = await import('../../reports/index.ts')
      const parts = await Promise.all(files.map(readReport))
      const merged = mergedOf(() => reports.mergeReports(parts))
      mkdirSync(out, { recursive: true })
      writeTo(join(out, 'report.json'), reports.serializeReport(merged), terminal.out)
      writeTo(join(out, 'report.html'), reports.renderHtml(merged), terminal.out)
      writeTo(join(out, 'junit.xml'), reports.renderJunit(merged), terminal.out)
      terminal.out(reports.renderText(merged, { color: terminal.outColor, reportPath: join(out, 'report.json') }))
      finish(merged.run.exitCode)
    })

const mergedOf = <T>(merge: () => T): T => {
  try {
    return merge()
  } catch (cause) {
    throw new CommandFailure((cause as Error).message, { exitCode: exitCodes.data, cause })
  }
}

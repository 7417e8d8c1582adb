/** `acs merge REPORT…`: merges the reports of a divided run and exits with the outcome of the whole. */
import { cpSync, existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Command } from 'commander'
import type { CommandFactory } from '../command-factory.ts'
import { CommandFailure, exitCodes } from '../failure.ts'
import { readReport, writeTo } from '../read-file.ts'
import { screenOf, underBaseline } from '../write-report.ts'

interface MergeOptions {
  readonly out: string
  readonly baseline?: string
  readonly target?: string
}

export const mergeCommand: CommandFactory = (terminal, finish) =>
  new Command('merge')
    .description('merge the reports of sharded runs (acs test --shard i/n) into one')
    .argument('<reports...>', 'report.json files of the shards')
    .option('-o, --out <folder>', 'folder for the merged report', 'acs-report')
    .option('--baseline <file>', 'known violations with reason and expiry; stale entries fail')
    .option('-t, --target <file>', 'target profile of the runs, for the printed commands')
    .action(async (files: readonly string[], { out, baseline, target }: MergeOptions) => {
      const reports = await import('../../reports/index.ts')
      const parts = await Promise.all(files.map(readReport))
      const whole = mergedOf(() => reports.mergeReports(parts))
      const merged = baseline === undefined ? whole : await underBaseline(whole, baseline)
      const commands = { reportPath: join(out, 'report.json'), targetFile: target }
      const { makeFolder } = await import('../trace-file.ts')
      makeFolder(out)
      for (const file of files) copySteps(join(dirname(file), 'replay'), join(out, 'replay'))
      writeTo(join(out, 'report.json'), reports.serializeReport(merged), terminal.out)
      writeTo(join(out, 'report.html'), reports.renderHtml(merged, commands), terminal.out)
      writeTo(join(out, 'junit.xml'), reports.renderJunit(merged, commands), terminal.out)
      terminal.out(reports.renderText(merged, { ...screenOf(terminal), ...commands }))
      finish(merged.run.exitCode)
    })

/** Keeps the steps of the parts' violations, since a merged report has no trace to take them from. */
const copySteps = (from: string, to: string): void => {
  if (existsSync(from)) cpSync(from, to, { recursive: true })
}

const mergedOf = <T>(merge: () => T): T => {
  try {
    return merge()
  } catch (cause) {
    throw new CommandFailure((cause as Error).message, { exitCode: exitCodes.data, cause })
  }
}

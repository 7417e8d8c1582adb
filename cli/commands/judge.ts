/** `acs judge TRACE`: judges a recorded trace again, with no request sent; the same trace gives the same report. */
import { Command } from 'commander'
import type { CommandFactory } from '../app.ts'
import { readTraceFile } from '../read-file.ts'
import { finishReport } from '../write-report.ts'

interface JudgeOptions {
  readonly out: string
  readonly strict?: true
  readonly only?: string
  readonly baseline?: string
}

export const judgeCommand: CommandFactory = (terminal, finish) =>
  new Command('judge')
    .description('judge a recorded trace (trace.ndjson) or a HAR file again, without sending anything')
    .argument('<trace>', 'trace.ndjson of an earlier run, or a .har file')
    .option('-o, --out <folder>', 'folder for the report', 'acs-report')
    .option('--strict', 'implied rules fail the run as well')
    .option('--only <glob>', 'only requirements that match, for example "pagination.*"')
    .option('--baseline <file>', 'known violations with reason and expiry; stale entries fail')
    .action(async (file: string, options: JudgeOptions) => {
      const { judge } = await import('../../conformance/index.ts')
      const trace = await readTraceFile(file)
      finish(await finishReport({ trace, judgement: judge(trace, judgeOptions(options)), options }, terminal))
    })

/** What the judge takes of a command's options. */
export const judgeOptions = ({ strict, only }: Pick<JudgeOptions, 'strict' | 'only'>) => ({
  strict: strict === true,
  ...(only === undefined ? {} : { only }),
})

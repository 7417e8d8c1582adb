/** `acs judge TRACE`: judges a recorded trace again, with no request sent; the same trace gives the same report. */
import { readFileSync } from 'node:fs'
import { Command } from 'commander'
import type { Trace } from '../../conformance/index.ts'
import type { CommandFactory } from '../app.ts'
import { CommandFailure, exitCodes, fileFailure } from '../failure.ts'
import { finishReport } from '../finish-report.ts'

interface JudgeOptions {
  readonly out: string
  readonly strict?: true
  readonly only?: string
}

export const judgeCommand: CommandFactory = (terminal, finish) =>
  new Command('judge')
    .description('judge a recorded trace (trace.ndjson) or a HAR file again, without sending anything')
    .argument('<trace>', 'trace.ndjson of an earlier run, or a .har file')
    .option('-o, --out <folder>', 'folder for the report', 'acs-report')
    .option('--strict', 'implied rules fail the run as well')
    .option('--only <glob>', 'only requirements that match, for example "pagination.*"')
    .action(async (file: string, options: JudgeOptions) => {
      const { judge } = await import('../../conformance/index.ts')
      const trace = await traceOf(file)
      const judgement = judge(trace, { strict: options.strict === true, only: options.only })
      finish(await finishReport({ trace, judgement, options }, terminal))
    })

const traceOf = async (file: string): Promise<Trace> => {
  const { harToTrace, readTrace } = await import('../../conformance/index.ts')
  const text = readText(file)
  try {
    return file.endsWith('.har') ? harToTrace(text) : await readTrace({ text })
  } catch (cause) {
    throw new CommandFailure(`${file}: ${(cause as Error).message}`, { exitCode: exitCodes.data, cause })
  }
}

const readText = (file: string): string => {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    throw fileFailure(file, cause)
  }
}

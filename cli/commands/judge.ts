/** `acs judge TRACE`: judges a recorded trace again, with no request sent; the same trace gives the same report. */
import { statSync } from 'node:fs'
import { Command } from 'commander'
import type { Trace } from '../../conformance/index.ts'
import { parseInteger } from '../arguments.ts'
import type { CommandFactory } from '../command-factory.ts'
import { usageFailure } from '../failure.ts'
import { contentFailure, readTraceFile } from '../read-file.ts'
import { readProfile } from '../target.ts'
import { finishReport } from '../write-report.ts'

interface JudgeOptions {
  readonly target?: string
  readonly out: string
  readonly strict?: true
  readonly only?: string
  readonly baseline?: string
  readonly workers?: number
  readonly memory: number
  readonly verbose?: true
  readonly quiet?: true
}

/** Traces up to this size are judged in one piece, which takes ten times as much memory. */
const longestInOnePiece = 48 * 2 ** 20

/** What a run or a trace that was judged exits with. */
export const exitCodeHelp = `
Exit codes: 0 conformant, 1 nonconformant, 2 incomplete (something required was not tested),
3 invalid run (nothing judged, or the target stopped answering), 64 and above wrong usage.`

export const strictHelp = 'also fail on implied and convention rules'

export const judgeCommand: CommandFactory = (terminal, finish) =>
  new Command('judge')
    .description('judge a recorded trace (trace.ndjson) or a HAR file; sends nothing')
    .argument('<trace...>', 'trace.ndjson of an earlier run, the files of a long recording, or a .har file')
    .option('-t, --target <file>', 'for a .har file: target profile with the keys and the claims')
    .option('-o, --out <folder>', 'folder for the report', 'acs-judged')
    .option('--strict', strictHelp)
    .option('--only <glob>', 'only requirements that match, for example "pagination.*" (default: those of the run)')
    .option('--baseline <file>', 'known violations with reason and expiry; stale entries fail')
    .option('-w, --workers <n>', 'worker threads for a long trace (default: one per core)', parseInteger(1, 256))
    .option('--memory <MiB>', 'memory limit for judging a long trace', parseInteger(512, 1_048_576), 1024)
    .option('-v, --verbose', 'print a curl command for each request of a failure')
    .option('-q, --quiet', 'print only failures and the outcome')
    .addHelpText('after', exitCodeHelp)
    .action(async (files: readonly [string, ...string[]], options: JudgeOptions) => {
      await checkOnly(options.only)
      const { judge } = await import('../../conformance/index.ts')
      const [file] = files
      if (options.target !== undefined && !file.endsWith('.har'))
        throw usageFailure('--target is for .har files; a trace contains the profile that it was recorded with')
      const profile = options.target === undefined ? undefined : await readProfile(options.target, terminal.environment)
      const judged = async (): Promise<number> => {
        if (isLong(files)) return finishReport({ ...(await judgedInParts(files, options)), options }, terminal)
        const trace = await readTraceFile(file, profile)
        return finishReport({ trace, judgement: judge(trace, judgeOptions(options, trace)), options }, terminal)
      }
      finish(await terminal.endsAtOnce(judged))
    })

/** Whether a trace is too long to be judged in one piece; the folder then gets only the exchanges that the verdicts rest on. */
const isLong = (files: readonly [string, ...string[]]): boolean => {
  const [file] = files
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0
  return files.length > 1 || (!file.endsWith('.har') && size > longestInOnePiece)
}

const judgedInParts = async (files: readonly string[], options: JudgeOptions) => {
  const { judgeLongFile } = await import('../../conformance/index.ts')
  const workers = options.workers === undefined ? {} : { workers: options.workers }
  try {
    const settings = { ...judgeOptions(options), ...workers, memoryMiB: options.memory }
    const { evidence, judgement } = await judgeLongFile(files, settings)
    return { trace: evidence, judgement }
  } catch (cause) {
    throw contentFailure(files.join(', '), cause)
  }
}

/** Throws when a glob matches no requirement, which would judge nothing and look like a result. */
export const checkOnly = async (only: string | undefined): Promise<void> => {
  if (only === undefined) return
  const { globMatcher } = await import('../../conformance/index.ts')
  const { gaps, nearestName, requirements } = await import('../../spec/index.ts')
  const ids = [...requirements.map(({ id }) => id), ...gaps.map(({ id }) => `gap.${id}`)]
  if (ids.some(globMatcher(only))) return
  const chapters = [...new Set(requirements.map(({ id }) => `${id.split('.', 1)[0]}.*`))]
  const near = nearestName(only, [...ids, ...chapters])
  throw usageFailure(
    `--only ${only} matches no requirement; ${near === null ? 'see acs list requirements' : `did you mean ${near}?`}`,
  )
}

/** What the judge takes of a command's options; a run is judged by the rules that it was asked for, unless others are given. */
export const judgeOptions = (
  { strict, only }: Pick<JudgeOptions, 'strict' | 'only'>,
  trace?: Pick<Trace, 'header'>,
) => {
  const wanted = only ?? trace?.header.plan?.only
  return { strict: strict === true, ...(wanted === undefined ? {} : { only: wanted }) }
}

/** `acs merge REPORT…`: judges the traces of the parts of a divided run as one run. */
import { Command } from 'commander'
import type { Judgement, ReplayResult, Trace } from '../../conformance/index.ts'
import type { Report } from '../../reports/index.ts'
import { obligationKey } from '../../spec/index.ts'
import type { CommandFactory } from '../command-factory.ts'
import { CommandFailure, exitCodes } from '../failure.ts'
import { readReport, readTraceBeside } from '../read-file.ts'
import { finishReport } from '../write-report.ts'
import { exitCodeHelp, judgeOptions } from './judge.ts'

interface MergeOptions {
  readonly out: string
  readonly baseline?: string
  readonly target?: string
}

export const mergeCommand: CommandFactory = (terminal, finish) =>
  new Command('merge')
    .description('judge the parts of a sharded run (acs test --shard i/n) as one run')
    .argument('<reports...>', 'report.json files of the parts, each with its trace.ndjson beside it')
    .option('-o, --out <folder>', 'folder for the merged report', 'acs-report')
    .option('--baseline <file>', 'known violations with reason and expiry; stale entries fail')
    .option('-t, --target <file>', 'target profile of the runs, for the printed commands')
    .addHelpText('after', exitCodeHelp)
    .action(async (files: readonly string[], options: MergeOptions) => {
      const parts = await Promise.all(files.map(readReport))
      const strict = strictnessOf(parts)
      const trace = await mergedTrace(await Promise.all(files.map(readTraceBeside)))
      const { judge } = await import('../../conformance/index.ts')
      const judgement = judge(trace, judgeOptions(strict, trace))
      const replays = await replaysOf(parts, judgement)
      if (options.target === undefined && judgement.outcome === 'nonconformant' && hadProfile(trace))
        terminal.err('add --target FILE (the profile of the runs) to the printed commands, or to acs merge\n')
      const failOn = parts.some(({ run }) => run.failOnFlaky === true) ? { failOn: 'flaky' as const } : {}
      finish(await finishReport({ trace, judgement, replays, options: { ...options, ...strict, ...failOn } }, terminal))
    })

/** Whether the parts reached what a URL alone does not. */
const hadProfile = ({ header: { profile } }: Trace): boolean => {
  const { threads, tenants } = Object(profile)
  return threads != null || Object.keys(Object(tenants)).length > 1
}

const dataFailure = (message: string, cause?: unknown): CommandFailure =>
  new CommandFailure(message, { exitCode: exitCodes.data, cause })

const strictnessOf = (parts: readonly Report[]): { readonly strict?: true } => {
  const strict = parts.filter(({ run }) => run.strict).length
  if (strict > 0 && strict < parts.length) throw dataFailure('not parts of one run: only some of them are strict')
  return strict > 0 ? { strict: true } : {}
}

const mergedTrace = async (traces: readonly Trace[]): Promise<Trace> => {
  const { mergeTraces } = await import('../../conformance/index.ts')
  try {
    return mergeTraces(traces)
  } catch (cause) {
    throw dataFailure((cause as Error).message, cause)
  }
}

/** What the parts saw when they replayed their violations; one that any part saw again, or never tried, stays. */
const replaysOf = async (parts: readonly Report[], { verdicts }: Judgement): Promise<readonly ReplayResult[]> => {
  const replays = parts.flatMap((part) => part.replays ?? [])
  return verdicts.flatMap((verdict): readonly ReplayResult[] => {
    const own = replays.filter(({ obligation }) => obligation === obligationKey(verdict))
    if (verdict.outcome !== 'violated' || own.length === 0) return []
    const shown = own.filter(({ outcome }) => outcome === 'reproduced')
    if (shown.length > 0) {
      const history = shown.every((one) => one.history === true)
      return [{ verdict, outcome: { kind: 'reproduced', verdict, history } }]
    }
    const untried = own.find(({ outcome }) => outcome === 'not-tried')
    if (untried === undefined) return [{ verdict, outcome: { kind: 'not-reproduced' } }]
    return [{ verdict, outcome: { kind: 'not-tried', reason: untried.reason ?? 'one part did not test it' } }]
  })
}

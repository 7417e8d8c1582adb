/** `acs test`: runs the suite against a target, prints the verdicts, writes the report, and exits with the outcome. */
import { Command, Option } from 'commander'
import type { CommandFactory } from '../app.ts'
import { parseHttpUrl, parseInteger } from '../arguments.ts'
import { recordRun } from '../record-run.ts'
import { confirmAndSave } from '../save-counterexamples.ts'
import { openTarget, parsePart, type Target } from '../target.ts'
import type { Terminal } from '../terminal.ts'
import { finishReport } from '../write-report.ts'
import { judgeOptions } from './judge.ts'

export interface TestOptions {
  readonly target?: string
  readonly out: string
  readonly seed?: number
  readonly strict?: true
  readonly only?: string
  readonly tier: 'smoke' | 'gate' | 'deep' | 'soak'
  readonly maxModelCalls?: number
  readonly maxExchanges?: number
  readonly plan?: true
  readonly shard?: string
  readonly baseline?: string
}

const count = parseInteger(0, Number.MAX_SAFE_INTEGER)

export const testCommand: CommandFactory = (terminal, finish) =>
  new Command('test')
    .description('run the conformance suite; without URL and --target against the built-in mock')
    .argument('[url]', 'base URL of the target', parseHttpUrl)
    .option('-t, --target <file>', 'target profile (acs.target.yaml; acs init writes one)')
    .option('-o, --out <folder>', 'folder for report.json, trace.ndjson, report.html and junit.xml', 'acs-report')
    .option('--seed <number>', 'repeats the requests of an earlier run', count)
    .option('--strict', 'implied rules fail the run as well')
    .option('--only <glob>', 'only requirements that match, for example "pagination.*"')
    .addOption(
      new Option('--tier <tier>', 'how much to send').choices(['smoke', 'gate', 'deep', 'soak']).default('gate'),
    )
    .option('--max-model-calls <number>', 'hard cap on paid model calls', count)
    .option('--max-exchanges <number>', 'hard cap on requests', count)
    .option('--plan', 'print what would be sent and what it costs; send nothing')
    .option('--shard <i/n>', 'run one part of n; acs merge puts the reports together')
    .option('--baseline <file>', 'known violations with reason and expiry; stale entries fail')
    .addHelpText('after', exitCodeHelp)
    .action(async (url: string | undefined, options: TestOptions) => {
      const target = await openTarget({ url, file: options.target }, terminal)
      try {
        finish(await testTarget(target, options, terminal))
      } finally {
        await target.close()
      }
    })

const exitCodeHelp = `
Exit codes: 0 conformant, 1 nonconformant, 2 incomplete (something owed was not exercised),
3 invalid run (target unreachable, nothing judged), 64 and above wrong usage.`

const testTarget = async (target: Target, options: TestOptions, terminal: Terminal): Promise<number> => {
  const { judge, planRun, renderPlan, run } = await import('../../conformance/index.ts')
  const runOptions = {
    tier: options.tier,
    seed: options.seed ?? Math.floor(Math.random() * 0x7fffffff),
    only: options.only,
    maxModelCalls: options.maxModelCalls,
    maxExchanges: options.maxExchanges,
    shard: options.shard === undefined ? undefined : parsePart('--shard', options.shard),
    signal: terminal.interrupted,
  }
  if (options.plan === true) {
    terminal.out(renderPlan(planRun(target.profile, runOptions)))
    return 0
  }
  terminal.err(`Testing ${target.label}\n`)
  const trace = await recordRun(run(target.profile, runOptions), terminal)
  const judgement = judge(trace, judgeOptions(options))
  const exitCode = await finishReport({ trace, judgement, options }, terminal)
  await confirmAndSave({ trace, judgement, profile: target.profile, folder: options.out, limits: options }, terminal)
  return exitCode
}

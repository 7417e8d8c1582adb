/** `acs test`: runs the suite against a target, prints the verdicts, writes the report, and exits with the outcome. */
import { Command, Option } from 'commander'
import type { RunOptions } from '../../conformance/index.ts'
import { parseHttpUrl, parseInteger } from '../arguments.ts'
import type { CommandFactory } from '../command-factory.ts'
import { checkClaims, checkKeyTexts, targetFirst } from '../keys-first.ts'
import { parseFile } from '../read-file.ts'
import { recordRun } from '../record-run.ts'
import { resumption } from '../resumed-trace.ts'
import { replayAndSave, replayBudget } from '../save-counterexamples.ts'
import { openTarget, parsePart, type Target } from '../target.ts'
import type { Terminal } from '../terminal.ts'
import type { ContinuedTrace } from '../trace-file.ts'
import { type TransportOptions, withTransportOptions } from '../transport-options.ts'
import { checkReportFolder, endUnjudged, finishReport, openRecording } from '../write-report.ts'
import { checkOnly, exitCodeHelp, judgeOptions, strictHelp } from './judge.ts'

interface TestOptions extends TransportOptions {
  readonly target?: string
  readonly out: string
  readonly seed?: number
  readonly strict?: true
  readonly only?: string
  readonly tier: 'smoke' | 'gate' | 'deep' | 'soak'
  readonly maxModelCalls?: number
  readonly maxExchanges?: number
  readonly maxMinutes?: number
  readonly workers: number
  readonly plan?: true
  readonly verbose?: true
  readonly quiet?: true
  readonly open?: true
  readonly shard?: string
  readonly baseline?: string
  readonly failOn?: 'flaky'
  readonly resume?: string
}

const count = parseInteger(0, Number.MAX_SAFE_INTEGER)

export const testCommand: CommandFactory = (terminal, finish) =>
  withTransportOptions(
    new Command('test')
      .description('run the conformance suite; without a URL and --target, against the built-in mock')
      .argument('[url]', 'base URL of the target', parseHttpUrl)
      .option('-t, --target <file>', 'target profile (acs.target.yaml; acs init writes one)')
      .option('-o, --out <folder>', 'folder for report.json, trace.ndjson, report.html and junit.xml', 'acs-report')
      .option('--seed <number>', 'seed of an earlier run, to repeat its requests (default: random)', count)
      .option('--strict', strictHelp)
      .option('--only <glob>', 'only requirements that match, for example "pagination.*"; grants no level')
      .addOption(
        new Option('--tier <tier>', 'how much to send').choices(['smoke', 'gate', 'deep', 'soak']).default('gate'),
      )
      .option('--max-model-calls <number>', 'hard cap on paid model calls, overrides the profile and the tier', count)
      .option('--max-exchanges <number>', 'hard cap on requests, overrides the profile and the tier', count)
      .option(
        '--max-minutes <number>',
        'time limit of the run; default 30 (deep 120, soak 1440)',
        parseInteger(1, 35_000),
      )
      .option('-v, --verbose', 'print a curl command for each request of a failure')
      .option('-q, --quiet', 'print only failures and the outcome, no progress')
      .option('--open', 'open report.html at the end')
      .option(
        '--workers <number>',
        'probes that may run in parallel; 1 runs them in a fixed order',
        parseInteger(1, 64),
        8,
      )
      .option('--plan', 'print what would be sent and what it costs; send nothing')
      .option('--shard <i/n>', 'run one part of n; acs merge combines the reports')
      .option('--resume <trace>', 'continue an interrupted run from its trace.ndjson; nothing in it is sent again')
      .option('--baseline <file>', 'known violations with reason and expiry; stale entries fail')
      .addOption(
        new Option(
          '--fail-on <what>',
          'flaky: also fail on violations that were not reproduced after a network disturbance',
        ).choices(['flaky']),
      )
      .addHelpText('after', examples)
      .action(async (url: string | undefined, options: TestOptions) => {
        await checkOnly(options.only)
        const target = await openTarget({ url, file: options.target, transport: options }, terminal)
        try {
          finish(await testTarget(target, options, terminal))
        } finally {
          await target.close()
        }
      }),
  )

const examples = `
Examples:
  acs test --target acs.target.yaml              test your service with its profile
  acs test --target acs.target.yaml --plan       show what that sends and costs; send nothing
  acs test localhost:4010 --only "threads.*" -v  test one chapter, with curl commands
${exitCodeHelp}`

const testTarget = async (target: Target, options: TestOptions, terminal: Terminal): Promise<number> => {
  const { judge, mostSettingsRequests, planRun, renderPlan, unnamedRuns } = await import('../../conformance/index.ts')
  await checkKeyTexts(target.profile, terminal.environment)
  if (options.target !== undefined) await checkClaims(target.profile)
  const runOptions = {
    tier: options.tier,
    seed: options.seed ?? Math.floor(Math.random() * 0x7fffffff),
    only: options.only,
    maxModelCalls: options.maxModelCalls,
    maxExchanges: options.maxExchanges,
    totalMs: options.maxMinutes === undefined ? undefined : options.maxMinutes * 60_000,
    shard: options.shard === undefined ? undefined : parsePart('--shard', options.shard),
    concurrency: options.workers,
    traceparent: true,
    signal: terminal.interrupted,
  }
  if (options.plan === true) {
    terminal.err(`Plan for ${target.label}\n`)
    terminal.out(
      renderPlan(
        planRun(target.profile, runOptions),
        aroundLines(target, options, mostSettingsRequests(target.profile)),
      ),
    )
    return 0
  }
  await checkBaseline(options.baseline)
  const resumed = options.resume === undefined ? {} : await resumption(options.resume, target.profile, options)
  checkReportFolder(options.out)
  const { tier } = runOptions
  const maxExchanges =
    target.isBuiltIn === true
      ? options.maxExchanges
      : await targetFirst(target.profile, terminal, { tier, maxExchanges: options.maxExchanges }).catch((cause) =>
          endUnjudged(options.out, cause),
        )
  const unnamed = unnamedRuns(target.profile)
  terminal.err(`Testing ${target.label}\n${unnamed === null ? '' : `Note: ${unnamed}\n`}`)
  const file = await openRecording(options.out, terminal, continuedBy(options, resumed))
  const shown = options.quiet === true ? { ...terminal, err: () => {} } : terminal
  const trace = await recordRun(target.profile, { ...runOptions, maxExchanges, ...resumed }, file, shown)
  const { profile } = target
  const limits = { maxExchanges, maxModelCalls: options.maxModelCalls ?? profile.budget.maxModelCalls }
  const judgement = await terminal.endsAtOnce(async () => judge(trace, judgeOptions(options, trace)))
  const violations = { trace, judgement, profile, folder: options.out, limits }
  const replays = await replayAndSave(violations, terminal).catch((cause: Error) => {
    terminal.err(`The violations could not be replayed: ${cause.message}\n`)
    return []
  })
  return terminal.endsAtOnce(() => finishReport({ trace, judgement, replays, options, isTraceWritten: true }, terminal))
}

/** The trace with which the new one begins. */
const continuedBy = ({ resume }: TestOptions, { earlier }: RunOptions): ContinuedTrace | null =>
  resume === undefined ? null : { file: resume, exchanges: earlier?.exchanges.length ?? 0 }

/** What is sent beside the probes; a cap on requests that somebody asked for includes it. */
const aroundLines = (
  { profile, isBuiltIn }: Target,
  { maxExchanges }: TestOptions,
  forSettings: number,
): readonly string[] => {
  if ((maxExchanges ?? profile.budget.maxExchanges) !== undefined)
    return ['included in the cap on requests: the check of keys and settings, and one replay of each violation']
  const keys = Object.keys(profile.tenants).length
  const mostForKeys = 2 * keys + (profile.tenants.spare === undefined ? 0 : 2)
  const { exchanges, modelCalls } = replayBudget
  return [
    ...(isBuiltIn === true
      ? []
      : [
          `before the run: ${keys} requests to check the keys, at most ${mostForKeys}; at most ${forSettings} to check other settings`,
        ]),
    `after the run, only if something is violated: at most ${exchanges} requests, ${modelCalls} model calls`,
  ]
}

/** Throws before anything is spent when the baseline could not be read at the end. */
const checkBaseline = async (file: string | undefined): Promise<void> => {
  if (file === undefined) return
  const { parseBaseline } = await import('../../reports/index.ts')
  parseFile(file, parseBaseline)
}

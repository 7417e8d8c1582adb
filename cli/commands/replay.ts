/** `acs replay FILE`: sends the steps of witnesses once more and says of each whether the rule is broken again. */
import { Command } from 'commander'
import type { ReplayFile, ReplayOutcome, TargetProfile, Trace } from '../../conformance/index.ts'
import { obligationKey } from '../../spec/index.ts'
import { parseHttpUrl, parseInteger } from '../arguments.ts'
import type { CommandFactory } from '../command-factory.ts'
import { usageFailure } from '../failure.ts'
import { keysFirst } from '../keys-first.ts'
import { parseFile, readReport, readTraceBeside } from '../read-file.ts'
import { openTarget } from '../target.ts'
import type { Terminal } from '../terminal.ts'
import { type TransportOptions, withTransportOptions } from '../transport-options.ts'

interface ReplayCommandOptions extends TransportOptions {
  readonly only?: string
  readonly target?: string
  readonly maxModelCalls?: number
  readonly maxExchanges?: number
  readonly verbose?: true
}

const count = parseInteger(0, Number.MAX_SAFE_INTEGER)

export const replayCommand: CommandFactory = (terminal, finish) =>
  withTransportOptions(
    new Command('replay')
      .description('send the requests of failures again and report whether each rule is still broken')
      .argument(
        '<file>',
        'a file of acs-report/replay/, or a report.json (all its violations, or those that match --only)',
      )
      .argument('[url]', 'base URL of the target', parseHttpUrl)
      .option('--only <requirement>', 'violations of the report.json to replay')
      .option('-t, --target <file>', 'target profile with the keys')
      .option('--max-model-calls <number>', "hard cap on paid model calls; default: the profile's cap, or 20", count)
      .option('--max-exchanges <number>', 'hard cap on requests', count)
      .option('-v, --verbose', 'print the bodies of requests and responses')
      .addHelpText(
        'after',
        `
Exit codes: 1 a rule is still broken, 0 every rule was kept, 2 something could not be tried,
3 nothing could be tried, or a key was rejected; 64 and above wrong usage.`,
      )
      .action(async (file: string, url: string | undefined, options: ReplayCommandOptions) => {
        const replayable = await replayablesFrom(file, options.only)
        const target = await openTarget(
          { url: url ?? urlOf(replayable, options), file: options.target, transport: options },
          terminal,
        )
        tellTarget(target.label, replayable.url, terminal)
        try {
          finish(await replayAll(replayable.files, target.profile, options, terminal))
        } finally {
          await target.close()
        }
      }),
  )

interface Replayable {
  readonly files: readonly ReplayFile[]
  /** Where they were recorded, when that is known. */
  readonly url: string | undefined
}

const urlOf = ({ url }: Replayable, { target }: ReplayCommandOptions): string | undefined => {
  if (url === undefined && target === undefined) {
    throw usageFailure('replay: name the target with a URL or --target')
  }
  return target === undefined ? url : undefined
}

/** Says where the requests go: a rule may be kept by another service than the one that broke it. */
const tellTarget = (target: string, recorded: string | undefined, { err }: Terminal): void => {
  err(`Replaying against ${target}\n`)
  if (recorded !== undefined && !isSameUrl(target, recorded))
    err(`Note: the report is of ${recorded}; what is kept here may still be broken there\n`)
}

const isSameUrl = (one: string, other: string): boolean => one.replace(/\/+$/, '') === other.replace(/\/+$/, '')

const replayablesFrom = async (file: string, only: string | undefined): Promise<Replayable> => {
  const { readReplayFile, replayFileOf } = await import('../../conformance/index.ts')
  const content = parseFile(file, (text) => JSON.parse(text) as unknown)
  const format: unknown = typeof content === 'object' && content !== null ? Reflect.get(content, 'format') : undefined
  if (format === 'acs-replay/1') return { files: [checked(file, () => readReplayFile(content))], url: undefined }
  const { verdicts, replays } = await readReport(file)
  const broken = verdicts.filter(
    ({ requirement, outcome }) => outcome === 'violated' && (only === undefined || requirement === only),
  )
  const of = only === undefined ? '' : ` of ${only}`
  if (broken.length === 0) throw usageFailure(`replay: ${file} contains no violation${of}`)
  const trace = await readTraceBeside(file)
  const shown = new Map(replays?.map((one) => [one.obligation, one]))
  const files = broken
    .map((verdict) => replayFileOf(verdict, trace, { history: shown.get(obligationKey(verdict))?.history }))
    .filter((one) => one !== null)
  if (files.length === 0) throw usageFailure(`replay: no violation${of} has requests that can be sent again`)
  return { files, url: trace.header.target }
}

const checked = <T>(file: string, read: () => T): T => {
  try {
    return read()
  } catch (cause) {
    throw usageFailure(`replay: ${file}: ${(cause as Error).message}`)
  }
}

const replayAll = async (
  files: readonly ReplayFile[],
  profile: TargetProfile,
  options: ReplayCommandOptions,
  terminal: Terminal,
): Promise<number> => {
  const { capsFor, judge, replay, replayOutcome } = await import('../../conformance/index.ts')
  const caps = capsFor('gate', profile, options)
  let maxExchanges =
    (caps.maxExchanges ?? Infinity) -
    (await keysFirst(profile, terminal, { maxExchanges: caps.maxExchanges ?? undefined }))
  let maxModelCalls = caps.maxModelCalls ?? Infinity
  const outcomes: ReplayOutcome[] = []
  for (const file of files) {
    const trace = await replay(file, profile, { maxExchanges, maxModelCalls, signal: terminal.interrupted })
    maxExchanges -= trace.footer?.exchanges ?? 0
    maxModelCalls -= trace.footer?.modelCalls ?? 0
    const outcome = replayOutcome(trace, judge(trace, { only: file.requirement }), file)
    outcomes.push(outcome)
    await tell(file, trace, outcome, { terminal, isVerbose: options.verbose === true })
  }
  return exitCodeOf(outcomes)
}

const exitCodeOf = (outcomes: readonly ReplayOutcome[]): number => {
  if (outcomes.some(({ kind }) => kind === 'reproduced')) return 1
  if (outcomes.every(({ kind }) => kind === 'not-tried')) return 3
  return outcomes.some(({ kind }) => kind === 'not-tried') ? 2 : 0
}

/** What a target said is shown with every control character spelled out. */
const tell = async (
  file: ReplayFile,
  trace: Trace,
  outcome: ReplayOutcome,
  { terminal: { out }, isVerbose }: { readonly terminal: Terminal; readonly isVerbose: boolean },
): Promise<void> => {
  const { visibleLine } = await import('../../reports/index.ts')
  for (const exchange of trace.exchanges) {
    const { request, response, ending } = exchange
    const path = request.url.replace(/^https?:\/\/[^/]+/, '')
    out(
      `${visibleLine(`${nameOf(exchange)}  ${request.method} ${path}`)}  ${response === null ? ending : response.status}\n`,
    )
    if (!isVerbose) continue
    for (const [mark, text] of [
      ['>', textOf(request.body === null ? [] : [request.body])],
      ['<', textOf(response?.pieces.map(({ bytes }) => bytes) ?? [])],
    ] as const)
      if (text !== '') out(`  ${mark} ${visibleLine(text, longestBody)}\n`)
  }
  const facet = file.facet === null ? '' : ` ${file.facet}`
  const name = visibleLine(`${file.requirement}  ${file.operation}${facet}`)
  if (outcome.kind === 'reproduced') out(`× ${name}  reproduced\n${sidesOf(outcome.verdict, visibleLine)}`)
  else if (outcome.kind === 'not-reproduced') out(`✓ ${name}  not reproduced: the rule was seen to be kept\n`)
  else out(`? ${name}  could not be tried: ${visibleLine(outcome.reason)}\n`)
}

/** Characters of a body that are printed. */
const longestBody = 4000

/** The number of this replay, and the one that the report has for the same request. */
const nameOf = ({ id, intent }: Trace['exchanges'][number]): string => {
  const [, recorded] = /^repeats (E\d+)$/.exec(intent?.purpose ?? '') ?? []
  return recorded === undefined ? id : `${id} (${recorded} in the report)`
}

const textOf = (pieces: readonly NonNullable<Trace['exchanges'][number]['request']['body']>[]): string =>
  pieces.map((bytes) => ('utf8' in bytes ? bytes.utf8 : '(no text)')).join('')

const sidesOf = (
  { expected = '', actual = '', pointer, witness }: Extract<ReplayOutcome, { kind: 'reproduced' }>['verdict'],
  visibleLine: (text: string) => string,
): string =>
  [
    `  expected  ${visibleLine(expected)}\n`,
    `  actual    ${visibleLine(actual)}${pointer === undefined ? '' : `  at ${visibleLine(pointer)}`}\n`,
    ...(witness === undefined ? [] : [`  because   ${visibleLine(witness.contradiction)}\n`]),
  ].join('')

/** `acs watch --upstream URL`: a proxy that passes traffic untouched, records it, and judges it. */
import { Command } from 'commander'
import type { Exchange, TargetProfile } from '../../conformance/index.ts'
import { parseHttpUrl, parseInteger } from '../arguments.ts'
import type { CommandFactory } from '../command-factory.ts'
import { listenFailure, usageFailure } from '../failure.ts'
import { keysFirst } from '../keys-first.ts'
import { readProfile } from '../target.ts'
import type { Terminal } from '../terminal.ts'
import type { Recording } from '../watch/recording.ts'
import type { RollingReport } from '../watch/rolling-report.ts'
import { finishReport, openRecording } from '../write-report.ts'
import { judgeOptions } from './judge.ts'

interface WatchCommandOptions {
  readonly upstream: string
  readonly port: number
  readonly host: string
  readonly target?: string
  readonly out: string
  readonly strict?: true
  readonly exclusive?: true
  readonly memory: number
  readonly fileSize: number
  readonly keep: number
  readonly reportEvery: number
}

const mebibyte = 2 ** 20

export const watchCommand: CommandFactory = (terminal, finish) =>
  new Command('watch')
    .description('forward traffic to a target unchanged, record it and judge it; Ctrl-C ends with a report')
    .requiredOption('-u, --upstream <url>', 'base URL of the target', parseHttpUrl)
    .option('-p, --port <number>', 'port to listen on; 0 picks a free one', parseInteger(0, 65_535), 0)
    .option('--host <name>', 'address to listen on', '127.0.0.1')
    .option('-t, --target <file>', 'target profile with the keys and the claims')
    .option('-o, --out <folder>', 'folder for the report', 'acs-watched')
    .option('--strict', 'implied rules fail too')
    .option('--exclusive', 'only this proxy reaches the tenants of the target profile, so more can be judged')
    .option('--memory <MiB>', 'memory for judging, in addition to the proxy', parseInteger(512, 1_048_576), 512)
    .option('--file-size <MiB>', 'start a new recording file above this size', parseInteger(1, 1024), 16)
    .option('--keep <MiB>', 'delete the oldest recording files above this total', parseInteger(1, 1_048_576), 4096)
    .option('--report-every <minutes>', 'how often to judge a long recording', parseInteger(1, 1440), 10)
    .action(async (options: WatchCommandOptions) => {
      const profile = options.target === undefined ? undefined : await readProfile(options.target, terminal.environment)
      if (options.exclusive === true && profile === undefined)
        throw usageFailure('--exclusive needs a target profile; pass it with --target')
      if (profile !== undefined) await keysFirst({ ...profile, baseUrl: options.upstream }, terminal)
      finish(await watched(options, profile, terminal))
    })

const watched = async (
  options: WatchCommandOptions,
  profile: TargetProfile | undefined,
  terminal: Terminal,
): Promise<number> => {
  const { createRecording } = await import('../watch/recording.ts')
  const { createRollingReport } = await import('../watch/rolling-report.ts')
  const { upstream, out, strict, fileSize, keep, memory } = options
  const sizes = { fileBytes: fileSize * mebibyte, keptBytes: keep * mebibyte }
  const isExclusive = options.exclusive === true
  const recording = await createRecording({ upstream, profile, folder: out, ...sizes, isExclusive })
  const rolling = createRollingReport({ folder: out, memoryMiB: memory, strict: strict === true }, terminal.err)
  await proxied(options, profile, recording, rolling, terminal)
  const trace = recording.trace()
  if (trace === null) return terminal.endsAtOnce(() => rolling.finish(recording.files(), terminal))
  const { judge } = await import('../../conformance/index.ts')
  const file = await openRecording(out, terminal)
  file.finish(trace)
  return terminal.endsAtOnce(async () =>
    finishReport({ trace, judgement: judge(trace, judgeOptions(options)), options, isTraceWritten: true }, terminal),
  )
}

/** Passes traffic until the first Ctrl-C. */
const proxied = async (
  { upstream, port, host, reportEvery }: WatchCommandOptions,
  profile: TargetProfile | undefined,
  recording: Recording,
  rolling: RollingReport,
  terminal: Terminal,
): Promise<void> => {
  const { createLiveVerdicts } = await import('../watch/live-verdicts.ts')
  const { watch } = await import('../../conformance/index.ts')
  const live = await createLiveVerdicts(recording, terminal)
  const onExchange = (exchange: Exchange): void => {
    recording.add(exchange)
    live.judgeSoon()
  }
  await using proxy = await watch({
    upstream,
    port,
    host,
    profile,
    pseudonyms: recording.pseudonyms,
    onExchange,
  }).catch((cause: unknown) => {
    throw listenFailure(host, port, cause)
  })
  terminal.err(`watching ${upstream} through ${proxy.url}  (Ctrl-C ends with a report)\n`)
  const timer = setInterval(() => {
    if (recording.trace() === null) void rolling.judge(recording.files())
  }, reportEvery * 60_000)
  await new Promise<void>((resolve) => {
    if (terminal.interrupted.aborted) resolve()
    else terminal.interrupted.addEventListener('abort', () => resolve())
  })
  clearInterval(timer)
  await proxy.close()
  live.stop()
}

/** `acs watch --upstream URL`: a proxy that passes traffic untouched, records it, and judges it. */
import { Command } from 'commander'
import type { RecordingThread, TargetProfile } from '../../conformance/index.ts'
import { parseHttpUrl, parseInteger } from '../arguments.ts'
import type { CommandFactory } from '../command-factory.ts'
import { listenFailure, usageFailure } from '../failure.ts'
import { keysFirst } from '../keys-first.ts'
import { makeFolder, notWritable } from '../output-path.ts'
import { readProfile } from '../target.ts'
import type { Terminal } from '../terminal.ts'
import type { RollingReport } from '../watch/rolling-report.ts'
import { finishReport, openRecording } from '../write-report.ts'
import { judgeOptions, strictHelp } from './judge.ts'

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
    .option('--strict', strictHelp)
    .option('--exclusive', 'only this proxy reaches the tenants of the target profile, so more can be judged')
    .option('--memory <MiB>', 'memory for judging, in addition to the proxy', parseInteger(512, 1_048_576), 512)
    .option('--file-size <MiB>', 'start a new recording file above this size', parseInteger(1, 1024), 16)
    .option('--keep <MiB>', 'delete the oldest recording files above this total', parseInteger(1, 1_048_576), 4096)
    .option('--report-every <minutes>', 'how often to judge a long recording', parseInteger(1, 1440), 10)
    .addHelpText(
      'after',
      '\nExit codes: 0 nothing violated, 1 a violation, 3 nothing could be judged, 64 and above wrong usage.',
    )
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
  const { judge, startRecordingThread } = await import('../../conformance/index.ts')
  const { createRollingReport } = await import('../watch/rolling-report.ts')
  const { upstream, out, strict, fileSize, keep, memory } = options
  const sizes = { fileBytes: fileSize * mebibyte, keptBytes: keep * mebibyte }
  const isExclusive = options.exclusive === true
  makeFolder(out)
  await using recording = await startRecordingThread(
    { upstream, profile, folder: out, ...sizes, isExclusive },
    terminal.err,
  ).catch(failsIn(out))
  const rolling = createRollingReport({ folder: out, memoryMiB: memory, strict: strict === true }, terminal.err)
  await proxied(options, profile, recording, rolling, terminal)
  const recorded = await recording.end().catch(failsIn(out))
  if ('files' in recorded) return terminal.endsAtOnce(() => rolling.finish(recorded.files, terminal))
  const { trace } = recorded
  const file = await openRecording(out, terminal)
  file.finish(trace)
  return terminal.endsAtOnce(async () =>
    finishReport({ trace, judgement: judge(trace, judgeOptions(options)), options, isTraceWritten: true }, terminal),
  )
}

/** Passes traffic until the first Ctrl-C. */
const proxied = async (
  { upstream, port, host, out, reportEvery }: WatchCommandOptions,
  profile: TargetProfile | undefined,
  recording: RecordingThread,
  rolling: RollingReport,
  terminal: Terminal,
): Promise<void> => {
  const { watch } = await import('../../conformance/index.ts')
  const { add: onPassed, catchUp } = recording
  await using proxy = await watch({ upstream, port, host, profile, onPassed, catchUp }).catch((cause: unknown) => {
    throw listenFailure(host, port, cause)
  })
  terminal.err(`watching ${upstream} through ${proxy.url}  (Ctrl-C ends with a report)\n`)
  const judgeLong = async (): Promise<void> => {
    const files = await recording.files()
    if (files !== null) await rolling.judge(files)
  }
  const timer = setInterval(() => {
    judgeLong().catch((cause: Error) => terminal.err(`acs: the recording could not be judged: ${cause.message}\n`))
  }, reportEvery * 60_000)
  const interrupted = new Promise<void>((resolve) => {
    if (terminal.interrupted.aborted) resolve()
    else terminal.interrupted.addEventListener('abort', () => resolve())
  })
  await Promise.race([interrupted, recording.failed])
    .catch(failsIn(out))
    .finally(() => clearInterval(timer))
  await proxy.close()
}

/** Throws what ended a recording; a disk that is full, or a folder that cannot be written, is no fault of this program. */
const failsIn =
  (folder: string) =>
  (cause: unknown): never => {
    const isOfSystem = typeof (cause as { readonly syscall?: unknown }).syscall === 'string'
    throw isOfSystem ? notWritable(folder, cause) : cause
  }

/** `acs watch --upstream URL`: a proxy that passes traffic untouched, records it, and judges it. */
import { join } from 'node:path'
import { Command } from 'commander'
import type { Exchange, TargetProfile, Trace } from '../../conformance/index.ts'
import { parseHttpUrl, parseInteger } from '../arguments.ts'
import type { CommandFactory } from '../command-factory.ts'
import { keysFirst } from '../keys-first.ts'
import { readProfile } from '../target.ts'
import type { Terminal } from '../terminal.ts'
import { overTransport, type TransportOptions, withTransportOptions } from '../transport-options.ts'
import { finishReport, openRecording } from '../write-report.ts'
import { judgeOptions } from './judge.ts'

interface WatchCommandOptions extends TransportOptions {
  readonly upstream: string
  readonly port: number
  readonly host: string
  readonly target?: string
  readonly out: string
  readonly strict?: true
}

export const watchCommand: CommandFactory = (terminal, finish) =>
  withTransportOptions(new Command('watch'))
    .description('pass traffic to a target untouched, record and judge it; Ctrl-C ends it with a report')
    .requiredOption('-u, --upstream <url>', 'base URL of the target', parseHttpUrl)
    .option('-p, --port <number>', 'port to listen on; 0 picks a free one', parseInteger(0, 65_535), 0)
    .option('--host <name>', 'address to listen on', '127.0.0.1')
    .option('-t, --target <file>', 'target profile: names the keys, and says what is claimed')
    .option('-o, --out <folder>', 'folder for the report', 'acs-report')
    .option('--strict', 'implied rules fail as well')
    .action(async (options: WatchCommandOptions) => {
      const written = options.target === undefined ? undefined : await readProfile(options.target, terminal.environment)
      const profile = written === undefined ? undefined : await overTransport(written, options, terminal)
      if (profile !== undefined) await keysFirst({ ...profile, baseUrl: options.upstream }, terminal)
      const trace = await watched(options, profile, terminal)
      const { judge } = await import('../../conformance/index.ts')
      const file = await openRecording(options.out, terminal)
      file.finish(trace)
      const judged = async (): Promise<number> =>
        finishReport({ trace, judgement: judge(trace, judgeOptions(options)), options, isTraceWritten: true }, terminal)
      finish(await terminal.endsAtOnce(judged))
    })

const watched = async (
  options: WatchCommandOptions,
  profile: TargetProfile | undefined,
  terminal: Terminal,
): Promise<Trace> => {
  const { upstream, port, host, out } = options
  const { createLiveVerdicts, createRecording } = await import('../live-judge.ts')
  const recording = await createRecording({ upstream, profile, file: join(out, 'trace.ndjson') })
  const live = await createLiveVerdicts(recording, terminal)
  const { minimalProfile, watch } = await import('../../conformance/index.ts')
  const known = profile ?? minimalProfile(upstream, { primary: { key: '' } })
  const { transport = {} } = await overTransport(known, options, terminal)
  const onExchange = (exchange: Exchange): void => {
    recording.add(exchange)
    live.judgeSoon()
  }
  await using proxy = await watch({
    upstream,
    port,
    host,
    profile,
    transport,
    pseudonyms: recording.pseudonyms,
    onExchange,
  })
  terminal.err(`watching ${upstream} through ${proxy.url}  (Ctrl-C ends it with a report)\n`)
  await new Promise<void>((resolve) => {
    if (terminal.interrupted.aborted) resolve()
    else terminal.interrupted.addEventListener('abort', () => resolve())
  })
  await proxy.close()
  live.stop()
  return recording.trace()
}

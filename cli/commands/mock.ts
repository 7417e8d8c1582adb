/** `acs mock`: the stateful mock on a port, with all that one needs for a first request. */
import { Command, InvalidArgumentError, Option } from 'commander'
import type { ClockOptions, JournalEntry, ListenOptions, Mock, MockOptions, Scenario } from '../../mock-server/index.ts'
import { countText } from '../../spec/index.ts'
import { parseInteger } from '../arguments.ts'
import type { CommandFactory } from '../command-factory.ts'
import { deviationsFrom } from '../deviation-options.ts'
import { CommandFailure, exitCodes, listenFailure, usageFailure } from '../failure.ts'
import { mockBanner } from '../mock-banner.ts'
import { clockWord, openMock, scenarioOf, tlsOf } from '../mock-options.ts'
import { recordingOf } from '../mock-recording.ts'
import { holdsState, importState, readState, stateNotices, stateText } from '../mock-state.ts'
import { checkWritable, writeTo } from '../read-file.ts'
import { reloadOnChange } from '../reload-scenario.ts'
import type { Terminal } from '../terminal.ts'
import { vendorOf } from '../vendor-target.ts'

interface MockSettings {
  readonly port: number
  readonly host: string
  readonly seed?: number
  readonly scenario?: string
  readonly printScenario?: true
  readonly state?: string
  readonly stateSync?: true
  readonly target?: string
  readonly from?: string
  readonly import?: string
  readonly export?: string
  readonly maxWorlds: number
  readonly clock: ClockOptions
  readonly fault?: readonly string[]
  readonly adminToken?: string
  readonly corsOrigin?: readonly string[]
  readonly adminCors?: true
  readonly tlsCert?: string
  readonly tlsKey?: string
  readonly log?: true
  readonly deviate?: readonly string[]
  readonly variant?: readonly string[]
}

export const mockCommand: CommandFactory = (terminal) =>
  new Command('mock')
    .description('serve the stateful mock until Ctrl-C')
    .option('-p, --port <number>', 'port to listen on; 0 picks a free one', parseInteger(0, 65_535), 4010)
    .option('--host <name>', 'address to listen on', '127.0.0.1')
    .option('--seed <number>', 'seed for ids, answers and jitter; default: 1', parseInteger(0, Number.MAX_SAFE_INTEGER))
    .option(
      '--scenario <file>',
      'YAML file with tenants, assistants and what they say, reloaded when it changes; default: the built-in scenario',
    )
    .option('--print-scenario', 'print the scenario as YAML, as a start for your own, and exit')
    .option('--state <directory>', 'keep the state in this directory across restarts; default: memory only')
    .option('--state-sync', 'answer only after the state is flushed to disk, so a power cut loses nothing')
    .option('--target <file>', 'answer the open questions of the contract as the vendor in this acs.target.yaml does')
    .option(
      '--from <trace>',
      'play back a recorded session (trace.ndjson of acs test or acs watch), and continue from it',
    )
    .option('--import <file>', 'start with the worlds from an earlier --export')
    .option('--export <file>', 'write all worlds to this file on exit: threads, files, quotas, clocks')
    .option(
      '--max-worlds <number>',
      'maximum number of worlds; beyond it, unused ones are dropped',
      parseInteger(1, 1_000_000),
      10_000,
    )
    .addOption(clockOption)
    .option(
      '--fault <expression>',
      'inject a fault into every request that it applies to, see below; may be repeated',
      collected,
    )
    .option(
      '--admin-token <token>',
      'bearer token that callers of /_acs must send; default: this machine only, no token',
      tokenWord,
    )
    .option(
      '--cors-origin <origin>',
      'an origin that web pages may call from, with credentials, and no others; may be repeated; default: any',
      originWords,
    )
    .option('--admin-cors', 'let pages of these origins also call /_acs')
    .option('--tls-cert <file>', 'serve HTTPS and HTTP/2 with this certificate (PEM, with its chain)')
    .option('--tls-key <file>', "the certificate's private key (PEM)")
    .option('--log', 'log a line on stderr after each exchange; keys and signatures are redacted')
    .option('--deviate <id>', 'violate the contract on purpose (acs list deviations); may be repeated', collected)
    .option('--variant <id>', 'differ in a legal way (acs list variants); may be repeated', collected)
    .addHelpText('after', faultHelp)
    .action(async (settings: MockSettings) => {
      const recording = settings.from === undefined ? undefined : await recordingOf(settings.from, terminal)
      const scenario = recording?.scenario ?? (await scenarioOf(settings.scenario))
      if (settings.printScenario === true) {
        const { scenarioYaml } = await import('../../mock-server/index.ts')
        terminal.out(await scenarioYaml(scenario))
      } else await serve(terminal, settings, scenario, recording)
    })

const faultHelp = `
A fault is a name with optional settings: name, name:5 or name:after=2,ms=500. Join several with ";".
  --fault rate_limit_gateway            every answer is this error
  --fault 'stall:ms=500;cut-after-chunk:2'
  --fault api_timeout_error:operation=runThread,times=1,probability=0.2
Beside its own settings, it may have operation, tenant, assistant, thread, world, header, body, times (in each world) and
probability; header is a name or "name: text", body a text that the request's body contains.
acs list faults shows the names, where they apply and their settings. For one request, use the header x-acs-fault.
`

const clockOption = new Option('--clock <mode>', 'real, frozen, stepped, or x10 for ten times as fast')
  .argParser(clockWord)
  .default({ mode: 'real' }, 'real')

const originWords = (text: string, others?: readonly string[]): readonly string[] => {
  if (URL.canParse(text) && new URL(text).origin === text) return collected(text, others)
  throw new InvalidArgumentError('Use an origin such as http://localhost:5173, without a path.')
}

/** A variable of the shell that is not set makes an empty token, which no caller could send. */
const tokenWord = (text: string): string => {
  if (/^[\x21-\x7e]+$/.test(text)) return text
  throw new InvalidArgumentError('Use visible ASCII characters without spaces.')
}

const collected = (id: string, ids: readonly string[] = []): readonly string[] => [...ids, id]

const serve = async (
  terminal: Terminal,
  settings: MockSettings,
  scenario: Scenario,
  recording: MockOptions['recording'],
): Promise<void> => {
  if (recording !== undefined && settings.scenario !== undefined)
    throw usageFailure('--from has its own scenario; leave out --scenario')
  if (settings.stateSync === true && settings.state === undefined) throw usageFailure('--state-sync needs --state')
  const imported = settings.import === undefined ? null : readState(settings.import)
  if (settings.export !== undefined) checkWritable(settings.export)
  const {
    port,
    host,
    seed = imported?.seed ?? 1,
    clock,
    state,
    stateSync = false,
    maxWorlds,
    fault = [],
    adminToken = null,
    corsOrigin = null,
  } = settings
  const { options: vendor, threads } = await vendorOf(settings.target, terminal.environment)
  const deviations = [...vendor.deviations, ...(await deviationsFrom(settings))]
  if (settings.adminCors === true && corsOrigin === null) throw usageFailure('--admin-cors needs --cors-origin')
  const tls = tlsOf(settings)
  const onExchange = settings.log === true ? await logger(terminal, () => mock.scenario.secrets) : null
  const options = {
    ...vendor,
    scenario,
    seed,
    deviations,
    clock,
    maxWorlds,
    examples: settings.scenario === undefined && recording === undefined,
    ...(recording === undefined ? null : { recording }),
    onTrouble: (problem: string) => terminal.err(`acs: ${problem}\n`),
    ...(state === undefined ? null : { stateDir: state, stateSync }),
    ...(onExchange === null ? null : { onExchange }),
  }
  const earlier = holdsState(state) ? state : null
  await using mock = await openMock(options, fault)
  if (earlier !== null) {
    for (const notice of stateNotices(mock, earlier, { seed: settings.seed, imported }))
      terminal.err(`acs: ${notice}\n`)
  }
  if (imported !== null) importState(mock, imported)
  const listener = await mock
    .listen({
      port,
      host,
      adminToken,
      corsOrigin,
      adminCors: settings.adminCors === true,
      tls,
      onWait: ({ connections, graceMs }) => terminal.err(waitNotice(connections, graceMs, settings.export)),
      ...(onExchange === null ? null : { onRefused: refusalLogger(terminal) }),
    })
    .catch((cause: unknown) => {
      throw tls === null || isOfSystem(cause) ? listenFailure(host, port, cause) : tlsFailure(settings, cause)
    })
  terminal.out(mockBanner(listener.url, mock.scenario, { ...settings, threads }, terminal.outColor))
  using _reloads = watched(mock, settings.scenario, terminal)
  await ended(terminal.interrupted)
  await listener.close()
  if (settings.export !== undefined) writeTo(settings.export, stateText(mock), terminal.out)
}

/** Asks for the keys with each line, since a scenario that is loaded later brings other ones. */
const logger = async (
  terminal: Terminal,
  secrets: () => ReadonlySet<string>,
): Promise<(entry: JournalEntry) => void> => {
  const { createRedaction, logLine } = await import('../../mock-server/index.ts')
  let known: ReadonlySet<string> = new Set()
  let redaction = createRedaction(known)
  return (entry) => {
    if (secrets() !== known) {
      known = secrets()
      redaction = createRedaction(known)
    }
    terminal.err(`${logLine(entry, redaction)}\n`)
  }
}

/** The second signal ends the process before the export is written. */
const waitNotice = (connections: number, graceMs: number, exportFile: string | undefined): string => {
  const loss = exportFile === undefined ? '' : ', without the export'
  return `acs: waiting up to ${graceMs / 1000} s for ${countText(connections, 'open connection')}; Ctrl-C again ends now${loss}\n`
}

/** Requests that are no HTTP have no world, tenant or path to tell of. */
const refusalLogger =
  (terminal: Terminal): NonNullable<ListenOptions['onRefused']> =>
  ({ reason, status, what }) =>
    terminal.err(`${new Date().toISOString()}  -  -  ${what}  ${status}  ${reason}\n`)

/** Plays a scenario file anew when it changes. */
const watched = (mock: Mock, file: string | undefined, terminal: Terminal): Disposable | null =>
  file === undefined
    ? null
    : reloadOnChange(file, {
        tell: (line) => terminal.err(`acs: ${line}\n`),
        play: mock.reload,
      })

const ended = (signal: AbortSignal): Promise<void> =>
  signal.aborted ? Promise.resolve() : new Promise((resolve) => signal.addEventListener('abort', () => resolve()))

/** Whether the system refuses, for example the port. */
const isOfSystem = (cause: unknown): boolean => (cause as { readonly syscall?: string }).syscall !== undefined

const tlsFailure = ({ tlsCert, tlsKey }: MockSettings, cause: unknown): CommandFailure => {
  const reason = (cause as Error).message
  const problem = `${tlsCert} and ${tlsKey} are not a certificate and its key (${reason}); use PEM files that belong together`
  return new CommandFailure(problem, { exitCode: exitCodes.data, cause })
}

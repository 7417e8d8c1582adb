/**
 * The end of `acs test`, `acs judge` and `acs watch`: report.json, trace.ndjson, report.html and junit.xml into a
 * folder, the verdicts onto the screen, and the exit code, under a baseline if there is one.
 */
import { rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Judgement, Trace } from '../conformance/index.ts'
import type { Report } from '../reports/index.ts'
import { CommandFailure, exitCodes } from './failure.ts'
import { parseFile } from './read-file.ts'
import type { Terminal } from './terminal.ts'
import type { TraceFile } from './trace-file.ts'

export interface Finished {
  readonly trace: Trace
  readonly judgement: Judgement
  /** The run wrote it down while it went on. */
  readonly isTraceWritten?: true
  readonly options: {
    readonly target?: string
    readonly out: string
    readonly strict?: true
    readonly baseline?: string
  }
}

/** Checks the folder of a report before anything is sent, and begins its trace; what an earlier run left would not fit it. */
export const openRecording = async (out: string, terminal: Terminal): Promise<TraceFile> => {
  const { openTraceFile } = await import('./trace-file.ts')
  const file = openTraceFile(join(out, 'trace.ndjson'), terminal.err)
  for (const name of ['report.json', 'report.html', 'junit.xml']) rmSync(join(out, name), { force: true })
  return file
}

export const finishReport = async (finished: Finished, terminal: Terminal): Promise<number> => {
  const { trace, judgement, options } = finished
  const reports = await import('../reports/index.ts')
  const report = reports.createReport(trace, judgement, { strict: options.strict === true })
  const commands = commandsOf(options)
  const failure = await writeReport(finished, report, terminal)
  const silence = unreachable(trace)
  if (silence !== null) terminal.err(`acs: ${silence}\n`)
  else terminal.out(reports.renderText(report, { color: terminal.outColor, ...commands }))
  if (failure !== null) throw failure
  if (silence !== null) return report.run.exitCode
  terminal.err(`${relative('.', join(options.out, 'report.html'))} has the details\n`)
  return options.baseline === undefined ? report.run.exitCode : underBaseline(report, options.baseline, terminal)
}

/** What the printed commands name. */
const commandsOf = ({ out, target }: Finished['options']) => ({
  reportPath: join(out, 'report.json'),
  targetFile: target,
})

/** The first failure of writing, thrown only after the verdicts were shown. */
const writeReport = async (
  { trace, options, isTraceWritten }: Finished,
  report: Report,
  { err }: Terminal,
): Promise<CommandFailure | null> => {
  const reports = await import('../reports/index.ts')
  const { makeFolder, writeTrace } = await import('./trace-file.ts')
  const commands = commandsOf(options)
  try {
    makeFolder(options.out)
    if (isTraceWritten !== true) writeTrace(join(options.out, 'trace.ndjson'), trace, err)
    writeFileSync(join(options.out, 'report.json'), reports.serializeReport(report))
    writeFileSync(join(options.out, 'report.html'), reports.renderHtml(report, commands))
    writeFileSync(
      join(options.out, 'junit.xml'),
      reports.renderJunit(report, { ...commands, known: knownUnder(options.baseline, reports) }),
    )
    return null
  } catch (cause) {
    if (cause instanceof CommandFailure) return cause
    const reason = (cause as { readonly code?: string }).code ?? String(cause)
    const message = `${options.out}: the report cannot be written there (${reason}); choose another with --out`
    return new CommandFailure(message, { exitCode: exitCodes.cannotCreate, cause })
  }
}

/** The obligations of a baseline whose entries still count. */
const knownUnder = (
  file: string | undefined,
  { parseBaseline }: Pick<typeof import('../reports/index.ts'), 'parseBaseline'>,
): ReadonlySet<string> => {
  if (file === undefined) return new Set()
  const today = new Date().toISOString().slice(0, 10)
  const { entries } = parseFile(file, parseBaseline)
  return new Set(entries.filter(({ expires }) => expires >= today).map(({ obligation }) => obligation))
}

/** Why nothing was judged, when the target never answered. */
const unreachable = ({ header, exchanges, footer }: Trace): string | null => {
  // A target that answered before is slow or gone, and what it answered is judged.
  if (footer?.reason !== 'unreachable' || exchanges.some(({ response }) => response !== null)) return null
  const failure = exchanges.find(({ response }) => response === null)?.failure ?? 'no answer'
  return `${header.target} cannot be reached (${failure}), so nothing was judged; is it running, and is the URL right?`
}

const underBaseline = async (report: Report, file: string, terminal: Terminal): Promise<number> => {
  const { applyBaseline, obligationKey, parseBaseline } = await import('../reports/index.ts')
  const today = new Date().toISOString().slice(0, 10)
  const result = applyBaseline(report, parseFile(file, parseBaseline), today)
  const told = [
    ...result.known.map((verdict) => `known    ${obligationKey(verdict)}`),
    ...result.unexpected.map((verdict) => `unknown  ${obligationKey(verdict)}`),
    ...result.stale.map(({ obligation }) => `stale    ${obligation}: not violated any more; take it out of ${file}`),
    ...result.expired.map(({ obligation, expires }) => `expired  ${obligation}: since ${expires}`),
  ]
  terminal.out(`\nunder ${file}: ${result.outcome}\n${told.map((line) => `  ${line}\n`).join('')}`)
  return result.exitCode
}

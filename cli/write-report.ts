/**
 * Writes the report of `acs test`, `acs judge` and `acs watch`, prints the verdicts, and returns the exit code.
 * The folder gets report.json, trace.ndjson, report.html and junit.xml, all of them under the baseline if there is one.
 */
import { rmSync, writeFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import type { Judgement, ReplayResult, Trace } from '../conformance/index.ts'
import type { Report } from '../reports/index.ts'
import { CommandFailure, exitCodes } from './failure.ts'
import { makeFolder } from './output-path.ts'
import { checkWritable, parseFile } from './read-file.ts'
import type { Terminal } from './terminal.ts'
import type { ContinuedTrace, TraceFile } from './trace-file.ts'

interface FinishedRun {
  readonly trace: Trace
  readonly judgement: Judgement
  /** The results of replaying the violations. */
  readonly replays?: readonly ReplayResult[]
  /** The trace was written during the run. */
  readonly isTraceWritten?: true
  readonly options: {
    readonly target?: string
    readonly out: string
    readonly strict?: true
    readonly only?: string
    readonly baseline?: string
    readonly failOn?: 'flaky'
    readonly verbose?: true
    readonly quiet?: true
    readonly open?: true
  }
}

/** Throws CommandFailure where no report can be written, before anything is sent; the files of an earlier run stay. */
export const checkReportFolder = (out: string): void => {
  makeFolder(out)
  checkWritable(join(out, 'trace.ndjson'), 'choose another with --out')
}

/** Begins the trace of a report, and removes the report of an earlier run, which would not fit it. */
export const openRecording = async (
  out: string,
  terminal: Terminal,
  continued: ContinuedTrace | null = null,
): Promise<TraceFile> => {
  const { openTraceFile } = await import('./trace-file.ts')
  const file = openTraceFile(join(out, 'trace.ndjson'), terminal.err, continued)
  for (const name of ['report.json', 'report.html', 'junit.xml', 'trace.ndjson.resumed'])
    rmSync(join(out, name), { force: true })
  return file
}

/** Leaves the reason of a run that could not begin where a CI system looks for results, and throws it. */
export const endUnjudged = async (out: string, cause: unknown): Promise<never> => {
  if (cause instanceof CommandFailure) {
    const { renderJunit } = await import('../reports/index.ts')
    writeFileSync(join(out, 'junit.xml'), renderJunit({ unjudged: cause.message }))
  }
  throw cause
}

export const finishReport = async (finished: FinishedRun, terminal: Terminal): Promise<number> => {
  const { trace, options } = finished
  const reports = await import('../reports/index.ts')
  const report = await settledReport(finished)
  const commands = commandsOf(options)
  const failure = await writeReport(finished, report, terminal)
  const silence = unreachable(trace)
  if (silence !== null) terminal.err(`acs: ${silence}\n`)
  else terminal.out(reports.renderText(report, { ...screenOf(terminal), ...detailOf(options), ...commands }))
  if (terminal.environment.GITHUB_ACTIONS === 'true') terminal.out(reports.renderAnnotations(report, commands))
  if (failure !== null) throw failure
  if (silence !== null) return report.run.exitCode
  if (report.run.outcome === 'invalid')
    terminal.err(
      `acs: the run is invalid: ${reports.visibleLine(report.run.incompleteReason ?? 'nothing could be judged')}\n`,
    )
  const page = join(options.out, 'report.html')
  // The report has the time of the run alone; a person also waits for the start, checks and replays.
  terminal.err(`${relative('.', page)} has the details; ${(performance.now() / 1000).toFixed(1)} s in all\n`)
  // A run without requests cannot be resumed.
  const isInterrupted = trace.header.source === 'suite' && trace.footer?.reason === 'interrupted'
  if (isInterrupted && trace.exchanges.length > 0)
    terminal.err(`to continue: run the same command with --resume ${join(options.out, 'trace.ndjson')}\n`)
  if (options.open === true) terminal.openFile?.(resolve(page))
  return report.run.exitCode
}

/** The report of the trace under its replays and its baseline, so that all renderings agree with the exit code. */
const settledReport = async ({ trace, judgement, replays = [], options }: FinishedRun): Promise<Report> => {
  const { createReport, withReplays } = await import('../reports/index.ts')
  const { disturbancesIn } = await import('../conformance/index.ts')
  const report = withReplays(
    createReport(trace, judgement, { strict: options.strict === true, only: options.only }),
    replays,
    {
      disturbances: disturbancesIn(trace),
      failOnFlaky: options.failOn === 'flaky',
    },
  )
  return options.baseline === undefined ? report : underBaseline(report, options.baseline)
}

/** The report under the baseline of a file, as of today. */
const underBaseline = async (report: Report, file: string): Promise<Report> => {
  const { applyBaseline, parseBaseline } = await import('../reports/index.ts')
  return applyBaseline(report, parseFile(file, parseBaseline), { file, today: new Date().toISOString().slice(0, 10) })
}

/** The layout of results in the terminal. */
export const screenOf = ({ outColor, outColumns }: Terminal) => ({ color: outColor, columns: outColumns })

const detailOf = ({ verbose, quiet }: FinishedRun['options']) => ({ verbose: verbose === true, quiet: quiet === true })

/** The paths in the printed commands. */
const commandsOf = ({ out, target }: FinishedRun['options']) => ({
  reportPath: join(out, 'report.json'),
  targetFile: target,
})

/** The first failure of writing, thrown only after the verdicts were shown. */
const writeReport = async (
  { trace, options, isTraceWritten }: FinishedRun,
  report: Report,
  { err }: Terminal,
): Promise<CommandFailure | null> => {
  const reports = await import('../reports/index.ts')
  const { writeTrace } = await import('./trace-file.ts')
  const commands = commandsOf(options)
  try {
    makeFolder(options.out)
    if (isTraceWritten !== true) writeTrace(join(options.out, 'trace.ndjson'), trace, err)
    writeFileSync(join(options.out, 'report.json'), reports.serializeReport(report))
    writeFileSync(join(options.out, 'report.html'), reports.renderHtml(report, commands))
    writeFileSync(join(options.out, 'junit.xml'), reports.renderJunit(report, commands))
    return null
  } catch (cause) {
    if (cause instanceof CommandFailure) return cause
    const reason = (cause as { readonly code?: string }).code ?? String(cause)
    const message = `${options.out}: the report cannot be written there (${reason}); choose another with --out`
    return new CommandFailure(message, { exitCode: exitCodes.cannotCreate, cause })
  }
}

/** Why nothing was judged, when the target never answered. */
const unreachable = ({ header, exchanges, footer }: Trace): string | null => {
  // A target that answered before is slow or gone, and what it answered is judged.
  if (footer?.reason !== 'unreachable' || exchanges.some(({ response }) => response !== null)) return null
  const failure = exchanges.find(({ response }) => response === null)?.failure ?? 'no answer'
  return `${header.target} cannot be reached (${failure}), so nothing was judged; is it running, and is the URL right?`
}

/**
 * The end of `acs test`, `acs judge` and `acs watch`: report.json, trace.ndjson, report.html and junit.xml into a
 * folder, the verdicts onto the screen, and the exit code, under a baseline if there is one.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Judgement, Trace } from '../conformance/index.ts'
import type { Report } from '../reports/index.ts'
import { CommandFailure, exitCodes } from './failure.ts'
import { parseFile } from './read-file.ts'
import type { Terminal } from './terminal.ts'

export interface Finished {
  readonly trace: Trace
  readonly judgement: Judgement
  readonly options: { readonly out: string; readonly strict?: true; readonly baseline?: string }
}

export const finishReport = async ({ trace, judgement, options }: Finished, terminal: Terminal): Promise<number> => {
  const reports = await import('../reports/index.ts')
  const { encodeTrace } = await import('../conformance/index.ts')
  const report = reports.createReport(trace, judgement, { strict: options.strict === true })
  writeFiles(options.out, {
    'trace.ndjson': encodeTrace(trace),
    'report.json': reports.serializeReport(report),
    'report.html': reports.renderHtml(report),
    'junit.xml': reports.renderJunit(report),
  })
  const reportPath = join(options.out, 'report.json')
  const silence = unreachable(trace)
  if (silence !== null) {
    terminal.err(`acs: ${silence}\n`)
    return report.run.exitCode
  }
  terminal.out(reports.renderText(report, { color: terminal.outColor, reportPath }))
  terminal.err(`${relative('.', join(options.out, 'report.html'))} has the details\n`)
  return options.baseline === undefined ? report.run.exitCode : underBaseline(report, options.baseline, terminal)
}

/** Why nothing was judged, when the target never answered. */
const unreachable = ({ header, exchanges, footer }: Trace): string | null => {
  if (footer?.reason !== 'unreachable') return null
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

const writeFiles = (folder: string, files: Readonly<Record<string, string>>): void => {
  try {
    mkdirSync(folder, { recursive: true })
    for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content)
  } catch (cause) {
    const reason = (cause as { readonly code?: string }).code ?? String(cause)
    throw new CommandFailure(`${folder}: the report cannot be written there (${reason}); choose another with --out`, {
      exitCode: exitCodes.cannotCreate,
      cause,
    })
  }
}

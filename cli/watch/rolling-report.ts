/**
 * Judges a growing recording in low-priority processes, and once more at its end. A violation stays in the report,
 * although its traffic is deleted later.
 */
import { cpSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Report } from '../../reports/index.ts'
import type { Terminal } from '../terminal.ts'
import { type JudgingProcess, startJudging } from './judging-process.ts'

interface RollingReportOptions {
  readonly folder: string
  readonly memoryMiB: number
  readonly strict: boolean
  /** Default: a process of its own. */
  readonly start?: typeof startJudging
}

export interface RollingReport {
  /** Judges these files of the recording; one judgement at a time. */
  readonly judge: (files: readonly string[]) => Promise<void>
  /** Judges for the last time, and returns the exit code of all judgements together. */
  readonly finish: (files: readonly string[], terminal: Pick<Terminal, 'out' | 'err'>) => Promise<number>
}

/** Reports with violations that are kept beside the last one. */
const mostKept = 20

interface UnderWay {
  readonly files: readonly string[]
  readonly stop: () => void
  readonly done: Promise<unknown>
}

/** Rolling reports into a folder; `tell` gets a line for each rule that is first seen broken. */
export const createRollingReport = (
  { start = startJudging, ...options }: RollingReportOptions,
  tell: (text: string) => void,
): RollingReport => {
  const told = new Set<string>()
  let underWay: UnderWay | null = null
  let worst = 0
  let kept = 0
  const judged = async ({ ended }: JudgingProcess) => {
    const found = await ended
    if (found.code > 3 && !found.isStopped) tell(`acs: the recording could not be judged: ${found.err.trim()}\n`)
    if (found.code !== 1) return found
    worst = 1
    tellNew(options.folder, told, tell)
    if (kept < mostKept) {
      kept += 1
      keepReport(options.folder, kept)
    }
    return found
  }
  return {
    judge: async (files) => {
      if (underWay !== null || files.length === 0) return
      const judging = start(files, { ...options, givesWay: true })
      underWay = { files, stop: judging.stop, done: judged(judging) }
      await underWay.done.finally(() => {
        underWay = null
      })
    },
    finish: async (files, terminal) => {
      // The last judgement sees all that the one under way would see, unless some of its files are gone.
      if (underWay?.files.every((file) => files.includes(file))) underWay.stop()
      await underWay?.done
      // There is no traffic left, and the user waits.
      const { code, out, err } = await judged(start(files, { ...options, givesWay: false }))
      terminal.out(out)
      terminal.err(err)
      if (code === 1 || worst === 0) return code
      terminal.err(`${join(options.folder, 'violations')} contains earlier violations\n`)
      return worst
    },
  }
}

const tellNew = (folder: string, told: Set<string>, tell: (text: string) => void): void => {
  const { verdicts } = JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8')) as Report
  for (const { requirement, operation, outcome, actual, exchanges } of verdicts) {
    const key = `${requirement} ${operation}`
    if (outcome !== 'violated' || told.has(key)) continue
    told.add(key)
    tell(`× ${requirement}  ${operation}  ${exchanges.at(-1) ?? ''}  ${actual ?? ''}\n`)
  }
}

const keepReport = (folder: string, number: number): void => {
  const place = join(folder, 'violations', String(number))
  mkdirSync(place, { recursive: true })
  for (const name of ['report.json', 'report.html', 'trace.ndjson']) cpSync(join(folder, name), join(place, name))
}

/**
 * Judges a growing recording again and again, in a process of its own. Its memory ends with it, and it gives way to the proxy;
 * what was violated once stays, although the traffic that shows it is overwritten some day.
 */
import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { join } from 'node:path'
import type { Report } from '../../reports/index.ts'
import { commandFile } from '../command-file.ts'
import type { Terminal } from '../terminal.ts'

interface RollingReportOptions {
  readonly folder: string
  readonly memoryMiB: number
  readonly strict: boolean
}

export interface RollingReport {
  /** Judges these files of the recording; one judgement at a time. */
  readonly judge: (files: readonly string[]) => Promise<void>
  /** Judges for the last time, and returns the exit code of all judgements together. */
  readonly finish: (files: readonly string[], terminal: Terminal) => Promise<number>
}

/** Reports with violations that are kept beside the last one. */
const mostKept = 20

interface Judged {
  readonly code: number
  readonly out: string
  readonly err: string
}

/** Rolling reports into a folder; `tell` gets a line for each rule that is first seen broken. */
export const createRollingReport = (options: RollingReportOptions, tell: (text: string) => void): RollingReport => {
  const told = new Set<string>()
  let under: Promise<Judged> | null = null
  let worst = 0
  let kept = 0
  const judged = async (files: readonly string[]): Promise<Judged> => {
    const found = await judgeApart(files, options)
    if (found.code > 3) tell(`acs: the recording could not be judged: ${found.err.trim()}\n`)
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
      if (under !== null || files.length === 0) return
      under = judged(files)
      await under.finally(() => {
        under = null
      })
    },
    finish: async (files, terminal) => {
      await under
      const { code, out, err } = await judged(files)
      terminal.out(out)
      terminal.err(err)
      if (code === 1 || worst === 0) return code
      terminal.err(`${join(options.folder, 'violations')} has what was violated earlier\n`)
      return worst
    },
  }
}

/** `acs judge` in a process of its own, behind everything else that the machine does. */
const judgeApart = (files: readonly string[], { folder, memoryMiB, strict }: RollingReportOptions): Promise<Judged> => {
  const flags = ['--out', folder, '--workers', '1', '--memory', String(memoryMiB), ...(strict ? ['--strict'] : [])]
  const child = spawn(process.execPath, [commandFile, 'judge', ...files, ...flags], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW)
  let out = ''
  let err = ''
  child.stdout.on('data', (piece) => {
    out += piece
  })
  child.stderr.on('data', (piece) => {
    err += piece
  })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve({ code: code ?? 70, out, err }))
  })
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

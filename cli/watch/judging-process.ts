/** Runs `acs judge` in a separate process, whose memory is freed at its end. */
import { spawn } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import { commandFile } from '../command-file.ts'
import { endingSignals } from '../terminal.ts'

interface JudgingOptions {
  readonly folder: string
  readonly memoryMiB: number
  readonly strict: boolean
  /** Whether it runs at the lowest priority; a busy machine may then delay it for minutes. */
  readonly givesWay: boolean
}

interface Judged {
  readonly code: number
  readonly out: string
  readonly err: string
  /** The process was killed before it produced a result. */
  readonly isStopped: boolean
}

export interface JudgingProcess {
  readonly pid: number | undefined
  readonly ended: Promise<Judged>
  readonly stop: () => void
}

/** Begins to judge these files of a recording. */
export const startJudging = (
  files: readonly string[],
  { folder, memoryMiB, strict, givesWay }: JudgingOptions,
): JudgingProcess => {
  const flags = ['--out', folder, '--workers', '1', '--memory', String(memoryMiB), ...(strict ? ['--strict'] : [])]
  const child = spawn(process.execPath, [commandFile, 'judge', ...files, ...flags], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  if (givesWay && child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW)
  let out = ''
  let err = ''
  child.stdout.on('data', (piece) => {
    out += piece
  })
  child.stderr.on('data', (piece) => {
    err += piece
  })
  const ended = new Promise<Judged>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => {
      // In a terminal, the Ctrl-C that ends the recording also reaches this process.
      const isInterrupted = givesWay && endingSignals.some((ending) => ending === signal)
      resolve({ code: code ?? 70, out, err, isStopped: child.killed || isInterrupted })
    })
  })
  // While it loads it does not end for signals that it could handle.
  return { pid: child.pid, ended, stop: () => void child.kill('SIGKILL') }
}

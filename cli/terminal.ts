/**
 * The environment of a command: output streams, terminal width, environment variables. Commands take it as an argument, so
 * that tests run them without a process.
 */
import { spawn } from 'node:child_process'
import { constants } from 'node:os'

export interface Terminal {
  /** Results; may be piped into a file or another program. */
  readonly out: (text: string) => void
  /** Progress and errors. */
  readonly err: (text: string) => void
  readonly errIsTty: boolean
  readonly outColor: boolean
  /** Columns of the terminal that shows the results; missing without a terminal. */
  readonly outColumns?: number | undefined
  readonly errColumns?: number | undefined
  readonly errColor: boolean
  /** Opens a file in the default program of the system, the browser for a page; missing without a terminal. */
  readonly openFile?: (path: string) => void
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Aborts at the first of the ending signals, with its name; a second one ends the process at once. */
  readonly interrupted: AbortSignal
  /** Runs work that cannot be interrupted: the first ending signal ends the process, even while it is busy. */
  readonly endsAtOnce: <T>(work: () => Promise<T>) => Promise<T>
}

/** Ctrl-C, `docker stop`, and a terminal that closes: each ends a command gracefully. */
export const endingSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** The exit code of a process that the signal ended. */
export const signalExitCode = (signal: NodeJS.Signals): number => 128 + constants.signals[signal]

const wantsColor = (stream: NodeJS.WriteStream, environment: NodeJS.ProcessEnv): boolean => {
  if ((environment.NO_COLOR ?? '') !== '') return false
  if ((environment.FORCE_COLOR ?? '') !== '') return environment.FORCE_COLOR !== '0'
  return stream.isTTY === true && environment.TERM !== 'dumb'
}

/** The command by which each system opens a file. */
const openers: Readonly<Record<string, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['explorer.exe'],
}

const openWithSystem = (path: string): void => {
  const [program, ...words] = openers[process.platform] ?? ['xdg-open']
  const child = spawn(program, [...words, path], { detached: true, stdio: 'ignore' })
  // A machine without a screen has no such program, and the path was printed.
  child.on('error', () => {})
  child.unref()
}

/** The terminal of this process. */
export const processTerminal = (): Terminal => {
  const interruption = new AbortController()
  const onSignal = (signal: NodeJS.Signals): void => {
    if (interruption.signal.aborted) process.exit(signalExitCode(signal))
    interruption.abort(signal)
  }
  const listen = (): void => endingSignals.forEach((signal) => void process.on(signal, onSignal))
  // Without a listener the system itself ends the process, even while JavaScript is blocked.
  const leave = (): void => endingSignals.forEach((signal) => void process.off(signal, onSignal))
  listen()
  return {
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    errIsTty: process.stderr.isTTY === true,
    outColor: wantsColor(process.stdout, process.env),
    outColumns: process.stdout.isTTY ? process.stdout.columns : undefined,
    errColumns: process.stderr.isTTY ? process.stderr.columns : undefined,
    errColor: wantsColor(process.stderr, process.env),
    openFile: openWithSystem,
    environment: process.env,
    interrupted: interruption.signal,
    endsAtOnce: (work) => {
      leave()
      return work().finally(listen)
    },
  }
}

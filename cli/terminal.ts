/**
 * All that a command may know of the world outside: where to print, whether anybody looks, the environment.
 * Commands take it as an argument, so that tests run them without a process.
 */

export interface Terminal {
  /** Results; may be piped into a file or another program. */
  readonly out: (text: string) => void
  /** Progress and complaints. */
  readonly err: (text: string) => void
  readonly errIsTty: boolean
  readonly outColor: boolean
  readonly errColor: boolean
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Aborts at the first Ctrl-C or SIGTERM; a second one ends the process at once. */
  readonly interrupted: AbortSignal
}

const wantsColor = (stream: NodeJS.WriteStream, environment: NodeJS.ProcessEnv): boolean => {
  if ((environment.NO_COLOR ?? '') !== '') return false
  if ((environment.FORCE_COLOR ?? '') !== '') return environment.FORCE_COLOR !== '0'
  return stream.isTTY === true && environment.TERM !== 'dumb'
}

/** The terminal of this process. */
export const processTerminal = (): Terminal => {
  const interruption = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      interruption.abort(signal)
      process.once(signal, () => process.exit(signal === 'SIGINT' ? 130 : 143))
    })
  }
  return {
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    errIsTty: process.stderr.isTTY === true,
    outColor: wantsColor(process.stdout, process.env),
    errColor: wantsColor(process.stderr, process.env),
    environment: process.env,
    interrupted: interruption.signal,
  }
}

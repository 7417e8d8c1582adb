/**
 * Runs the command `acs` inside a test, without a process.
 * Gives the exit code and what was printed.
 */
import { main } from '../cli/app.ts'

interface Ran {
  readonly code: number
  readonly out: string
  readonly err: string
  /** Files that were opened for the user. */
  readonly opened: readonly string[]
}

interface AcsOptions {
  readonly color?: boolean
  readonly columns?: number
  /** Stands for Ctrl-C. */
  readonly interrupted?: AbortSignal
  /** Told of what is printed to standard error, as soon as it is. */
  readonly onErr?: (text: string) => void
}

export const acs = async (
  argv: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  { color = false, columns, interrupted = new AbortController().signal, onErr = () => undefined }: AcsOptions = {},
): Promise<Ran> => {
  let out = ''
  let err = ''
  const opened: string[] = []
  const code = await main(argv, {
    out: (text) => {
      out += text
    },
    err: (text) => {
      err += text
      onErr(text)
    },
    errIsTty: false,
    openFile: (path) => void opened.push(path),
    outColor: color,
    outColumns: columns,
    errColor: color,
    environment,
    interrupted,
    endsAtOnce: (work) => work(),
  })
  return { code, out, err, opened }
}

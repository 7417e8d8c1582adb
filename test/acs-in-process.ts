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

export const acs = async (
  argv: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  { color = false, columns }: { readonly color?: boolean; readonly columns?: number } = {},
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
    },
    errIsTty: false,
    openFile: (path) => void opened.push(path),
    outColor: color,
    outColumns: columns,
    errColor: color,
    environment,
    interrupted: new AbortController().signal,
    endsAtOnce: (work) => work(),
  })
  return { code, out, err, opened }
}

/**
 * Runs the command `acs` inside a test, without a process.
 * Gives the exit code and what was printed.
 */
import { main } from '../cli/app.ts'

export interface Ran {
  readonly code: number
  readonly out: string
  readonly err: string
}

export const acs = async (
  argv: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  { color = false }: { readonly color?: boolean } = {},
): Promise<Ran> => {
  let out = ''
  let err = ''
  const code = await main(argv, {
    out: (text) => {
      out += text
    },
    err: (text) => {
      err += text
    },
    errIsTty: false,
    outColor: color,
    errColor: color,
    environment,
    interrupted: new AbortController().signal,
    endsAtOnce: (work) => work(),
  })
  return { code, out, err }
}

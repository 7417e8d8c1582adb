/** Finds header lines by their names, whose letter case has no meaning (RFC 9110 §5.1). */
import type { HeaderLines } from './exchange.ts'

/** The value of the first line of a header, given in lower case; `undefined` when no line has that name. */
export function headerIn(lines: HeaderLines, name: string): string | undefined {
  for (const line of lines) if (isHeaderNamed(line[0], name)) return line[1]
  return undefined
}

/** Whether a header's name is this one, given in lower case; letters are compared only where they could differ. */
export const isHeaderNamed = (given: string, name: string): boolean =>
  given.length === name.length && (given === name || given.toLowerCase() === name)

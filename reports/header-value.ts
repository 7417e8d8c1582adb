/** Finds the value of a header, whose name may be written in any letter case. */
import type { HeaderLines } from '../conformance/index.ts'

/** The value of the first line of a header, given in lower case; `undefined` when no line has that name. */
export const headerValue = (lines: HeaderLines, wanted: string): string | undefined =>
  lines.find(([name]) => name.toLowerCase() === wanted)?.[1]

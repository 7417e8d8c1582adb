/**
 * Reads the files that a command line names: texts, reports, traces. A failure names the file, the problem and the fix.
 */
import { closeSync, existsSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { TargetProfile, Trace } from '../conformance/index.ts'
import type { Report } from '../reports/index.ts'
import { type CommandFailure, fileFailure, problemsFailure, problemsOf, writeFailure } from './failure.ts'

/** The text of a file in UTF-8, or in UTF-16 with a byte order mark, which Windows PowerShell writes. */
export const readText = (file: string): string => {
  try {
    return decoded(readFileSync(file))
  } catch (cause) {
    throw fileFailure(file, cause)
  }
}

/** The text of a file, or `null` where none can be read. */
export const textIfAny = (file: string): string | null => {
  try {
    return decoded(readFileSync(file))
  } catch {
    return null
  }
}

const decoded = (bytes: Buffer): string => {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  return bytes.toString()
}

/** An error of `parse` becomes a failure about the content of the file. */
export const parseFile = <T>(file: string, parse: (text: string) => T): T => {
  const text = readText(file)
  try {
    return parse(text)
  } catch (cause) {
    throw contentFailure(file, cause)
  }
}

/** The problems of a file's content, a line each. */
export const contentFailure = (file: string, cause: unknown): CommandFailure =>
  problemsFailure(
    problemsOf(cause).map((problem) => `${file}: ${problem}`),
    cause,
  )

/** A report.json of an earlier run. */
export const readReport = async (file: string): Promise<Report> => {
  const { parseReport } = await import('../reports/index.ts')
  return parseFile(file, parseReport)
}

/** A trace.ndjson, or a HAR when the file is called so; `profile` describes the target of a HAR. */
export const readTraceFile = async (file: string, profile?: TargetProfile): Promise<Trace> => {
  const { decodeTrace, harToTrace } = await import('../conformance/index.ts')
  return parseFile(file, (text) => {
    if (file.endsWith('.har')) return harToTrace(text, profile === undefined ? {} : { profile })
    try {
      return decodeTrace(text)
    } catch (cause) {
      // A file that is wrong in its first line is mostly of another kind.
      if ((cause as { readonly line?: number }).line !== 1) throw cause
      const kind = 'not a readable trace (trace.ndjson of acs test or acs watch, or a .har file)'
      throw new Error(`${kind}: ${(cause as Error).message}`, { cause })
    }
  })
}

/** The recording that a run left beside its report. */
export const readTraceBeside = (report: string): Promise<Trace> => readTraceFile(join(dirname(report), 'trace.ndjson'))

/** Writes into a file, or to stdout when there is none. */
export const writeTo = (file: string | undefined, text: string, out: (text: string) => void): void => {
  if (file === undefined) {
    out(text)
    return
  }
  try {
    writeFileSync(file, text)
  } catch (cause) {
    throw writeFailure(file, cause, 'choose another file')
  }
}

/** Throws unless a file can be written; its contents stay, and no new file is left. */
export const checkWritable = (file: string, advice = 'choose another file'): void => {
  const isThere = existsSync(file)
  try {
    closeSync(openSync(file, 'a'))
  } catch (cause) {
    throw writeFailure(file, cause, advice)
  }
  if (!isThere) rmSync(file)
}

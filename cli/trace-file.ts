/**
 * Writes the trace of a run to disk during the run. So no paid exchange is lost when the process is killed.
 * The finished file holds the same bytes as the trace written at once.
 */
import { closeSync, mkdtempSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { encodeRecord, recordsOf, type Trace, type TraceRecord } from '../conformance/index.ts'
import { reasonOf } from './failure.ts'
import { makeFolder, orFailure } from './output-path.ts'
import { markResumed } from './resumed-trace.ts'

export interface TraceFile {
  /** Appends a header or an exchange; the first failure is reported, and the run continues. */
  readonly add: (record: TraceRecord) => void
  /** Completes the file; where it cannot be written, the trace goes into a temporary folder. */
  readonly finish: (trace: Trace) => void
}

/** The trace of an interrupted run, with which a new one begins. */
export interface ContinuedTrace {
  readonly file: string
  /** The number of exchanges that the new trace copies first. */
  readonly exchanges: number
}

/**
 * Creates the file and the folders above it; throws CommandFailure when that fails. A trace that continues another may
 * replace it: it is written beside it, under another name, until it contains all paid exchanges.
 */
export const openTraceFile = (
  file: string,
  tell: (text: string) => void,
  continued: ContinuedTrace | null = null,
): TraceFile => {
  makeFolder(dirname(file))
  const growing = continued === null ? file : partOf(file)
  const descriptor = orFailure(growing, () => openSync(growing, 'w'))
  const written: string[] = []
  let isWhole = true
  let hasHeader = false
  let isInPlace = continued === null
  const takePlace = (): void => {
    if (isInPlace || written.length < (continued?.exchanges ?? 0)) return
    renameSync(growing, file)
    isInPlace = true
    if (continued !== null) markResumed(continued.file, file)
  }
  const append = (record: TraceRecord): void => {
    if (!isWhole) return
    try {
      writeFileSync(descriptor, encodeRecord(record))
      if (record.kind === 'exchange') written.push(record.id)
      hasHeader ||= record.kind === 'header'
      takePlace()
    } catch (cause) {
      isWhole = false
      tell(
        `acs: ${file}: cannot be written (${reasonOf(cause)}); the run continues, and writing is retried at the end\n`,
      )
    }
  }
  const finish = (trace: Trace): void => {
    // A recording that nothing passed through has no header yet.
    const isInOrder = isWhole && hasHeader && trace.exchanges.every(({ id }, at) => id === written[at])
    if (isInOrder) for (const record of recordsOf({ ...trace, exchanges: [] }).slice(1)) append(record)
    closeSync(descriptor)
    if (isInOrder && isWhole) return
    const isSaved = writeTrace(file, trace, tell)
    if (isSaved && continued !== null && !isInPlace) markResumed(continued.file, file)
  }
  return { add: append, finish }
}

/** The temporary path of a file that is renamed only when it is complete. */
const partOf = (file: string): string => `${file}.part`

/** Replaces a file by a whole trace, and returns whether it did; on failure, writes into a temporary folder. */
export const writeTrace = (file: string, trace: Trace, tell: (text: string) => void): boolean => {
  try {
    writeRecords(partOf(file), trace)
    renameSync(partOf(file), file)
    return true
  } catch (cause) {
    rmSync(partOf(file), { force: true })
    tell(`acs: ${file}: cannot be written (${reasonOf(cause)}); ${rescue(trace)}\n`)
    return false
  }
}

const rescue = (trace: Trace): string => {
  try {
    const file = join(mkdtempSync(join(tmpdir(), 'acs-')), 'trace.ndjson')
    writeRecords(file, trace)
    return `the trace is in ${file}`
  } catch (cause) {
    return `nor can a temporary folder be written (${reasonOf(cause)}), so only the verdicts are shown`
  }
}

/** One record at a time: a long trace is longer than the longest string. */
const writeRecords = (file: string, trace: Trace): void => {
  const descriptor = openSync(file, 'w')
  try {
    for (const record of recordsOf(trace)) writeFileSync(descriptor, encodeRecord(record))
  } finally {
    closeSync(descriptor)
  }
}

/**
 * Writes the trace of a run to disk while the run goes on. So nothing that was paid for is lost when the process dies.
 * The finished file holds the same bytes as the trace written at once.
 */
import { closeSync, mkdtempSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { encodeRecord, recordsOf, type Trace, type TraceRecord } from '../conformance/index.ts'
import { reasonOf } from './failure.ts'
import { makeFolder, orFailure } from './output-path.ts'

export interface TraceFile {
  /** Appends a header or an exchange; the first failure is told, and the run goes on. */
  readonly add: (record: TraceRecord) => void
  /** Completes the file; where it cannot be written, the trace goes into a temporary folder. */
  readonly finish: (trace: Trace) => void
  /** Removes a file into which nothing was recorded. */
  readonly discard: () => void
}

/** Makes the file and the folders above it; throws CommandFailure when that cannot be. */
export const openTraceFile = (file: string, tell: (text: string) => void): TraceFile => {
  makeFolder(dirname(file))
  const descriptor = orFailure(file, () => openSync(file, 'w'))
  const written: string[] = []
  let isWhole = true
  const append = (record: TraceRecord): void => {
    if (!isWhole) return
    try {
      writeFileSync(descriptor, encodeRecord(record))
      if (record.kind === 'exchange') written.push(record.id)
    } catch (cause) {
      isWhole = false
      tell(
        `acs: ${file}: cannot be written (${reasonOf(cause)}); the run continues, and writing is retried at the end\n`,
      )
    }
  }
  const finish = (trace: Trace): void => {
    const isInOrder = isWhole && trace.exchanges.every(({ id }, at) => id === written[at])
    if (isInOrder) for (const record of recordsOf({ ...trace, exchanges: [] }).slice(1)) append(record)
    closeSync(descriptor)
    if (!isInOrder || !isWhole) writeTrace(file, trace, tell)
  }
  const discard = (): void => {
    closeSync(descriptor)
    rmSync(file, { force: true })
  }
  return { add: append, finish, discard }
}

/** Writes a whole trace in place of what is there; where that fails, into a temporary folder. */
export const writeTrace = (file: string, trace: Trace, tell: (text: string) => void): void => {
  try {
    writeRecords(`${file}.part`, trace)
    renameSync(`${file}.part`, file)
  } catch (cause) {
    rmSync(`${file}.part`, { force: true })
    tell(`acs: ${file}: cannot be written (${reasonOf(cause)}); ${rescue(trace)}\n`)
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

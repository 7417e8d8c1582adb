/**
 * Writes a trace while the run goes on: every exchange at once, so that a run that dies leaves its evidence; notes wait for
 * the footer, so that a trace that was read and written again is the same file.
 */
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import type { Writable } from 'node:stream'
import type { ProbeNote, TraceRecord } from './exchange.ts'
import { encodeRecord } from './trace.ts'

export interface TraceWriter extends AsyncDisposable {
  readonly write: (record: TraceRecord) => void
  /** Writes what is waiting and resolves when all bytes are out; rejects when the file could not be written. */
  readonly close: () => Promise<void>
}

/** Writes to a file (made anew) or to any stream. */
export const createTraceWriter = (sink: { readonly file: string } | Writable): TraceWriter => {
  const stream: Writable = 'file' in sink ? createWriteStream(sink.file) : sink
  const notes: ProbeNote[] = []
  let failure: Error | null = null
  let closed: Promise<void> | null = null
  stream.on('error', (error) => {
    failure = error
  })
  const writeNotes = (): void => {
    for (const note of notes.splice(0)) stream.write(encodeRecord(note))
  }
  const finish = async (): Promise<void> => {
    writeNotes()
    stream.end()
    if (!stream.closed && failure === null) await once(stream, 'close').catch(() => undefined)
    if (failure !== null) throw failure
  }
  const close = (): Promise<void> => {
    closed ??= finish()
    return closed
  }
  return {
    write: (record) => {
      if (record.kind === 'note') {
        notes.push(record)
        return
      }
      if (record.kind === 'footer') writeNotes()
      stream.write(encodeRecord(record))
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

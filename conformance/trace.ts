/**
 * The trace as NDJSON: header first, exchanges and notes in between, footer last. Writing is deterministic, so that what was
 * read and written again is the same bytes; reading names the line of what is broken and never guesses a footer.
 */
import { createReadStream } from 'node:fs'
import type { Exchange, ProbeNote, Trace, TraceFooter, TraceHeader, TraceRecord } from './exchange.ts'
import { recordFault } from './trace/record-fault.ts'
import { inOrder } from './trace/record-order.ts'

/** What is wrong with a trace file, and in which line. */
export class TraceError extends Error {
  override readonly name = 'TraceError'
  readonly code = 'broken-trace'
  /** Counted from 1; 0 when the file as a whole is meant. */
  readonly line: number
  readonly reason: string
  constructor(line: number, reason: string, options?: ErrorOptions) {
    super(line === 0 ? reason : `line ${line}: ${reason}`, options)
    this.line = line
    this.reason = reason
  }
}

/** Bytes of a trace, a file's path, or its whole text. */
export type TraceSource = AsyncIterable<Uint8Array> | { readonly file: string } | { readonly text: string }

/** One record as one line, with its LF. */
export const encodeRecord = (record: TraceRecord): string => `${JSON.stringify(inOrder(record))}\n`

/** The records of a trace in the order of the file: header, exchanges, notes, footer. */
export const recordsOf = (trace: Trace): readonly TraceRecord[] => [
  trace.header,
  ...trace.exchanges,
  ...trace.notes,
  ...(trace.footer === null ? [] : [trace.footer]),
]

/** The whole trace as text, exchanges before notes. */
export const encodeTrace = (trace: Trace): string => recordsOf(trace).map(encodeRecord).join('')

const longestLine = 256 * 1024 * 1024

async function* linesOf(source: TraceSource): AsyncGenerator<string> {
  if ('text' in source) {
    yield* source.text.split('\n')
    return
  }
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  let open = ''
  let line = 1
  try {
    for await (const bytes of 'file' in source ? createReadStream(source.file) : source) {
      const parts = (open + decoder.decode(bytes, { stream: true })).split('\n')
      open = parts.pop() ?? ''
      line += parts.length
      if (open.length > longestLine) throw new TraceError(line, 'the line is too long for a trace')
      yield* parts
    }
    yield open + decoder.decode()
  } catch (cause) {
    if (cause instanceof TypeError) throw new TraceError(line, 'not UTF-8', { cause })
    throw cause
  }
}

const parseRecord = (text: string, line: number): TraceRecord => {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new TraceError(line, `not JSON (${cause instanceof Error ? cause.message : String(cause)})`, { cause })
  }
  const fault = recordFault(value)
  if (fault !== null) throw new TraceError(line, fault)
  return value as TraceRecord
}

const orderFault = (record: TraceRecord, isFirst: boolean, ended: boolean): string | null => {
  if (ended) return 'nothing may follow the footer'
  if (isFirst && record.kind !== 'header') return `a trace opens with its header, not with: ${record.kind}`
  if (!isFirst && record.kind === 'header') return 'a second header'
  return null
}

/** Streams the records with their line numbers, counted from 1; throws TraceError for the first thing that is broken. */
export async function* readRecords(source: TraceSource): AsyncGenerator<{ line: number; record: TraceRecord }> {
  let line = 0
  let records = 0
  let ended = false
  let blankAt = 0
  for await (const text of linesOf(source)) {
    line += 1
    if (text === '') {
      blankAt ||= line
      continue
    }
    if (blankAt > 0) throw new TraceError(blankAt, 'a blank line')
    const record = parseRecord(text, line)
    const fault = orderFault(record, records === 0, ended)
    if (fault !== null) throw new TraceError(line, fault)
    records += 1
    ended = record.kind === 'footer'
    yield { line, record }
  }
  if (records === 0) throw new TraceError(0, 'the trace is empty')
}

/** The whole trace; `footer` is `null` when the file has none. Throws TraceError. */
export const readTrace = async (source: TraceSource): Promise<Trace> => {
  let header: TraceHeader | null = null
  let footer: TraceFooter | null = null
  const exchanges: Exchange[] = []
  const notes: ProbeNote[] = []
  const ids = new Set<string>()
  for await (const { line, record } of readRecords(source)) {
    if (record.kind === 'header') header = record
    else if (record.kind === 'footer') footer = record
    else if (record.kind === 'note') notes.push(record)
    else {
      if (ids.has(record.id)) throw new TraceError(line, `a second exchange ${record.id}`)
      ids.add(record.id)
      exchanges.push(record)
    }
  }
  if (header === null) throw new TraceError(0, 'the trace has no header')
  if (footer !== null && footer.exchanges !== exchanges.length)
    throw new TraceError(0, `the footer counts ${footer.exchanges} exchanges, the trace holds ${exchanges.length}`)
  return { header, exchanges, notes, footer }
}

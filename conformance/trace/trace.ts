/**
 * The trace as NDJSON: header first, exchanges and notes in between, footer last. Writing is deterministic, so that what was
 * read and written again is the same bytes; reading names the line of what is broken and never guesses a footer.
 */
import { createReadStream } from 'node:fs'
import type { Exchange, ProbeNote, Trace, TraceFooter, TraceHeader, TraceRecord } from './exchange.ts'
import { inOrder } from './key-order.ts'
import { recordFault } from './validate-record.ts'

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
type TraceSource = AsyncIterable<Uint8Array> | { readonly file: string } | { readonly text: string }

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

/** One line as a record; throws TraceError with the number of the line. */
export const parseRecord = (text: string, line: number): TraceRecord => {
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

/** Checks line after line; the rules are the same however the lines come. */
const createLineReader = (): ((text: string) => { line: number; record: TraceRecord } | null) => {
  let line = 0
  let isFirst = true
  let ended = false
  let blankAt = 0
  return (text) => {
    line += 1
    if (text === '') {
      blankAt ||= line
      return null
    }
    if (blankAt > 0) throw new TraceError(blankAt, 'a blank line')
    const record = parseRecord(text, line)
    const fault = orderFault(record, isFirst, ended)
    if (fault !== null) throw new TraceError(line, fault)
    isFirst = false
    ended = record.kind === 'footer'
    return { line, record }
  }
}

function* recordsIn(lines: Iterable<string>): Generator<{ line: number; record: TraceRecord }> {
  const readLine = createLineReader()
  for (const text of lines) {
    const read = readLine(text)
    if (read !== null) yield read
  }
}

/** Streams the records with their line numbers, counted from 1; throws TraceError for the first thing that is broken. */
async function* readRecords(source: TraceSource): AsyncGenerator<{ line: number; record: TraceRecord }> {
  const readLine = createLineReader()
  for await (const text of linesOf(source)) {
    const read = readLine(text)
    if (read !== null) yield read
  }
}

/** What was read so far, and what the whole of it must satisfy. */
class Collection {
  readonly #exchanges = new Map<string, Exchange>()
  readonly #notes: ProbeNote[] = []
  #header: TraceHeader | null = null
  #footer: TraceFooter | null = null

  take(record: TraceRecord, line: number): void {
    if (record.kind === 'header') this.#header = record
    else if (record.kind === 'footer') this.#footer = record
    else if (record.kind === 'note') this.#notes.push(record)
    else if (this.#exchanges.has(record.id)) throw new TraceError(line, `a second exchange ${record.id}`)
    else this.#exchanges.set(record.id, record)
  }

  whole(): Trace {
    const header = this.#header
    const footer = this.#footer
    const exchanges = [...this.#exchanges.values()]
    if (header === null) throw new TraceError(0, 'the trace is empty')
    if (footer !== null && footer.exchanges !== exchanges.length)
      throw new TraceError(0, `the footer counts ${footer.exchanges} exchanges, the trace holds ${exchanges.length}`)
    return { header, exchanges, notes: this.#notes, footer }
  }
}

/** The whole trace; `footer` is `null` when the file has none. Throws TraceError. */
export const readTrace = async (source: TraceSource): Promise<Trace> => {
  const collection = new Collection()
  for await (const { line, record } of readRecords(source)) collection.take(record, line)
  return collection.whole()
}

/** The same for a text at hand, at once. */
export const decodeTrace = (text: string): Trace => {
  const collection = new Collection()
  for (const { line, record } of recordsIn(text.split('\n'))) collection.take(record, line)
  return collection.whole()
}

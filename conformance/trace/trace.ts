/**
 * The trace as NDJSON: header first, exchanges and notes in between, footer last. Writing is deterministic, so that
 * reading and writing again gives the same bytes; reading names the broken line and never guesses a footer.
 */
import type { Exchange, ProbeNote, Trace, TraceFooter, TraceHeader, TraceRecord } from './exchange.ts'
import { inOrder } from './key-order.ts'
import { recordFault } from './validate-record.ts'

/** The problem with a trace file, and its line. */
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

/** The records with their line numbers, counted from 1; throws TraceError for the first broken line. */
function* recordsIn(lines: readonly string[]): Generator<{ line: number; record: TraceRecord }> {
  let isFirst = true
  let ended = false
  let blankAt = 0
  for (const [index, text] of lines.entries()) {
    const line = index + 1
    if (text === '') {
      blankAt ||= line
      continue
    }
    if (blankAt > 0) throw new TraceError(blankAt, 'a blank line')
    const record = parseRecord(text, line)
    const fault = orderFault(record, isFirst, ended)
    if (fault !== null) throw new TraceError(line, fault)
    isFirst = false
    ended = record.kind === 'footer'
    yield { line, record }
  }
}

/** The records read so far, and the checks of the whole trace. */
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

/** The whole trace; `footer` is `null` when the text has none. Throws TraceError. */
export const decodeTrace = (text: string): Trace => {
  const collection = new Collection()
  for (const { line, record } of recordsIn(text.split('\n'))) collection.take(record, line)
  return collection.whole()
}

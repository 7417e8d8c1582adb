/**
 * Indexes a long trace line by line: where each exchange stands, and which belong together. A few numbers for each are all
 * that stays in memory.
 */
import type { Buffer } from 'node:buffer'
import { textOfPieces } from '../../trace/bytes.ts'
import type { Exchange, ProbeNote, TraceFooter, TraceHeader } from '../../trace/exchange.ts'
import { parseRecord, TraceError } from '../../trace/trace.ts'
import { judgeProfile } from '../judge-profile.ts'
import { hashWhole } from './hash-text.ts'
import { createLineReader, type LineFacts } from './line-facts.ts'
import { NumberTable } from './number-table.ts'

/** A line that other lines are judged by: it goes to every part in which its key is used. */
interface ContextLine {
  readonly line: number
  readonly key: number
  readonly isList: boolean
}

export interface TraceIndex {
  readonly header: TraceHeader
  readonly notes: readonly ProbeNote[]
  readonly footer: TraceFooter | null
  /** By exchange, counted from 0: place in the file, length, key, and the first exchange of its component. */
  readonly offsets: readonly number[]
  readonly lengths: readonly number[]
  readonly keys: readonly number[]
  readonly components: readonly number[]
  readonly context: readonly ContextLine[]
}

/** Different lists of one key that are kept; a service that lists something new every time is judged by these. */
const mostLists = 64
/** Any success shows that a key is valid. */
const accepted = '"response":{"status":2'

/** Takes the lines of a trace one after another. */
export class TraceIndexer {
  readonly #offsets: number[] = []
  readonly #lengths: number[] = []
  readonly #keys: number[] = []
  readonly #parents: number[] = []
  /** By the hash of a link: two links of one hash are judged together, which changes no verdict. */
  readonly #links = new NumberTable()
  readonly #keyNumbers = new Map<string | null, number>()
  readonly #goodKeys = new Map<number, number>()
  readonly #lists = new Map<number, Map<number, { readonly first: number; last: number }>>()
  readonly #ids = new ExchangeIds()
  readonly #notes: ProbeNote[] = []
  #header: TraceHeader | null = null
  #footer: TraceFooter | null = null
  #read: ((line: Buffer, number: number) => LineFacts) | null = null
  #number = 0
  #blankAt = 0
  /** Footers of the files before this one, and the exchanges that they held. */
  readonly #ended: TraceFooter[] = []
  #before = 0
  #opensFile = true

  /** Takes a line without its LF; throws TraceError for what cannot be part of a trace. */
  take(line: Buffer, offset: number): void {
    this.#number += 1
    if (line.length === 0) {
      this.#blankAt ||= this.#number
      return
    }
    if (this.#blankAt > 0) throw new TraceError(this.#blankAt, 'a blank line')
    if (this.#footer !== null) throw new TraceError(this.#number, 'nothing may follow the footer')
    if (this.#read !== null && line.toString('latin1', 0, 19) === '{"kind":"exchange",')
      this.#takeExchange(line, offset)
    else this.#takeOther(line, offset)
  }

  /** The lines of a further file of the same recording follow; its header is passed over. */
  nextFile(): void {
    this.#checkCount()
    if (this.#footer !== null) this.#ended.push(this.#footer)
    this.#footer = null
    this.#before = this.#offsets.length
    this.#number = 0
    this.#blankAt = 0
    this.#opensFile = true
  }

  /** The index of a trace that is over. */
  finish(): TraceIndex {
    if (this.#header === null) throw new TraceError(0, 'the trace is empty')
    this.#checkCount()
    return {
      header: this.#header,
      notes: this.#notes,
      footer: this.#footer === null ? null : [...this.#ended, this.#footer].reduce(joinedFooter),
      offsets: this.#offsets,
      lengths: this.#lengths,
      keys: this.#keys,
      components: this.#parents.map((_, exchange) => this.#rootOf(exchange)),
      context: this.#context(),
    }
  }

  #checkCount(): void {
    const count = this.#offsets.length - this.#before
    if (this.#footer !== null && this.#footer.exchanges !== count)
      throw new TraceError(0, `the footer counts ${this.#footer.exchanges} exchanges, the trace holds ${count}`)
  }

  #takeOther(line: Buffer, offset: number): void {
    const record = parseRecord(line.toString(), this.#number)
    if (this.#header === null && record.kind !== 'header')
      throw new TraceError(this.#number, `a trace opens with its header, not with: ${record.kind}`)
    if (record.kind === 'exchange') this.#takeExchange(line, offset)
    else if (record.kind === 'note') this.#notes.push(record)
    else if (record.kind === 'footer') this.#footer = record
    else this.#takeHeader(record)
  }

  #takeHeader(record: TraceHeader): void {
    if (!this.#opensFile) throw new TraceError(this.#number, 'a second header')
    this.#opensFile = false
    if (this.#header !== null) return
    this.#header = record
    this.#read = createLineReader(judgeProfile(record))
  }

  #takeExchange(line: Buffer, offset: number): void {
    const facts = this.#read?.(line, this.#number)
    if (facts === undefined) return
    if (!this.#ids.add(facts.id)) throw new TraceError(this.#number, `a second exchange ${facts.id}`)
    const exchange = this.#offsets.length
    const key = this.#keyNumber(facts.key)
    this.#offsets.push(offset)
    this.#lengths.push(line.length)
    this.#keys.push(key)
    this.#parents.push(exchange)
    for (const link of facts.links) this.#join(link, exchange)
    this.#keepContext(line, facts, exchange, key)
  }

  #keyNumber(key: string | null): number {
    const known = this.#keyNumbers.get(key)
    if (known !== undefined) return known
    this.#keyNumbers.set(key, this.#keyNumbers.size)
    return this.#keyNumbers.size - 1
  }

  #join(link: string, exchange: number): void {
    const hash = hashWhole(link)
    const known = this.#links.get(hash)
    if (known === null) {
      this.#links.set(hash, exchange)
      return
    }
    const [one, other] = [this.#rootOf(known), this.#rootOf(exchange)]
    if (one !== other) this.#parents[Math.max(one, other)] = Math.min(one, other)
  }

  #rootOf(exchange: number): number {
    let root = exchange
    while (this.#parents[root] !== root) root = this.#parents[root] ?? root
    for (let at = exchange; at !== root; ) {
      const next = this.#parents[at] ?? root
      this.#parents[at] = root
      at = next
    }
    return root
  }

  #keepContext(line: Buffer, { operation }: LineFacts, exchange: number, key: number): void {
    const isList = operation === 'listAssistants'
    if (!isList && this.#goodKeys.has(key)) return
    if (line.indexOf(accepted) < 0) return
    if (!this.#goodKeys.has(key)) this.#goodKeys.set(key, exchange)
    if (!isList) return
    const { response } = parseRecord(line.toString(), this.#number) as Exchange
    const text = hashWhole(textOfPieces(response?.pieces ?? []))
    const lists = this.#lists.get(key) ?? new Map<number, { readonly first: number; last: number }>()
    this.#lists.set(key, lists)
    const known = lists.get(text)
    if (known !== undefined) known.last = exchange
    else if (lists.size < mostLists) lists.set(text, { first: exchange, last: exchange })
  }

  #context(): readonly ContextLine[] {
    const lists = [...this.#lists].flatMap(([key, texts]) =>
      [...texts.values()].flatMap(({ first, last }) =>
        [...new Set([first, last])].map((line) => ({ line, key, isList: true })),
      ),
    )
    const listed = new Set(lists.map(({ line }) => line))
    const good = [...this.#goodKeys].flatMap(([key, line]) => (listed.has(line) ? [] : { line, key, isList: false }))
    return [...lists, ...good]
  }
}

const joinedFooter = (one: TraceFooter, other: TraceFooter): TraceFooter => ({
  ...other,
  exchanges: one.exchanges + other.exchanges,
  modelCalls: one.modelCalls + other.modelCalls,
  durationMs: Math.max(one.durationMs, other.durationMs),
  complete: one.complete && other.complete,
})

/** Ids that came so far; those of a recording are numbered, and a bit remembers each. */
class ExchangeIds {
  #numbered = new Uint8Array(1024)
  readonly #others = new Set<string>()

  /** Whether the id is new. */
  add(id: string): boolean {
    const number = /^E[1-9]\d{0,7}$/.test(id) ? Number(id.slice(1)) : null
    if (number === null) {
      if (this.#others.has(id)) return false
      this.#others.add(id)
      return true
    }
    const byte = number >> 3
    const bit = 1 << (number & 7)
    if (byte >= this.#numbered.length) {
      const longer = new Uint8Array(Math.max(byte + 1, this.#numbered.length * 2))
      longer.set(this.#numbered)
      this.#numbered = longer
    }
    if (((this.#numbered[byte] ?? 0) & bit) !== 0) return false
    this.#numbered[byte] = (this.#numbered[byte] ?? 0) | bit
    return true
  }
}

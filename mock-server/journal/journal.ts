/**
 * The journal of a world keeps every exchange in a ring of bounded size. It is a ring and not a Map, because repeatedly
 * removing the oldest key of a Map halves the throughput of the server.
 */
import type { InFlightRequest } from '../exchange/in-flight-request.ts'
import { checkLimit, type OptionNames, refuseUnknown } from '../option-error.ts'
import { warnOf } from '../warning.ts'
import { exportCurl } from './export-curl.ts'
import { exportHar } from './export-har.ts'
import { type ExportContext, exportTrace } from './export-trace.ts'
import { JournalEntry } from './journal-entry.ts'
import { checkFilter, fitsFilter, type JournalFilter } from './journal-filter.ts'
import { viewEntry } from './journal-view.ts'
import { redactionOf } from './redaction.ts'

export interface Journal {
  record(exchange: InFlightRequest): void
  /** Fitting entries that are still kept, oldest first. */
  query(filter?: JournalFilter): readonly JournalEntry[]
  /**
   * Waits (in real time) until `count` entries fit, those already kept included; rejects with a JournalTimeout when the
   * time is up, the signal aborts or the mock is closed.
   */
  wait(filter: JournalFilter, options?: WaitOptions): Promise<readonly JournalEntry[]>
  /** Whether a caller waits. */
  isAwaited(): boolean
  /** Ends every wait like a timeout. */
  endWaits(): void
  /** Fitting entries as a trace of the suite (NDJSON), a HAR 1.2 document, or curl commands; keys are redacted. */
  export(format: JournalFormat, filter?: JournalFilter): string
  /** Fitting entries as JSON; keys are redacted. */
  view(filter?: JournalFilter): readonly EntryView[]
  /** One entry as JSON. */
  viewOf(entry: JournalEntry): EntryView
  /** Exchanges so far, kept or not; the number of the latest one. */
  total(): number
  clear(): void
}

interface WaitOptions {
  /** Default 1. */
  readonly count?: number
  /** Default 5,000. */
  readonly timeoutMs?: number
  readonly signal?: AbortSignal | null
}

export const journalFormats = ['trace', 'har', 'curl'] as const
export type JournalFormat = (typeof journalFormats)[number]
export type EntryView = ReturnType<typeof viewEntry>

/** Not enough entries came in time. */
export class JournalTimeout extends Error {
  readonly code = 'journal-timeout'
  readonly found: readonly JournalEntry[]

  constructor(wanted: number, found: readonly JournalEntry[], timeoutMs: number) {
    super(`journal: ${found.length} of ${wanted} exchanges came within ${timeoutMs} ms`)
    this.name = 'JournalTimeout'
    this.found = found
  }
}

interface Waiting {
  readonly filter: JournalFilter
  check(): void
  end(): void
}

/** The limits of a journal; the oldest exchanges are dropped first. */
export interface JournalLimits {
  readonly entries: number
  /** Bodies, headers and targets together. */
  readonly bytes: number
}

const limitNames = { entries: true, bytes: true } as const satisfies OptionNames<JournalLimits>

/** Throws an OptionError for limits that no journal can keep. */
export function checkJournalLimits(limits: Partial<JournalLimits> = {}): void {
  refuseUnknown('journal', limits, limitNames)
  for (const name of ['entries', 'bytes'] as const) checkLimit(`journal.${name}`, limits[name])
}

/** An empty journal of a world with this cast; `told` is called with every entry. */
export function createJournal(
  limits: JournalLimits,
  world: Omit<ExportContext, 'redaction'>,
  told: ((entry: JournalEntry) => void) | null = null,
): Journal {
  const ring: (JournalEntry | undefined)[] = []
  let total = 0
  let kept = 0
  let keptBytes = 0
  const waiting = new Set<Waiting>()
  const entryAt = (number: number) => ring[(number - 1) % limits.entries]
  const dropOldest = () => {
    const oldest = total - kept + 1
    keptBytes -= entryAt(oldest)?.bytes ?? 0
    ring[(oldest - 1) % limits.entries] = undefined
    kept -= 1
  }
  const keep = (entry: JournalEntry) => {
    while (kept > 0 && (kept >= limits.entries || keptBytes + entry.bytes > limits.bytes)) dropOldest()
    total += 1
    if (limits.entries === 0) return
    ring[(total - 1) % limits.entries] = entry
    kept += 1
    keptBytes += entry.bytes
  }
  const keptEntries = (): readonly JournalEntry[] =>
    Array.from({ length: kept }, (_, index) => entryAt(total - kept + 1 + index)).filter((entry) => entry !== undefined)
  /** Those of the scenario, and those of an earlier one whose exchanges are still kept. */
  const tenants = () => {
    const used = keptEntries().flatMap(({ tenant }) => tenant ?? [])
    return [...new Set([...world.cast.tenants.map(({ name }) => name), ...used])]
  }
  const query = (filter: JournalFilter = {}): readonly JournalEntry[] => {
    checkFilter(filter, tenants)
    return keptEntries().filter((entry) => fitsFilter(entry, filter))
  }
  const context = (): ExportContext => ({ ...world, redaction: redactionOf(world.cast.secrets) })
  return {
    query,
    viewOf: (entry) => viewEntry(entry, context().redaction),
    view: (filter) => query(filter).map((entry) => viewEntry(entry, context().redaction)),
    export: (format, filter) => exporters[format](query(filter), context()),
    total: () => total,
    clear() {
      ring.length = 0
      total = 0
      kept = 0
      keptBytes = 0
    },
    record(exchange) {
      const entry = new JournalEntry(exchange, total + 1)
      keep(entry)
      tell(told, entry)
      if (waiting.size === 0) return
      for (const one of waiting) if (fitsFilter(entry, one.filter)) one.check()
    },
    async wait(filter, options = {}) {
      checkFilter(filter, tenants)
      return waitFor(waiting, query, filter, options)
    },
    isAwaited: () => waiting.size > 0,
    endWaits() {
      for (const one of [...waiting]) one.end()
    },
  }
}

/** A failing listener must end neither the exchange nor the mock. */
function tell(told: ((entry: JournalEntry) => void) | null, entry: JournalEntry): void {
  try {
    told?.(entry)
  } catch (cause) {
    warnOf('onExchange failed', cause)
  }
}

const exporters: Readonly<Record<JournalFormat, (entries: readonly JournalEntry[], context: ExportContext) => string>> =
  {
    trace: exportTrace,
    har: (entries, { redaction }) => exportHar(entries, redaction),
    curl: exportCurl,
  }

function waitFor(
  waiting: Set<Waiting>,
  query: Journal['query'],
  filter: JournalFilter,
  { count = 1, timeoutMs = 5000, signal = null }: WaitOptions,
): Promise<readonly JournalEntry[]> {
  return new Promise((resolve, reject) => {
    const forget = () => {
      clearTimeout(timer)
      waiting.delete(one)
      signal?.removeEventListener('abort', end)
    }
    const check = () => {
      const found = query(filter)
      if (found.length < count) return
      forget()
      resolve(found)
    }
    const end = () => {
      forget()
      reject(new JournalTimeout(count, query(filter), timeoutMs))
    }
    const one: Waiting = { filter, check, end }
    const timer = setTimeout(end, timeoutMs)
    waiting.add(one)
    signal?.addEventListener('abort', end)
    if (signal?.aborted === true) end()
    else check()
  })
}

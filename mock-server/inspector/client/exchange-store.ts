/** The exchanges that the page knows: those of the journal when it opened, then those of the events. Bounded. */
import type { EntryView, InjectedFault, LiveEvent, RunningExchange, SentChunk } from './wire.ts'

/** Rows that are kept; the oldest that have ended go first, some at a time. */
const mostRows = 2000
const droppedAtOnce = 200

export interface ExchangeRow {
  readonly world: string
  readonly method: string
  readonly target: string
  readonly operation: string | null
  readonly tenant: string | null
  readonly startedAt: string
  /** Id among the running ones, `null` for an exchange that never had to wait. */
  readonly id: number | null
  /** Number in the journal of its world, `null` while it runs. */
  number: number | null
  status: number
  reason: string | null
  outcome: string
  durationUs: number
  chunks: number
  /** Chunks of the whole answer; `null` for one without. */
  planned: number | null
  held: boolean
  /** The actions on it while it runs. */
  actions: RunningExchange['actions']
  faults: readonly InjectedFault[]
  /** Chunks from the events. */
  readonly sent: SentChunk[]
}

export interface ExchangeStore {
  /** Oldest first. */
  rows(): readonly ExchangeRow[]
  /** How many rows were dropped from the front. */
  dropped(): number
  find(world: string, number: number): ExchangeRow | undefined
  running(id: number): ExchangeRow | undefined
  take(event: LiveEvent): void
  /** Replaces the exchanges of a world by those of its journal; later and running ones stay. */
  load(world: string, entries: readonly EntryView[]): void
  /** Removes the exchanges of a world. */
  forget(world: string): void
}

/** An empty store. */
export function createExchangeStore(): ExchangeStore {
  let rows: ExchangeRow[] = []
  let dropped = 0
  const byId = new Map<number, ExchangeRow>()
  /** The contents of each world's journal when it was read; the events of these exchanges may come later. */
  const loaded = new Map<string, ReadonlySet<string>>()
  const add = (row: ExchangeRow) => {
    rows.push(row)
    if (row.id !== null) byId.set(row.id, row)
    if (rows.length >= mostRows + droppedAtOnce) drop()
  }
  const drop = () => {
    const ended = rows.filter((one) => !isRunning(one))
    const old = new Set([...ended, ...rows].slice(0, droppedAtOnce))
    for (const { id } of old) if (id !== null) byId.delete(id)
    rows = rows.filter((one) => !old.has(one))
    dropped += old.size
  }
  const remove = (row: ExchangeRow | undefined) => {
    if (row === undefined) return
    rows = rows.filter((one) => one !== row)
    if (row.id !== null) byId.delete(row.id)
  }
  const start = (running: RunningExchange) => {
    const known = byId.get(running.id)
    if (known !== undefined) Object.assign(known, waitOf(running))
    else add(runningRow(running))
  }
  const chunk = (sent: SentChunk) => {
    const row = byId.get(sent.id)
    // They come in their order, and again when the page connects anew.
    if (row === undefined || sent.index <= (row.sent.at(-1)?.index ?? -1)) return
    row.sent.push(sent)
    row.chunks = row.sent.length
  }
  return {
    rows: () => rows,
    dropped: () => dropped,
    find: (world, number) => rows.find((row) => row.number === number && row.world === world),
    running: (id) => byId.get(id),
    take(event) {
      if (event.event === 'open') {
        for (const one of event.running) start(one)
        for (const one of event.sent) chunk(one)
      } else if (event.event === 'running') start(event)
      else if (event.event === 'chunk') chunk(event)
      else if (event.event === 'exchange') {
        const known = event.id === null ? undefined : byId.get(event.id)
        if (loaded.get(event.world)?.has(keyOf(event)) === true) return remove(known)
        const row = known ?? runningRow({ ...event, id: event.id ?? -1, held: false, chunks: null, actions: [] })
        const { number, status, reason, outcome, duration_us: durationUs, chunks, faults } = event
        Object.assign(row, { number, status, reason, outcome, durationUs, chunks, faults, held: false })
        if (known === undefined) add(row)
      }
    },
    load(world, entries) {
      const last = entries.at(-1)?.number ?? 0
      loaded.set(world, new Set(entries.map(keyOf)))
      const later = rows.filter((row) => row.world === world && (row.number === null || row.number > last))
      rows = [...rows.filter((row) => row.world !== world), ...entries.map(rowOfEntry), ...later].slice(-mostRows)
    },
    forget(world) {
      loaded.delete(world)
      rows = rows.filter((row) => row.world !== world || row.number === null)
    },
  }
}

/** A world that is made anew counts from the beginning, so that a number alone names no exchange. */
const keyOf = ({ number, started_at }: Pick<EntryView, 'number' | 'started_at'>): string => `${number} ${started_at}`

/** Whether an exchange still runs. */
export function isRunning({ number }: ExchangeRow): boolean {
  return number === null
}

function waitOf({ held, actions, chunks: planned }: RunningExchange) {
  return { held, actions, planned }
}

function runningRow(running: RunningExchange): ExchangeRow {
  const { id, world, method, target, operation, tenant, started_at: startedAt } = running
  return {
    ...{ world, method, target, operation, tenant, startedAt, ...waitOf(running) },
    ...{ id: id < 0 ? null : id, number: null, status: 0, reason: null, outcome: 'pending' },
    ...{ durationUs: 0, chunks: 0, faults: [], sent: [] },
  }
}

function rowOfEntry(entry: EntryView): ExchangeRow {
  const { world, number, request, operation, tenant, reason, outcome, faults } = entry
  const durationUs = (Date.parse(entry.ended_at) - Date.parse(entry.started_at)) * 1000
  return {
    ...{ world, number, operation, tenant, reason, outcome, faults, durationUs },
    ...{ method: request.method, target: request.target, startedAt: entry.started_at, id: null, held: false },
    ...{ status: entry.response?.status ?? 0, chunks: entry.chunk_times.length, planned: null, sent: [], actions: [] },
  }
}

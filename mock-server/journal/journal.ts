/**
 * The journal of a world: every exchange, kept in a ring so that memory is bounded however long the mock runs.
 * A ring and not a Map: taking the oldest key of a Map again and again halves the throughput of the whole server.
 */
import type { OperationId } from '../../spec/index.ts'
import type { ClientOutcome, Exchange } from '../http/exchange.ts'
import type { RequestBody, RequestHeaders } from '../http/request.ts'
import type { ReasonId } from '../machine/rejection.ts'

/** One exchange as the journal tells it. */
export interface JournalEntry {
  /** Number of the exchange in its world, from 1. */
  readonly number: number
  readonly world: string
  readonly method: string
  /** Path and query as sent. */
  readonly target: string
  readonly headers: RequestHeaders
  readonly body: RequestBody
  readonly operation: OperationId | null
  /** Name of the tenant whose key was used. */
  readonly tenant: string | null
  readonly status: number
  readonly reason: ReasonId | null
  readonly startedAtUs: number
  readonly endedAtUs: number
  readonly chunkTimesUs: readonly number[]
  /** `left` after as many chunks as there are chunk times. */
  readonly outcome: ClientOutcome
}

/** Which entries are meant; every given field must fit. */
export interface JournalFilter {
  readonly operation?: OperationId
  readonly method?: string
  readonly target?: string | RegExp
  readonly tenant?: string
  readonly status?: number
  readonly reason?: ReasonId
  readonly outcome?: ClientOutcome
}

export interface Journal {
  record(exchange: Exchange): void
  /** Fitting entries that are still kept, oldest first. */
  query(filter?: JournalFilter): readonly JournalEntry[]
  /** Waits (in real time) until `count` entries fit, those already kept included; rejects with a JournalTimeout. */
  wait(
    filter: JournalFilter,
    options?: { readonly count?: number; readonly timeoutMs?: number },
  ): Promise<readonly JournalEntry[]>
  /** Exchanges so far, kept or not. */
  total(): number
  clear(): void
}

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
}

/** A journal that keeps the latest `capacity` exchanges. */
export function createJournal(capacity: number): Journal {
  let ring: JournalEntry[] = []
  let total = 0
  const waiting = new Set<Waiting>()
  const query = (filter: JournalFilter = {}) => inOrder(ring, total, capacity).filter((entry) => fits(entry, filter))
  return {
    query,
    total: () => total,
    clear() {
      ring = []
      total = 0
    },
    record(exchange) {
      const entry = entryOf(exchange, total + 1)
      if (capacity > 0) ring[total % capacity] = entry
      total += 1
      if (waiting.size === 0) return
      for (const one of waiting) if (fits(entry, one.filter)) one.check()
    },
    wait(filter, { count = 1, timeoutMs = 5000 } = {}) {
      return new Promise((resolve, reject) => {
        const check = () => {
          const found = query(filter)
          if (found.length < count) return
          clearTimeout(timer)
          waiting.delete(one)
          resolve(found)
        }
        const one: Waiting = { filter, check }
        const timer = setTimeout(() => {
          waiting.delete(one)
          reject(new JournalTimeout(count, query(filter), timeoutMs))
        }, timeoutMs)
        waiting.add(one)
        check()
      })
    },
  }
}

function inOrder(ring: readonly JournalEntry[], total: number, capacity: number): readonly JournalEntry[] {
  if (total <= capacity) return ring
  const start = total % capacity
  return [...ring.slice(start), ...ring.slice(0, start)]
}

function entryOf(exchange: Exchange, number: number): JournalEntry {
  const { world, request } = exchange
  return {
    number,
    world: world.name,
    method: request.method,
    target: request.target,
    headers: request.headers,
    body: request.body,
    operation: exchange.operation,
    tenant: exchange.caller?.tenant.name ?? null,
    status: exchange.status,
    reason: exchange.reason,
    startedAtUs: exchange.startedAtUs,
    endedAtUs: world.clock.nowUs(),
    chunkTimesUs: exchange.chunkTimesUs,
    outcome: exchange.outcome,
  }
}

function fits(entry: JournalEntry, filter: JournalFilter): boolean {
  const { target } = filter
  return (
    (filter.operation === undefined || entry.operation === filter.operation) &&
    (filter.method === undefined || entry.method === filter.method) &&
    (filter.tenant === undefined || entry.tenant === filter.tenant) &&
    (filter.status === undefined || entry.status === filter.status) &&
    (filter.reason === undefined || entry.reason === filter.reason) &&
    (filter.outcome === undefined || entry.outcome === filter.outcome) &&
    (target === undefined || (typeof target === 'string' ? entry.target.includes(target) : target.test(entry.target)))
  )
}

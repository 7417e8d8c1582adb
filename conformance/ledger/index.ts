/**
 * The ledger: all threads of a trace, folded from its readings. Built once; the oracles and the classification ask it.
 */
import { threadKey } from '../classify/forms.ts'
import { queryValues, type Reading } from '../classify/reading.ts'
import type { JudgeProfile } from '../judging/judge-profile.ts'
import { type Calls, threadCalls } from './calls.ts'
import { Homes } from './homes.ts'
import { threadOrigins, unreadCompletions } from './origins.ts'
import { pageOf, viewsOf } from './pages.ts'
import { foldViews } from './presence.ts'
import type { Page, ThreadLedger, ThreadOrigin, Write } from './thread-ledger.ts'
import { Timeline } from './timeline.ts'
import { threadOf, writesOf } from './writes.ts'

/** A thread with the questions that can be asked about it. */
export interface LedgerThread extends ThreadLedger {
  readonly timeline: Timeline
  readonly calls: Calls
}

export interface Ledger {
  readonly threads: readonly LedgerThread[]
  /** By id in any spelling. */
  readonly thread: (id: string) => LedgerThread | null
  /** The threads in which an assistant asked for a tool call of this id. */
  readonly threadsAsking: (callId: string) => readonly LedgerThread[]
  /** The page of an accepted list. */
  readonly pageOf: (reading: Reading) => Page | null
  /** The writes of a request. */
  readonly writesOf: (reading: Reading) => readonly Write[]
  /** Whether an answer that could not be read as a completion's mentions this thread. */
  readonly isMentioned: (id: string) => boolean
}

/** Folds readings, in the order of sending, into threads. */
export function buildLedger(readings: readonly Reading[], profile: JudgeProfile): Ledger {
  const folding = new Folding(readings, profile)
  for (const reading of readings) folding.take(reading)
  const threads = folding.threads()
  const unread = unreadCompletions(readings)
  const byId = new Map(threads.map((thread) => [thread.id, thread]))
  return {
    threads,
    thread: (id) => byId.get(id) ?? byId.get(threadKey(id)) ?? null,
    threadsAsking: callIndex(threads),
    pageOf: (reading) => folding.pages.get(reading) ?? null,
    writesOf: (reading) => folding.writes.get(reading) ?? [],
    isMentioned: (id) => unread.some((text) => text.includes(id.toLowerCase())),
  }
}

function callIndex(threads: readonly LedgerThread[]): Ledger['threadsAsking'] {
  const asking = new Map<string, LedgerThread[]>()
  for (const thread of threads) {
    for (const id of thread.calls.keys()) {
      const known = asking.get(id)
      if (known === undefined) asking.set(id, [thread])
      else known.push(thread)
    }
  }
  return (id) => asking.get(id) ?? []
}

class Folding {
  readonly pages = new Map<Reading, Page>()
  readonly writes = new Map<Reading, readonly Write[]>()
  readonly #threads = new Map<string, ThreadLedger>()
  readonly #origins: ReadonlyMap<string, ThreadOrigin>
  readonly #profile: JudgeProfile
  readonly #homes = new Homes()

  constructor(readings: readonly Reading[], profile: JudgeProfile) {
    this.#profile = profile
    this.#origins = threadOrigins(readings, profile)
    for (const id of this.#origins.keys()) this.#open(id)
  }

  take(reading: Reading): void {
    const id = threadOf(reading)
    if (id === null) return
    const thread = this.#threads.get(id) ?? this.#open(id)
    const page = pageOf(reading, thread.origin.tenant)
    if (page !== null) {
      this.pages.set(reading, page)
      thread.pages.push(page)
      const cursor = `${reading.tenant} ${page.cursorOut}`
      if (!thread.cursors.has(cursor)) thread.cursors.set(cursor, reading.endedAtMs)
    }
    const writes = writesOf(reading, this.#profile.tools)
    if (writes.length > 0) this.writes.set(reading, writes)
    for (const write of writes) this.#add(thread, write)
    // A completion inside a thread that it did not make: what it adds is the gap threads.completion-in-thread.
    const adds = writes.some(({ kind, status }) => kind === 'sent' && status !== 'refused')
    if (adds && queryValues(reading, 'thread_id').length > 0) thread.alone = false
  }

  threads(): readonly LedgerThread[] {
    return [...this.#threads.values()].map((thread) => {
      thread.writes.sort((left, right) => left.sentAtMs - right.sentAtMs)
      thread.acknowledged = thread.writes
        .filter(({ status }) => status === 'acknowledged')
        .sort((left, right) => left.certainFromMs - right.certainFromMs)
      thread.views = viewsOf(thread.pages.filter(({ isPlain }) => isPlain))
      foldViews(thread, this.#homes)
      return Object.assign(thread, { timeline: new Timeline(thread), calls: threadCalls(thread, this.#profile.tools) })
    })
  }

  #add(thread: ThreadLedger, write: Write): void {
    if (write.status === 'refused') {
      thread.refusals.push(write)
      return
    }
    thread.writes.push(write)
    this.#homes.add(write, thread.id)
  }

  #open(id: string): ThreadLedger {
    const thread: ThreadLedger = {
      id,
      origin: this.#origins.get(id) ?? unseen,
      alone: this.#profile.source === 'suite',
      writes: [],
      acknowledged: [],
      refusals: [],
      pages: [],
      views: [],
      sharedIds: new Set(),
      lost: [],
      stored: new Map(),
      cursors: new Map(),
    }
    this.#threads.set(id, thread)
    return thread
  }
}

const unseen: ThreadOrigin = {
  kind: 'unseen',
  tenant: null,
  startsEmpty: false,
  fromMs: Number.POSITIVE_INFINITY,
  assistant: null,
  by: null,
  again: [],
}

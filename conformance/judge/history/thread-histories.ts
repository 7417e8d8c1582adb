/**
 * Reconstructs all threads of a trace from its exchanges. It is built once; the oracles and the classification query it.
 */

import { interruptedRun } from '../../trace/exchange.ts'
import type { JudgeProfile } from '../judge-profile.ts'
import { type ThreadKey, threadKey } from '../read/formats.ts'
import { type ParsedExchange, queryValues } from '../read/parsed-exchange.ts'
import { foldViews } from './match-listings.ts'
import { MessageOwners } from './message-owners.ts'
import { pageOf, viewsOf } from './pages.ts'
import { areTwoTenants, createdByMessage, threadOrigins, unreadCompletions, unseen } from './thread-origins.ts'
import type { Page, ThreadOrigin, ThreadRecord, Write } from './thread-record.ts'
import { Timeline } from './timeline.ts'
import { type Calls, threadCalls, withoutUnreadCalls } from './tool-calls.ts'
import { threadOf, writesOf } from './writes.ts'

/** A thread with the questions that can be asked about it. */
export interface ThreadHistory extends ThreadRecord {
  readonly timeline: Timeline
  readonly calls: Calls
}

export interface ThreadHistories {
  readonly threads: readonly ThreadHistory[]
  /** By id in any spelling. */
  readonly thread: (id: string) => ThreadHistory | null
  /** The threads in which an assistant asked for a tool call of this id. */
  readonly threadsAsking: (callId: string) => readonly ThreadHistory[]
  /** The page of an accepted list. */
  readonly pageOf: (parsed: ParsedExchange) => Page | null
  /** The writes of a request. */
  readonly writesOf: (parsed: ParsedExchange) => readonly Write[]
  /** Whether a message created the thread that it names. */
  readonly messagesMakeThreads: boolean
  /** Whether an answer that could not be read as a completion's mentions this thread. */
  readonly isMentioned: (id: string) => boolean
}

/** Folds readings, in the order of sending, into threads. */
export function reconstructThreads(parsedExchanges: readonly ParsedExchange[], profile: JudgeProfile): ThreadHistories {
  const folding = new Folding(parsedExchanges, profile)
  for (const parsed of parsedExchanges) folding.take(parsed)
  const threads = folding.threads()
  const unread = unreadCompletions(parsedExchanges)
  const byId = new Map<string, ThreadHistory>(threads.map((thread) => [thread.id, thread]))
  return {
    threads,
    thread: (id) => byId.get(id) ?? byId.get(threadKey(id)) ?? null,
    threadsAsking: callIndex(threads),
    pageOf: (parsed) => folding.pages.get(parsed) ?? null,
    writesOf: (parsed) => folding.writes.get(parsed) ?? [],
    messagesMakeThreads: threads.some(createdByMessage),
    isMentioned: (id) => unread.some((text) => text.includes(id.toLowerCase())),
  }
}

/** The exchanges before a result that asked for its call, in any thread. */
export function askersOf(histories: ThreadHistories, parsed: ParsedExchange): readonly ParsedExchange[] {
  const ids = histories.writesOf(parsed).flatMap(({ answersCall }) => answersCall ?? [])
  return ids.flatMap((id) =>
    histories.threadsAsking(id).flatMap(({ calls }) => {
      const by = calls.get(id)?.askedBy?.parsed
      return by !== undefined && by.endedAtMs <= parsed.sentAtMs ? [by] : []
    }),
  )
}

function callIndex(threads: readonly ThreadHistory[]): ThreadHistories['threadsAsking'] {
  const asking = new Map<string, ThreadHistory[]>()
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
  readonly pages = new Map<ParsedExchange, Page>()
  readonly writes = new Map<ParsedExchange, readonly Write[]>()
  readonly #threads = new Map<ThreadKey, ThreadRecord>()
  readonly #origins: ReadonlyMap<ThreadKey, ThreadOrigin>
  readonly #profile: JudgeProfile
  readonly #homes = new MessageOwners()

  constructor(parsedExchanges: readonly ParsedExchange[], profile: JudgeProfile) {
    this.#profile = profile
    this.#origins = threadOrigins(parsedExchanges, profile)
    for (const id of this.#origins.keys()) this.#open(id)
  }

  take(parsed: ParsedExchange): void {
    const id = threadOf(parsed)
    if (id === null) return
    const thread = this.#threads.get(id) ?? this.#open(id)
    const page = pageOf(parsed, thread.origin.tenant)
    if (page !== null) {
      this.pages.set(parsed, page)
      thread.pages.push(page)
      const cursor = `${parsed.tenant} ${page.cursorOut}`
      if (!thread.cursors.has(cursor)) thread.cursors.set(cursor, parsed.endedAtMs)
    }
    const writes = writesOf(parsed, this.#profile.tools).map((write) => ofForeigner(write, thread.origin))
    if (writes.length > 0) this.writes.set(parsed, writes)
    for (const write of writes) this.#add(thread, write)
    // A completion inside a thread that it did not make: what it adds is the gap threads.completion-in-thread.
    const adds = writes.some(({ kind, status }) => kind === 'sent' && status !== 'refused')
    if (adds && queryValues(parsed, 'thread_id').length > 0) thread.alone = false
    // Data of a stream whose run died is in no trace.
    const { failure, intent } = parsed.exchange
    const isLost = failure === interruptedRun && intent?.expects === 'accepted'
    if (isLost && parsed.operation === 'streamThreadRun') thread.alone = false
  }

  threads(): readonly ThreadHistory[] {
    const { tools } = this.#profile
    const threads = [...this.#threads.values()]
    for (const thread of threads) {
      thread.writes.sort((left, right) => left.sentAtMs - right.sentAtMs)
      thread.acknowledged = thread.writes
        .filter(({ status }) => status === 'acknowledged')
        .sort((left, right) => left.certainFromMs - right.certainFromMs)
      thread.views = viewsOf(thread.pages.filter(({ isPlain }) => isPlain))
      foldViews(thread, this.#homes)
    }
    const calls = withoutUnreadCalls(
      threads.map((thread) => threadCalls(thread, tools)),
      tools,
    )
    return threads.map((thread, index) =>
      Object.assign(thread, { timeline: new Timeline(thread), calls: calls[index] ?? new Map() }),
    )
  }

  #add(thread: ThreadRecord, write: Write): void {
    if (write.status === 'refused') {
      thread.refusals.push(write)
      return
    }
    thread.writes.push(write)
    this.#homes.add(write, thread.id)
  }

  #open(id: ThreadKey): ThreadRecord {
    const origin = this.#origins.get(id) ?? unseen
    const { source, exclusive } = this.#profile
    const isExclusive = source === 'suite' || (origin.kind !== 'unseen' && exclusive.has(origin.tenant ?? ''))
    const thread: ThreadRecord = {
      id,
      origin,
      exclusive: isExclusive,
      alone: isExclusive,
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

/** The contract does not say where a message that another tenant adds goes: to this thread, or to one of the same id. */
function ofForeigner(write: Write, { tenant }: ThreadOrigin): Write {
  const isForeign = write.status === 'acknowledged' && areTwoTenants(tenant, write.parsed.tenant)
  if (!isForeign || write.kind !== 'created') return write
  return { ...write, status: 'possible', certainFromMs: Number.POSITIVE_INFINITY }
}

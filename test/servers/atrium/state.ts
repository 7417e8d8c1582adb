/**
 * Holds the state of Atrium: tenants by key, threads, files and a clock.
 * The clock never gives the same microsecond twice, so that the order of messages is the order of their timestamps.
 */
import { randomUUID } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import type { Message, MessageDraft, StoredFile, Tenant, Thread } from './records.ts'

/** Makes timestamps in microseconds, each later than the one before. */
export class Clock {
  #last = 0

  /** The present moment as the contract writes it. */
  timestamp(): string {
    const micros = Math.max(Math.floor((performance.timeOrigin + performance.now()) * 1000), this.#last + 1)
    this.#last = micros
    const millis = new Date(Math.floor(micros / 1000)).toISOString().slice(0, -1)
    return `${millis}${String(micros % 1000).padStart(3, '0')}Z`
  }
}

/** The memory of one running server. */
export class State {
  readonly clock: Clock
  readonly tenantIdsByKey: ReadonlyMap<string, string>
  readonly tenants: ReadonlyMap<string, Tenant>
  readonly files = new Map<string, StoredFile>()
  /** Where the server is reached; set once it listens. */
  origin = ''
  readonly #threads = new Map<string, Thread>()

  constructor(clock: Clock, tenants: readonly Tenant[], orphanKey: string) {
    this.clock = clock
    this.tenants = new Map(tenants.map((tenant) => [tenant.id, tenant]))
    this.tenantIdsByKey = new Map([
      ...tenants.flatMap((tenant) => tenant.apiKeys.map((key): [string, string] => [key.api_key, tenant.id])),
      [orphanKey, randomUUID()],
    ])
  }

  /** Opens a thread of a tenant. */
  openThread(tenantId: string, fromCompletion: boolean): Thread {
    const thread = { id: randomUUID(), tenantId, fromCompletion, createdAt: this.clock.timestamp(), messages: [] }
    this.#threads.set(thread.id, thread)
    return thread
  }

  /** A thread, provided that it is the tenant's own. */
  threadOf(tenantId: string, threadId: string): Thread | null {
    const thread = this.#threads.get(threadId)
    return thread?.tenantId === tenantId ? thread : null
  }

  /** A file, provided that it is the tenant's own and not yet removed. */
  fileOf(tenantId: string, fileId: string): StoredFile | null {
    const file = this.files.get(fileId)
    if (file?.tenantId !== tenantId) return null
    return file.removedAt !== null && file.removedAt <= Date.now() ? null : file
  }

  /** Puts a message at the end of a thread. */
  append(thread: Thread, draft: MessageDraft, id: string = randomUUID()): Message {
    const message = { id, thread_id: thread.id, created_at: this.clock.timestamp(), ...draft }
    thread.messages.push(message)
    return message
  }
}

/**
 * Keeps threads and serves their pages by key: a page starts strictly below the position that the cursor names.
 * No look-ahead: a full last page still has a cursor, and that cursor leads to an empty page.
 */
import { currentMicros, formatInstant, newId } from './identity.ts'
import type { Entry, MessageContent, MessageRecord, Position, Thread } from './model.ts'

function isBelow(entry: Entry, position: Position): boolean {
  if (entry.position.micros !== position.micros) return entry.position.micros < position.micros
  return entry.position.sequence < position.sequence
}

/** All threads of all tenants. */
export class ThreadRepository {
  readonly #threads = new Map<string, Thread>()
  #sequence = 0

  /** Opens a thread. */
  open(tenantId: string, assistantId: string, origin: Thread['origin']): Thread {
    const thread = { id: newId(), tenantId, assistantId, origin, entries: [] }
    this.#threads.set(thread.id, thread)
    return thread
  }

  /** A tenant's thread. */
  find(tenantId: string, threadId: string | null): Thread | null {
    const thread = threadId === null ? undefined : this.#threads.get(threadId)
    return thread?.tenantId === tenantId ? thread : null
  }

  /** Stores messages under one and the same instant. */
  appendAll(thread: Thread, contents: readonly MessageContent[]): MessageRecord[] {
    const micros = currentMicros()
    return contents.map((content) => {
      this.#sequence += 1
      const record = {
        ...content,
        id: newId(),
        thread_id: thread.id,
        created_at: formatInstant(micros),
        revision: 1,
        locale: null,
      }
      thread.entries.push({ position: { micros, sequence: this.#sequence }, record })
      return record
    })
  }

  /** Stores one message. */
  append(thread: Thread, content: MessageContent): MessageRecord {
    const [record] = this.appendAll(thread, [content])
    if (record === undefined) throw new Error('one message in, one record out')
    return record
  }

  /** A page, newest first, below a position or from the top. */
  page(thread: Thread, limit: number, below: Position | null): readonly Entry[] {
    const entries = below === null ? thread.entries : thread.entries.filter((entry) => isBelow(entry, below))
    return entries.slice(-limit).reverse()
  }
}

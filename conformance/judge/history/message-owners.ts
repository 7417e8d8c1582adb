/**
 * Records to which thread every message was written, by id and by words. A list that shows another thread's message is
 * a leak. The index goes by role and then by content, since a combined key would copy every text of the trace.
 */
import { textField } from '../read/json.ts'
import type { ThreadRecord, Write } from './thread-record.ts'

/** Short texts say nothing about where they come from. */
const tellingLength = 12

/** More than one thread. */
const several = null

export class MessageOwners {
  readonly #ofIds = new Map<string, string>()
  /** Role → content → the thread. */
  readonly #ofWords = new Map<string | null, Map<string, string | typeof several>>()

  /** Remembers where a write went. */
  add({ id, role, content }: Write, thread: string): void {
    if (id !== null && !this.#ofIds.has(id)) this.#ofIds.set(id, thread)
    if (content === null || content.length < tellingLength) return
    const ofRole = this.#ofWords.get(role) ?? new Map<string, string | typeof several>()
    this.#ofWords.set(role, ofRole)
    const home = ofRole.get(content)
    if (home !== thread) ofRole.set(content, home === undefined ? thread : several)
  }

  /** Whether a listed message surely belongs to another thread. */
  isElsewhere(thread: ThreadRecord, id: string, item: unknown): boolean {
    const home = this.#ofIds.get(id)
    if (home !== undefined && home !== thread.id) return true
    const role = textField(item, 'role')
    const wordsHome = this.#ofWords.get(role)?.get(textField(item, 'content') ?? '')
    if (typeof wordsHome !== 'string' || wordsHome === thread.id || !thread.origin.startsEmpty) return false
    // Two assistants may give one answer, and that of an events stream is not known.
    return !thread.writes.some((write) => write.content === null && write.role === role && write.stored === null)
  }
}

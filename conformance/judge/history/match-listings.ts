/**
 * Matches every listed message with the write that explains it. Every acknowledged write that a view should have shown
 * and did not is noted, too. One pass over the views of a thread does it; nothing is searched for.
 */
import { isTimestamp } from '../read/formats.ts'
import { fieldOf, sameJson, textField } from '../read/json.ts'
import type { MessageOwners } from './message-owners.ts'
import { sightingsOf } from './pages.ts'
import type { Explanation, Sighting, StoredMessage, ThreadRecord, View, Write } from './thread-record.ts'

/** Fills `stored`, the `stored` of writes and `missingFrom`; `owners` knows the messages of all threads. */
export function foldViews(thread: ThreadRecord, owners: MessageOwners): void {
  const unclaimed = new Unclaimed(thread)
  const answers = new Map(thread.writes.flatMap((write) => (write.kind === 'answer' ? [[write.id, write]] : [])))
  const views = [...thread.views].sort((left, right) => left.endMs - right.endMs)
  // Whether messages from before the trace may still appear.
  let mayHoldMore = thread.origin.kind === 'given'
  for (const view of views) {
    const sightings = sightingsOf(view)
    const oldestKnown = sightings.findLastIndex((sighting) => {
      const id = idOf(sighting)
      return unclaimed.explains(id, mayHoldMore ? null : sighting.item) || isKnown(thread, id)
    })
    for (const [index, sighting] of sightings.entries()) {
      const id = idOf(sighting)
      if (id === null || isUnfinished(sighting, answers.get(id))) continue
      const known = thread.stored.get(id)
      if (known === undefined) {
        const isTail = index > oldestKnown
        const explained = explain(id, sighting, {
          thread,
          unclaimed,
          owners,
          isTail,
          mayBeEarlier: mayHoldMore && isTail,
        })
        thread.stored.set(id, storedFrom(id, sighting, explained, view))
      } else compare(known, sighting)
    }
    if (view.exhaustive) mayHoldMore = false
  }
  for (const write of thread.writes) linkStored(thread, write)
  const renamed = settleCopies(thread)
  settleUnmatched(thread, unclaimed.waiting())
  thread.sharedIds = unclaimed.sharedIds()
  for (const view of views) noteMissing(thread, view, renamed)
  thread.lost = thread.acknowledged.filter(isLost)
}

/** Whether a list was read while the answer was on its way: how much of it such a list shows is open. */
const isUnfinished = ({ page: { parsed } }: Sighting, answer: Write | undefined): boolean =>
  answer !== undefined && parsed.sentAtMs < answer.parsed.endedAtMs && parsed.endedAtMs > answer.sentAtMs

/** Copies of a message that is nowhere under its own id are that message, under another id. */
function settleCopies(thread: ThreadRecord): ReadonlySet<Write> {
  const renamed = new Set<Write>()
  for (const stored of thread.stored.values()) {
    if (stored.explanation !== 'copy') continue
    const key = contentKey(stored.first.item)
    const own = thread.writes.find(
      (write) => write.id !== null && write.stored === null && keyOf(write) === key && !renamed.has(write),
    )
    if (own === undefined) continue
    renamed.add(own)
    stored.explanation = 'renamed'
  }
  return renamed
}

/** Unexplained messages, as many as there are messages of completions that no list shows, may be those. */
function settleUnmatched(thread: ThreadRecord, waiting: readonly Write[]): void {
  const strangers = [...thread.stored.values()].filter(({ explanation }) => suspicious.has(explanation))
  for (const write of strangers.length === 0 ? [] : waiting) {
    const since = strangers.filter(
      ({ explanation, first }) => suspicious.has(explanation) && first.page.parsed.endedAtMs > write.sentAtMs,
    )
    const same = since.find(({ first }) => textField(first.item, 'content') === write.content)
    const altered = same ?? since.find(({ explanation }) => explanation === 'unexplained')
    if (altered !== undefined) altered.explanation = 'altered'
  }
}

const suspicious: ReadonlySet<Explanation> = new Set(['unexplained', 'refused'])

function isLost({ missingFrom, stored }: Write): boolean {
  const missed = missingFrom.at(-1)
  return missed !== undefined && (stored === null || stored.last.page.parsed.endedAtMs < missed.startMs)
}

/** Lower case, as its page keeps it. */
const idOf = ({ page, at }: Sighting): string | null => page.ids[at] ?? null

interface Surroundings {
  readonly thread: ThreadRecord
  readonly unclaimed: Unclaimed
  readonly owners: MessageOwners
  /** Whether nothing that the trace wrote is older on this view. */
  readonly isTail: boolean
  /** The same, in a thread that held messages before the trace, of which not all were seen yet. */
  readonly mayBeEarlier: boolean
}

function explain(
  id: string,
  { item }: Sighting,
  around: Surroundings,
): { readonly why: Explanation; readonly write: Write | null } {
  if (around.mayBeEarlier && !around.unclaimed.hasId(id)) return { why: 'earlier', write: null }
  const claimed = around.unclaimed.claim(id, item)
  if (claimed !== null) return { why: 'written', write: claimed }
  if (around.owners.isElsewhere(around.thread, id, item)) return { why: 'other-thread', write: null }
  if (around.unclaimed.wasWritten(item)) return { why: 'copy', write: null }
  if (around.thread.origin.kind === 'unseen') return { why: 'earlier', write: null }
  if (around.unclaimed.wasRefused(textField(item, 'content'))) return { why: 'refused', write: null }
  if (around.isTail || !around.thread.alone) return { why: 'earlier', write: null }
  return { why: 'unexplained', write: null }
}

const isKnown = (thread: ThreadRecord, id: string | null): boolean =>
  id !== null && thread.stored.get(id)?.explanation === 'written'

function storedFrom(
  id: string,
  sighting: Sighting,
  { why, write }: { readonly why: Explanation; readonly write: Write | null },
  view: View,
): StoredMessage {
  const certainFromMs = Math.min(view.endMs, write?.certainFromMs ?? Number.POSITIVE_INFINITY)
  const stored = { id, explanation: why, write, first: sighting, last: sighting, certainFromMs, changes: [] }
  if (write !== null) {
    write.stored = stored
    if (write.status === 'possible') write.certainFromMs = certainFromMs
  }
  return stored
}

const keptFields = ['thread_id', 'role', 'content', 'created_at', 'meta_data', 'sources'] as const

function compare(known: StoredMessage, sighting: Sighting): void {
  const before = known.last
  known.last = sighting
  if (before.item === sighting.item) return
  for (const field of keptFields) {
    if (known.changes.length < 4 && !sameJson(fieldOf(before.item, field), fieldOf(sighting.item, field))) {
      known.changes.push({ before, after: sighting, field })
    }
  }
}

/** A write that nothing claimed belongs to the message of its id, unless that is another write's with other words. */
function linkStored(thread: ThreadRecord, write: Write): void {
  if (write.stored === null && write.id !== null && !isAnothers(thread, write)) {
    write.stored = thread.stored.get(write.id) ?? null
  }
}

/** Acknowledged writes from the newest on, as far back as the view surely reaches. */
function noteMissing(thread: ThreadRecord, view: View, renamed: ReadonlySet<Write>): void {
  // Among messages without ids no single message can be found missing.
  if (view.pages.some(({ ids }) => ids.includes(null))) return
  const oldest = view.exhaustive ? null : oldestWrite(thread, view)
  if (!view.exhaustive && oldest === null) return
  const shown = new Set(view.pages.flatMap((page) => page.ids))
  const acknowledged = thread.acknowledged
  for (let index = lastBefore(acknowledged, view.startMs); index >= 0; index -= 1) {
    const write = acknowledged[index]
    if (write === undefined || (oldest !== null && write.certainFromMs < oldest.sentAtMs)) return
    if (write.kind === 'sent' || write.id === null || (write.kind === 'created' && renamed.has(write))) continue
    if (shown.has(write.id) && !isAnothers(thread, write)) continue
    if (oldest === null || isSurelyNewer(write, oldest)) noteOn(write, view)
  }
}

/** Whether two writes were given one id, and the list shows the other one under it. */
function isAnothers(thread: ThreadRecord, { id, content }: Write): boolean {
  const owner = thread.stored.get(id ?? '')?.write
  return owner != null && owner.id === id && owner.content !== content
}

/** The first few and the last, so that a message that is lost from thousands of lists costs no memory. */
function noteOn(write: Write, view: View): void {
  if (write.missingFrom.length >= 4) write.missingFrom.pop()
  write.missingFrom.push(view)
}

function isSurelyNewer(write: Write, oldest: Write): boolean {
  if (write.sentAtMs > oldest.certainFromMs) return true
  if (!isTimestamp(write.createdAt) || !isTimestamp(oldest.createdAt)) return false
  return write.createdAt > oldest.createdAt
}

function oldestWrite(thread: ThreadRecord, view: View): Write | null {
  const id = view.pages.flatMap((page) => page.ids).findLast((one) => one !== null)
  return id === undefined || id === null ? null : (thread.stored.get(id)?.write ?? null)
}

/** Index of the last write that was certain before a time, in a list that is sorted by that. */
function lastBefore(writes: readonly Write[], timeMs: number): number {
  let low = 0
  let high = writes.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((writes[middle]?.certainFromMs ?? 0) < timeMs) low = middle + 1
    else high = middle
  }
  return low - 1
}

const contentKey = (item: unknown): string => `${textField(item, 'role')}\n${textField(item, 'content')}`
const keyOf = (write: Write): string => `${write.role}\n${write.content}`

/** Writes that no listed message has been matched with yet. */
class Unclaimed {
  readonly #byId = new Map<string, readonly Write[]>()
  /** Writes without an id, by role and content. */
  readonly #byContent = new Map<string, Write[]>()
  readonly #thread: ThreadRecord
  /** Role and content of all writes; only what no write explains is looked up here. */
  #contents: ReadonlySet<string> | null = null
  readonly #refused: ReadonlySet<string | null>

  constructor(thread: ThreadRecord) {
    this.#thread = thread
    this.#refused = new Set(thread.refusals.map(({ content }) => (content === '' ? null : content)))
    for (const write of thread.writes) {
      if (write.id !== null) this.#byId.set(write.id, [...(this.#byId.get(write.id) ?? []), write])
      else this.#waiting(write).push(write)
    }
  }

  /** Acknowledged writes without an id that no listed message was matched with. */
  waiting(): readonly Write[] {
    return [...this.#byContent.values()].flat().filter(({ status }) => status === 'acknowledged')
  }

  sharedIds(): ReadonlySet<string> {
    return new Set([...this.#byId].flatMap(([id, writes]) => (writes.length > 1 ? [id] : [])))
  }

  hasId(id: string): boolean {
    return this.#byId.has(id)
  }

  explains(id: string | null, item: unknown): boolean {
    return (id !== null && this.#byId.has(id)) || (this.#byContent.get(contentKey(item))?.length ?? 0) > 0
  }

  wasWritten(item: unknown): boolean {
    this.#contents ??= new Set(this.#thread.writes.filter(({ content }) => content !== null).map(keyOf))
    return this.#contents.has(contentKey(item))
  }

  wasRefused(content: string | null): boolean {
    return content !== null && this.#refused.has(content)
  }

  claim(id: string, item: unknown): Write | null {
    const own = this.#byId.get(id)
    if (own !== undefined) {
      const twin = own.length === 1 ? undefined : own.find((write) => keyOf(write) === contentKey(item))
      return twin ?? own[0] ?? null
    }
    const same = this.#byContent.get(contentKey(item))?.shift()
    if (same !== undefined) return same
    // What a write would say is not known when its answer was lost or its request was malformed; its role may be.
    const role = textField(item, 'role')
    return this.#byContent.get(`${role}\nnull`)?.shift() ?? this.#byContent.get('null\nnull')?.shift() ?? null
  }

  #waiting(write: Write): Write[] {
    const key = keyOf(write)
    const list = this.#byContent.get(key) ?? []
    this.#byContent.set(key, list)
    return list
  }
}

/**
 * Answers what surely held in a thread at the time of a request. Overlapping and unacknowledged writes make the answer
 * uncertain, and an uncertain answer never causes a violation.
 */
import { highest } from '../../trace/highest.ts'
import type { ParsedExchange } from '../read/parsed-exchange.ts'
import type { Explanation, StoredMessage, ThreadRecord, Write } from './thread-record.ts'

type Maybe = 'yes' | 'no' | 'maybe'

interface Span {
  readonly sentAtMs: number
  readonly endedAtMs: number
}

/** Questions about one thread, answered in logarithmic time. */
export class Timeline {
  readonly #thread: ThreadRecord
  /** Greatest certain time among the first n writes by sending. */
  readonly #settledBy: Float64Array
  readonly #firstUserSent: number
  readonly #firstUserCertain: number
  /** The same thread without what was given up and never came, for as long as whole lists show that; `null` when all came. */
  readonly #withoutGivenUp: { readonly timeline: Timeline; readonly untilMs: number } | null

  constructor(thread: ThreadRecord) {
    this.#thread = thread
    this.#withoutGivenUp = withoutGivenUp(thread)
    this.#settledBy = new Float64Array(thread.writes.length)
    let settled = Number.NEGATIVE_INFINITY
    let sent = Number.POSITIVE_INFINITY
    let certain = Number.POSITIVE_INFINITY
    for (const [index, write] of thread.writes.entries()) {
      settled = Math.max(settled, write.certainFromMs)
      this.#settledBy[index] = settled
      if (write.role !== 'user') continue
      sent = Math.min(sent, write.sentAtMs)
      certain = Math.min(certain, write.certainFromMs)
    }
    this.#firstUserSent = sent
    this.#firstUserCertain = certain
  }

  /** Whether no write was under way at any moment of a span. */
  isQuiet(startMs: number, endMs: number): boolean {
    const surer = this.#surer(endMs)
    if (surer !== null) return surer.isQuiet(startMs, endMs)
    const count = this.#sentBy(endMs)
    return this.#thread.alone && (count === 0 || (this.#settledBy[count - 1] ?? 0) < startMs)
  }

  /** Whether the thread held a user message when the request was served. */
  hasUser({ sentAtMs, endedAtMs }: Span): Maybe {
    if (this.#firstUserCertain < sentAtMs) return 'yes'
    const { alone, origin } = this.#thread
    return alone && origin.startsEmpty && this.#firstUserSent >= endedAtMs && this.#noEarlier() ? 'no' : 'maybe'
  }

  /** The newest message when the request was served; `none` when the thread was surely empty, `null` when unknown. */
  newest({ sentAtMs, endedAtMs }: Span, own?: ParsedExchange): Write | 'none' | null {
    const surer = this.#surer(endedAtMs)
    if (surer !== null) return surer.newest({ sentAtMs, endedAtMs }, own)
    const { alone, origin, writes } = this.#thread
    let count = this.#sentBy(endedAtMs)
    while (count > 0 && writes[count - 1]?.parsed === own && own !== undefined) count -= 1
    if (!alone) return null
    const last = writes[count - 1]
    if (last === undefined) return origin.startsEmpty && this.#noEarlier() ? 'none' : null
    const others = this.#settledBy[count - 2] ?? Number.NEGATIVE_INFINITY
    const settled =
      last.certainFromMs < sentAtMs && (count === 1 || others < last.sentAtMs || isSameAnswer(last, writes[count - 2]))
    return settled ? last : null
  }

  /** The role of the newest message, if it does not depend on the order of the writes in flight; else `null`. */
  endRole(span: Span, own: ParsedExchange): Write['role'] | null {
    const surer = this.#surer(span.endedAtMs)
    if (surer !== null) return surer.endRole(span, own)
    const { alone, writes } = this.#thread
    let role: Write['role'] | null = null
    for (let at = this.#sentBy(span.endedAtMs) - 1; alone && at >= 0; at -= 1) {
      const write = writes[at]
      if (write === undefined || write.parsed === own) continue
      if (role !== null && write.role !== role) return null
      role = write.role
      const others = this.#settledBy[at - 1] ?? Number.NEGATIVE_INFINITY
      if (write.certainFromMs < span.sentAtMs && others < write.sentAtMs) return role
    }
    return null
  }

  #surer(timeMs: number): Timeline | null {
    return this.#withoutGivenUp !== null && timeMs <= this.#withoutGivenUp.untilMs
      ? this.#withoutGivenUp.timeline
      : null
  }

  /** How many messages surely were in the thread at a time, as far as lists ever showed them. */
  countAt(timeMs: number): number {
    return upperBound(this.#certainTimes(), timeMs)
  }

  #times: Float64Array | null = null

  #certainTimes(): Float64Array {
    this.#times ??= Float64Array.from(
      [...this.#thread.stored.values()].filter((one) => belongs(this.#thread, one)).map((one) => one.certainFromMs),
    ).sort()
    return this.#times
  }

  /** How many writes were sent by a time: what was sent at the very moment may have come first. */
  #sentBy(timeMs: number): number {
    const { writes } = this.#thread
    let low = 0
    let high = writes.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((writes[middle]?.sentAtMs ?? 0) <= timeMs) low = middle + 1
      else high = middle
    }
    return low
  }

  /** Whether lists never showed a message that the trace cannot explain. */
  #noEarlier(): boolean {
    this.#isExplained ??= [...this.#thread.stored.values()].every(({ explanation }) => explanation === 'written')
    return this.#isExplained
  }

  #isExplained: boolean | null = null
}

/**
 * What got no answer, or one that decides nothing (a redirect, a gateway's error), may be stored or not. When the last list that
 * was followed to its end lacks it and holds nothing that could be it, it was not there before: it leaves nothing open about
 * requests until then.
 */
function withoutGivenUp(thread: ThreadRecord): { readonly timeline: Timeline; readonly untilMs: number } | null {
  const untilMs = highest(
    thread.views.flatMap((view) => (view.ended ? [view.startMs] : [])),
    Number.NEGATIVE_INFINITY,
  )
  if ([...thread.stored.values()].some(({ explanation }) => mayBeGivenUp.has(explanation))) return null
  const isGivenUp = ({ parsed, status, stored }: Write): boolean =>
    status === 'possible' && stored === null && parsed.endedAtMs < untilMs
  const writes = thread.writes.filter((write) => !isGivenUp(write))
  if (writes.length === thread.writes.length) return null
  return { timeline: new Timeline({ ...thread, writes }), untilMs }
}

const mayBeGivenUp: ReadonlySet<Explanation> = new Set(['unexplained', 'altered'])

/** Whether a listed message is one that a page must show: what somebody wrote, and what a thread held from before the trace. */
export const belongs = ({ origin }: ThreadRecord, { explanation }: StoredMessage): boolean =>
  explanation === 'written' || (explanation === 'earlier' && !origin.startsEmpty)

/** The messages and the answer of one completion are written together, in this order. */
function isSameAnswer(last: Write, before: Write | undefined): boolean {
  return before?.parsed === last.parsed
}

/** How many values of a sorted list are at most the given one. */
function upperBound(sorted: Float64Array, value: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? 0) <= value) low = middle + 1
    else high = middle
  }
  return low
}

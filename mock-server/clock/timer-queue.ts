/**
 * A queue of alarms by tick: a binary heap, first-in-first-out among equal ticks. One heap and one timer serve thousands
 * of paced streams; a timer for each would be seconds late under load. An alarm object is reused, because an object for
 * each wait would be a quarter of the garbage of a paced line.
 */

/** An alarm, which can be set repeatedly. */
export interface Alarm {
  /** Fires once `dueUs` is reached; an earlier setting is replaced. */
  set(dueUs: number): void
  /** Clears the setting. */
  clear(): void
}

interface Entry {
  readonly act: () => void
  dueUs: number
  order: number
  /** Its index in the heap, -1 if not set. */
  place: number
}

export interface TimerQueue {
  /** Due tick of the earliest alarm that is set, or `null`. */
  nextDueUs(): number | null
  alarm(act: () => void): Alarm
  /** Alarms that are set. */
  size(): number
  /** Takes out the earliest alarm that is due at `tickUs` or before. */
  take(tickUs: number): (() => void) | null
}

/** An empty queue; `changed` is called when an alarm was set or cleared. */
export function createTimerQueue(changed: () => void = () => {}): TimerQueue {
  const heap: Entry[] = []
  let orders = 0
  return {
    nextDueUs: () => heap[0]?.dueUs ?? null,
    size: () => heap.length,
    alarm(act) {
      const entry: Entry = { act, dueUs: 0, order: 0, place: -1 }
      return {
        set(dueUs) {
          if (entry.place >= 0) removeFrom(heap, entry)
          entry.dueUs = dueUs
          entry.order = orders
          orders += 1
          rise(heap, entry, heap.length)
          changed()
        },
        clear() {
          if (entry.place < 0) return
          removeFrom(heap, entry)
          changed()
        },
      }
    },
    take(tickUs) {
      const top = heap[0]
      if (top === undefined || top.dueUs > tickUs) return null
      removeFrom(heap, top)
      return top.act
    },
  }
}

function isBefore(left: Entry, right: Entry): boolean {
  return left.dueUs < right.dueUs || (left.dueUs === right.dueUs && left.order < right.order)
}

function removeFrom(heap: Entry[], entry: Entry): void {
  const { place } = entry
  entry.place = -1
  const last = heap.pop()
  if (last === undefined || last === entry) return
  const above = heap[(place - 1) >> 1]
  if (place > 0 && above !== undefined && isBefore(last, above)) rise(heap, last, place)
  else sink(heap, last, place)
}

/** Puts an entry at a free place or above it. */
function rise(heap: Entry[], entry: Entry, free: number): void {
  let place = free
  while (place > 0) {
    const parent = (place - 1) >> 1
    const above = heap[parent]
    if (above === undefined || isBefore(above, entry)) break
    put(heap, above, place)
    place = parent
  }
  put(heap, entry, place)
}

/** Puts an entry at a free place or below it. */
function sink(heap: Entry[], entry: Entry, free: number): void {
  let place = free
  for (;;) {
    let child = 2 * place + 1
    let below = heap[child]
    if (below === undefined) break
    const right = heap[child + 1]
    if (right !== undefined && isBefore(right, below)) {
      below = right
      child += 1
    }
    if (!isBefore(below, entry)) break
    put(heap, below, place)
    place = child
  }
  put(heap, entry, place)
}

function put(heap: Entry[], entry: Entry, place: number): void {
  heap[place] = entry
  entry.place = place
}

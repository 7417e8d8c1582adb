/**
 * What is to be done at which tick: a binary heap with first-in-first-out among equal ticks.
 * One heap and one timer for thousands of paced streams; a timer each would come seconds late under load.
 */

interface Appointment {
  readonly dueUs: number
  readonly order: number
  act: (() => void) | null
}

/** Forgets an appointment. */
export type Cancel = () => void

export interface TimerQueue {
  /** Due tick of the earliest appointment, or `null`. */
  nextDueUs(): number | null
  add(dueUs: number, act: () => void): Cancel
  /** Appointments that take up memory, cancelled ones included. */
  size(): number
  /** Takes out the earliest appointment that is due at `tickUs` or before. */
  take(tickUs: number): (() => void) | null
}

/** So many cancelled appointments are not worth sorting for. */
const sweepAt = 1000

/** An empty agenda. */
export function createTimerQueue(): TimerQueue {
  let heap: Appointment[] = []
  let cancelled = 0
  let orders = 0
  /** Those that were cancelled would stay until they are due, which may be a day. */
  const sweep = () => {
    const kept = heap.filter(({ act }) => act !== null).sort((left, right) => (before(left, right) ? -1 : 1))
    // What is sorted is a heap.
    heap = kept
    cancelled = 0
  }
  const dropCancelled = () => {
    while (heap.length > 0 && heap[0]?.act === null) {
      removeTop(heap)
      cancelled -= 1
    }
  }
  return {
    nextDueUs() {
      dropCancelled()
      return heap[0]?.dueUs ?? null
    },
    size: () => heap.length,
    add(dueUs, act) {
      const appointment: Appointment = { dueUs, order: orders, act }
      orders += 1
      heap.push(appointment)
      riseLast(heap)
      return () => {
        if (appointment.act === null) return
        appointment.act = null
        cancelled += 1
        if (cancelled > sweepAt && cancelled > heap.length / 2) sweep()
      }
    },
    take(tickUs) {
      dropCancelled()
      const top = heap[0]
      if (top === undefined || top.dueUs > tickUs) return null
      removeTop(heap)
      const { act } = top
      // Cancelling it from now on means nothing.
      top.act = null
      return act
    },
  }
}

function before(left: Appointment, right: Appointment): boolean {
  return left.dueUs < right.dueUs || (left.dueUs === right.dueUs && left.order < right.order)
}

function riseLast(heap: Appointment[]): void {
  let child = heap.length - 1
  const item = heap[child]
  if (item === undefined) return
  while (child > 0) {
    const parent = (child - 1) >> 1
    const above = heap[parent]
    if (above === undefined || before(above, item)) break
    heap[child] = above
    child = parent
  }
  heap[child] = item
}

function removeTop(heap: Appointment[]): void {
  const item = heap.pop()
  if (item === undefined || heap.length === 0) return
  let parent = 0
  for (;;) {
    let child = 2 * parent + 1
    const right = heap[child + 1]
    let below = heap[child]
    if (below === undefined) break
    if (right !== undefined && before(right, below)) {
      below = right
      child += 1
    }
    if (!before(below, item)) break
    heap[parent] = below
    parent = child
  }
  heap[parent] = item
}

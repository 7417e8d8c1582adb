/**
 * A sink that can be held back, with a writer that is asked to wait. Data that arrives in the meantime is sent afterwards,
 * in order. A stall holds a gate for a time; a store holds it until its writes are done.
 */
import type { Sink } from './sink.ts'

interface BackpressureGate {
  readonly sink: Sink
  hold(): void
  release(): void
  /** Discards held and later data, since there is no receiver. */
  drop(): void
  /** Runs an action in its turn: now, or after the held data. */
  inTurn(act: () => void): void
}

/** An open gate before a sink. */
export function createGate(inner: Sink): BackpressureGate {
  let held = false
  let dropped = false
  let queue: (() => void)[] = []
  let resume: (() => void) | null = null
  const inTurn = (act: () => void) => {
    if (dropped) return
    if (held) queue.push(act)
    else act()
  }
  const sink: Sink = {
    head: (head) => inTurn(() => inner.head(head)),
    write(bytes) {
      if (dropped) return true
      if (!held) return inner.write(bytes)
      queue.push(() => inner.write(bytes))
      return false
    },
    end: (bytes, handedOn) => inTurn(() => inner.end(bytes, handedOn)),
    reset(how) {
      queue = []
      inner.reset(how)
    },
    whenWritable(then) {
      if (held) resume = then
      else inner.whenWritable(then)
    },
    whenGone: (stop) => inner.whenGone(stop),
  }
  return {
    sink,
    inTurn,
    hold() {
      held = true
    },
    drop() {
      dropped = true
      held = false
      queue = []
      resume = null
    },
    release() {
      held = false
      while (!held) {
        const act = queue.shift()
        if (act === undefined) break
        act()
      }
      if (held) return
      const waiting = resume
      resume = null
      waiting?.()
    },
  }
}

/**
 * A clock whose mode can change while its world lives.
 * Work that waits is carried over, and a change never sets the time back.
 */
import { warnOf } from '../warning.ts'
import { type ClockOptions, createClock, type WorldClock } from './clock.ts'
import type { Cancel } from './timer-queue.ts'

export interface AdjustableClock extends WorldClock {
  /** Changes the mode; without `startAt`, time goes on from where it is. */
  adjust(options: ClockOptions): void
}

interface Waiting {
  readonly dueUs: number
  readonly act: () => void
  cancel: Cancel
}

/** A clock that starts in the mode of `first`; `changed` hears of every setting and advance. */
export function adjustable(first: WorldClock, changed: () => void = () => {}): AdjustableClock {
  let inner = first
  const waiting = new Set<Waiting>()
  const wait = (one: Waiting) => {
    one.cancel = inner.at(one.dueUs, () => {
      waiting.delete(one)
      try {
        one.act()
      } catch (cause) {
        warnOf('an appointment failed', cause)
      }
    })
  }
  return {
    get mode() {
      return inner.mode
    },
    get factor() {
      return inner.factor
    },
    nowUs: () => inner.nowUs(),
    ready: (dueUs) => inner.ready(dueUs),
    at(dueUs, act) {
      const one: Waiting = { dueUs, act, cancel: () => {} }
      waiting.add(one)
      wait(one)
      return () => {
        waiting.delete(one)
        one.cancel()
      }
    },
    advance(durationMs) {
      inner.advance(durationMs)
      changed()
    },
    advanceToNext() {
      const moved = inner.advanceToNext()
      if (moved) changed()
      return moved
    },
    reading: () => inner.reading(),
    restore(reading) {
      inner.restore(reading)
      changed()
    },
    fork: () => inner.fork(),
    adjust(options) {
      inner = successor(inner, options)
      const carried = [...waiting].sort((left, right) => left.dueUs - right.dueUs)
      for (const one of carried) one.cancel()
      for (const one of carried) wait(one)
      changed()
    },
  }
}

function successor(before: WorldClock, options: ClockOptions): WorldClock {
  const mode = options.mode ?? before.mode
  const nowUs = before.nowUs()
  if (mode === 'frozen' || mode === 'stepped') {
    return createClock({ mode, ...(options.startAt === undefined ? { startUs: nowUs } : { startAt: options.startAt }) })
  }
  const { factor } = options
  return createClock({ mode, startUs: nowUs, ...(factor === undefined ? null : { factor }) })
}

/**
 * A clock whose mode can change during the life of its world. Scheduled work is carried over, and a change never sets the
 * time back.
 */
import { warnOf } from '../warning.ts'
import { type ClockOptions, checkClockOptions, createClock, type WorldClock } from './clock.ts'
import type { Alarm } from './timer-queue.ts'

export interface AdjustableClock extends WorldClock {
  /** Changes the mode; without `startAt`, time goes on from where it is. */
  adjust(options: ClockOptions): void
}

interface Waiting {
  readonly act: () => void
  dueUs: number
  /** Of this clock it is an alarm. */
  clock: WorldClock
  alarm: Alarm
}

/** A clock that starts in the mode of `first`; `changed` is called for every setting and advance. */
export function adjustable(first: WorldClock, changed: () => void = () => {}): AdjustableClock {
  let inner = first
  const waiting = new Set<Waiting>()
  const wait = (one: Waiting) => {
    if (one.clock !== inner) Object.assign(one, { clock: inner, alarm: inner.alarm(one.act) })
    one.alarm.set(one.dueUs)
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
    alarm(act) {
      const due = () => {
        waiting.delete(one)
        try {
          act()
        } catch (cause) {
          warnOf('a scheduled callback failed', cause)
        }
      }
      const one: Waiting = { act: due, dueUs: 0, clock: inner, alarm: inner.alarm(due) }
      return {
        set(dueUs) {
          one.dueUs = dueUs
          waiting.add(one)
          wait(one)
        },
        clear() {
          waiting.delete(one)
          one.alarm.clear()
        },
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
      for (const one of carried) one.alarm.clear()
      for (const one of carried) wait(one)
      changed()
    },
  }
}

function successor(before: WorldClock, options: ClockOptions): WorldClock {
  const mode = options.mode ?? before.mode
  checkClockOptions(options, mode)
  const nowUs = before.nowUs()
  if (mode === 'frozen' || mode === 'stepped') {
    return createClock({ mode, ...(options.startAt === undefined ? { startUs: nowUs } : { startAt: options.startAt }) })
  }
  const { factor } = options
  return createClock({ mode, startUs: nowUs, ...(factor === undefined ? null : { factor }) })
}

/**
 * Real time for all worlds of the process: one timer, set to the earliest scheduled callback, serves every waiting stream.
 * When it fires, all callbacks that are due run at once.
 */
import { type Alarm, createTimerQueue, type TimerQueue } from './timer-queue.ts'

export interface RealTimeTimer {
  /** Microseconds since the Unix epoch on a clock that never goes back. */
  nowUs(): number
  alarm(act: () => void): Alarm
}

/** The longest delay of a timer in Node; a longer one would fire at once. Later callbacks are rescheduled. */
const longestDelayMs = 2_147_483_647

/** The timer of the process. */
export const processTimer: RealTimeTimer = createRealTimeTimer()

function createRealTimeTimer(): RealTimeTimer {
  let timer: NodeJS.Timeout | null = null
  let timerDueUs = Number.POSITIVE_INFINITY
  let firing = false
  const set = () => {
    const due = timers.nextDueUs()
    // While it fires, the next alarm is determined once, at the end.
    if (firing || (due !== null && timerDueUs <= due)) return
    if (timer !== null) clearTimeout(timer)
    timer = null
    timerDueUs = due ?? Number.POSITIVE_INFINITY
    // A cleared alarm must not keep the process alive.
    if (due === null) return
    timer = setTimeout(fire, Math.min(longestDelayMs, Math.max(1, Math.ceil((due - realNowUs()) / 1000))))
  }
  const fire = () => {
    timer = null
    timerDueUs = Number.POSITIVE_INFINITY
    firing = true
    try {
      runDue(timers)
    } finally {
      firing = false
      set()
    }
  }
  const timers = createTimerQueue(set)
  return { nowUs: realNowUs, alarm: timers.alarm }
}

function runDue(timers: TimerQueue): void {
  const nowUs = realNowUs()
  for (let act = timers.take(nowUs); act !== null; act = timers.take(nowUs)) act()
}

function realNowUs(): number {
  return Math.floor((performance.timeOrigin + performance.now()) * 1000)
}

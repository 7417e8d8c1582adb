/**
 * Real time for all worlds of the process: one timer, set to the earliest appointment, serves every waiting stream.
 * When it fires, everything that fell due in the meantime runs in one go.
 */
import { type Cancel, createTimerQueue, type TimerQueue } from './timer-queue.ts'

export interface RealTimeTimer {
  /** Microseconds since the Unix epoch on a clock that never goes back. */
  nowUs(): number
  at(dueUs: number, act: () => void): Cancel
}

/** The longest delay of a timer in Node; a longer one would fire at once. What is due later is looked at again. */
const longestDelayMs = 2_147_483_647

/** The process's metronome. */
export const processTimer: RealTimeTimer = createMetronome()

function createMetronome(): RealTimeTimer {
  const agenda = createTimerQueue()
  let timer: NodeJS.Timeout | null = null
  let timerDueUs = Number.POSITIVE_INFINITY
  const set = () => {
    const due = agenda.nextDueUs()
    if (due === null || (timer !== null && timerDueUs <= due)) return
    if (timer !== null) clearTimeout(timer)
    timerDueUs = due
    timer = setTimeout(fire, Math.min(longestDelayMs, Math.max(1, Math.ceil((due - realNowUs()) / 1000))))
  }
  // A cancelled wait must not keep the process alive.
  const rest = () => {
    if (timer === null || agenda.nextDueUs() !== null) return
    clearTimeout(timer)
    timer = null
    timerDueUs = Number.POSITIVE_INFINITY
  }
  const fire = () => {
    timer = null
    timerDueUs = Number.POSITIVE_INFINITY
    runDue(agenda)
    set()
  }
  return {
    nowUs: realNowUs,
    at(dueUs, act) {
      const cancel = agenda.add(dueUs, act)
      set()
      return () => {
        cancel()
        rest()
      }
    },
  }
}

function runDue(agenda: TimerQueue): void {
  const nowUs = realNowUs()
  for (let act = agenda.take(nowUs); act !== null; act = agenda.take(nowUs)) act()
}

function realNowUs(): number {
  return Math.floor((performance.timeOrigin + performance.now()) * 1000)
}

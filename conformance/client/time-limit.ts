/**
 * Limits a wait by the time in which this process could have noticed its end. A limit is told in equal parts, and while
 * the event loop is blocked no more than one of them passes: an answer that waits in a socket, or in a service of the
 * same process, is read before the wait is given up.
 */

interface TimeLimit {
  /** Starts from the beginning. */
  readonly restart: () => void
  readonly clear: () => void
}

const parts = 20

/** Calls `onOver` when `limitMs` milliseconds have passed since the start, and since a restart. It has to be cleared. */
export const startTimeLimit = (limitMs: number, onOver: () => void): TimeLimit => {
  let passed = 0
  const timer = setInterval(() => {
    passed += 1
    if (passed === parts) onOver()
  }, limitMs / parts)
  return {
    restart: () => {
      passed = 0
      timer.refresh()
    },
    clear: () => clearInterval(timer),
  }
}

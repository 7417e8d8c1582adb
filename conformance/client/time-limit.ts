/**
 * Limits a wait, without counting time in which this process was blocked. A limit is counted in equal parts, and a blocked
 * event loop uses up at most one of them: an answer that waits in a socket, or in a service of the same process, is read
 * before the wait is given up.
 */

interface TimeLimit {
  /** Starts from the beginning. */
  readonly restart: () => void
  readonly clear: () => void
}

const parts = 20

/** Calls `onOver` once, `limitMs` milliseconds after the start or the latest restart. The caller has to clear it. */
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

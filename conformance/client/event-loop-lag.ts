/**
 * Measures how long the suite's own event loop was blocked. A blocked loop makes arrival times late, so timing oracles
 * need to know. One timer serves all exchanges in flight, and none runs when there are none.
 */

export interface EventLoopLag {
  /**
   * Starts to measure; the returned function stops and returns the longest stall until then, in milliseconds, at every
   * call.
   */
  readonly watch: () => () => number
}

/** A monitor that reports no stalls, for a clock other than the machine's. */
export const noLag: EventLoopLag = { watch: () => () => 0 }

const intervalMs = 20

/** Creates the monitor of the event loop. */
export const createEventLoopLag = (clock: () => number): EventLoopLag => {
  const watches = new Set<{ longestMs: number }>()
  let timer: NodeJS.Timeout | null = null
  let dueAtMs = 0
  const note = (): void => {
    const lateMs = clock() - dueAtMs
    for (const watch of watches) watch.longestMs = Math.max(watch.longestMs, lateMs)
  }
  const tick = (): void => {
    note()
    dueAtMs = clock() + intervalMs
  }
  return {
    watch: () => {
      const watch = { longestMs: 0 }
      if (timer === null) {
        dueAtMs = clock() + intervalMs
        timer = setInterval(tick, intervalMs)
        timer.unref()
      }
      watches.add(watch)
      return () => {
        if (watches.has(watch)) note()
        watches.delete(watch)
        if (watches.size === 0 && timer !== null) {
          clearInterval(timer)
          timer = null
        }
        return watch.longestMs
      }
    },
  }
}

/** Spaces requests evenly over a minute; requests made at the same time are sent together. */

/** Requests that were made at the same time. */
interface Burst {
  size: number
  /** How long all of them have to wait, milliseconds. */
  readonly waitMs: Promise<number>
}

const endOfTurn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))

/**
 * A burst goes out together, since its purpose is to overlap. Its whole quota is kept free before and after it, so that no
 * window of a minute holds more than the rate, unless the burst alone is larger.
 */
export const createBurstPace = (ratePerMinute: number | undefined, clock: () => number): (() => Promise<number>) => {
  if (ratePerMinute === undefined) return async () => 0
  const intervalMs = 60_000 / ratePerMinute
  let freeAtMs = Number.NEGATIVE_INFINITY
  let open: Burst | null = null
  const closeBurst = async (): Promise<number> => {
    await endOfTurn()
    const size = open?.size ?? 1
    open = null
    const nowMs = clock()
    const startsAtMs = Math.max(nowMs, freeAtMs + (size - 1) * intervalMs)
    freeAtMs = startsAtMs + size * intervalMs
    return startsAtMs - nowMs
  }
  return () => {
    open ??= { size: 0, waitMs: closeBurst() }
    open.size += 1
    return open.waitMs
  }
}

/**
 * Bounds what streams hold for clients that do not read.
 * Each such stream keeps its request, its answer and what it sent; beyond the limit the one that waits longest gives way.
 */

/** Of all worlds of a process together. */
export const stalledLimitBytes = 268_435_456

interface StalledStream {
  readonly bytes: number
  readonly breakOff: () => void
}

/** In the order in which they began to wait. */
const stalled = new Map<object, StalledStream>()
let heldBytes = 0

/** What the streams hold that wait for their clients. */
export function stalledBytes(): number {
  return heldBytes
}

/** Counts a stream as waiting, until it is resumed or gone; may break off others, or this one. */
export function noteStalled(key: object, stream: StalledStream): void {
  noteResumed(key)
  stalled.set(key, stream)
  heldBytes += stream.bytes
  while (heldBytes > stalledLimitBytes) {
    const [oldest] = stalled
    if (oldest === undefined) return
    noteResumed(oldest[0])
    oldest[1].breakOff()
  }
}

/** Counts a stream no more. */
export function noteResumed(key: object): void {
  heldBytes -= stalled.get(key)?.bytes ?? 0
  stalled.delete(key)
}

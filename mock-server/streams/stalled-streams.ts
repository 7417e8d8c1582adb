/**
 * Bounds the memory of waiting clients: those that do not read their streams, and those with incomplete requests. Beyond a
 * limit the one that waits longest is broken off.
 */

interface Waiting {
  readonly bytes: number
  readonly breakOff: () => void
}

interface HeldBytes {
  /** The total memory of all. */
  bytes(): number
  /** Counts one as waiting, until it is dropped; may break off others, or this one. */
  note(key: object, waiting: Waiting): void
  /** Stops counting one. */
  drop(key: object): void
  /** Breaks off the matching ones. */
  breakOff(isMeant: (key: object) => boolean): void
}

/** Of all worlds of a process together: each such stream keeps its request, its answer and what it sent. */
export const stalledLimitBytes = 268_435_456

/** Requests of a process that are still arriving. */
const arrivingLimitBytes = 536_870_912

/** Counts the memory of waiting clients, up to a limit. */
export function heldBytes(limitBytes: number): HeldBytes {
  /** In the order in which they began to wait. */
  const waiting = new Map<object, Waiting>()
  let held = 0
  const drop = (key: object) => {
    held -= waiting.get(key)?.bytes ?? 0
    waiting.delete(key)
  }
  return {
    bytes: () => held,
    drop,
    breakOff(isMeant) {
      for (const [key, one] of [...waiting]) {
        if (!isMeant(key)) continue
        drop(key)
        one.breakOff()
      }
    },
    note(key, one) {
      drop(key)
      waiting.set(key, one)
      held += one.bytes
      while (held > limitBytes) {
        const [oldest] = waiting
        if (oldest === undefined) return
        drop(oldest[0])
        oldest[1].breakOff()
      }
    },
  }
}

/** Streams that wait for their clients. */
export const stalledStreams = heldBytes(stalledLimitBytes)

/** Bodies of requests that have begun to arrive. */
export const arrivingBodies = heldBytes(arrivingLimitBytes)

/**
 * Buffers for pages, used again and again: a fresh 24 kB for each page is what a garbage collector notices most.
 * Apart because it is the one place where memory is shared between exchanges: a buffer comes back only when its bytes
 * were handed to the system, and is simply lost if they never are.
 */

const sizeBytes = 65_536
const keptMost = 64
const free: Buffer[] = []

/** A buffer of at least this length, and the way to give it back. */
export interface Lease {
  readonly bytes: Buffer
  readonly release: (() => void) | undefined
}

/** Lends a buffer; a page larger than most gets one of its own. */
export function borrowBuffer(lengthBytes: number): Lease {
  if (lengthBytes > sizeBytes) return { bytes: Buffer.allocUnsafeSlow(lengthBytes), release: undefined }
  const whole = free.pop() ?? Buffer.allocUnsafeSlow(sizeBytes)
  const release = () => {
    if (free.length < keptMost) free.push(whole)
  }
  return { bytes: whole.subarray(0, lengthBytes), release }
}

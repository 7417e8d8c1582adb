/**
 * Lends reusable buffers for pages. A new buffer of 24 kB for each page would be the largest load on the garbage
 * collector. This is the one place where exchanges share memory: a buffer returns only after its bytes were handed to the
 * system, and is lost if they never are.
 */

const sizeBytes = 65_536
const keptMost = 64
const free: Buffer[] = []

/** A buffer of at least this length, and the way to give it back. */
interface Lease {
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

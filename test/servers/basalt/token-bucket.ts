/**
 * The quota of a key as a bucket of tokens that refills slowly. Every operation of the contract takes one.
 */
import { performance } from 'node:perf_hooks'

const capacity = 6
const refillPerSecond = 0.5

/** The bucket of one key. */
export class TokenBucket {
  #tokens = capacity
  #filledAt = performance.now()

  /** Takes a token; false when the bucket is empty. */
  take(): boolean {
    const now = performance.now()
    this.#tokens = Math.min(capacity, this.#tokens + ((now - this.#filledAt) / 1000) * refillPerSecond)
    this.#filledAt = now
    if (this.#tokens < 1) return false
    this.#tokens -= 1
    return true
  }
}

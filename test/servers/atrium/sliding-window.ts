/**
 * The quota of a key: so many requests within any stretch of the window's length.
 * Keys without a quota pass untouched; refused requests do not count.
 */
import { rejectWith } from './rejection.ts'

const windowMs = 60_000

/** Counts requests per key over the last minute. */
export class SlidingWindow {
  readonly #quotas: ReadonlyMap<string, number>
  readonly #taken = new Map<string, number[]>()

  constructor(quotas: ReadonlyMap<string, number>) {
    this.#quotas = quotas
  }

  /** Counts a request of the key, or rejects it. */
  take(key: string): void {
    const quota = this.#quotas.get(key)
    if (quota === undefined) return
    const now = Date.now()
    const recent = (this.#taken.get(key) ?? []).filter((time) => time > now - windowMs)
    const oldest = recent[0]
    this.#taken.set(key, recent)
    if (recent.length >= quota && oldest !== undefined) {
      throw rejectWith('rate_limit_gateway', { 'retry-after': String(Math.ceil((oldest + windowMs - now) / 1000)) })
    }
    recent.push(now)
  }
}

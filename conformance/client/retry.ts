/**
 * When an exchange is worth sending again, and how long to wait: Retry-After within bounds, growing pauses otherwise, and an
 * allowance for the whole run, so that a target that is down does not multiply the time it wastes.
 */
import type { Exchange } from '../trace/exchange.ts'
import { type TransientFailure, transientFailureOf } from './transient-failure.ts'

export interface RetryPolicy {
  /** Further attempts after bad weather, one request. */
  readonly attempts: number
  /** Further attempts after a rate limit, one request. */
  readonly attemptsAtRateLimit: number
  /** Further attempts after anything but a rate limit, the whole run. */
  readonly attemptsInRun: number
  /** First pause; it doubles. */
  readonly firstWaitMs: number
  /** A Retry-After above this is not waited for. */
  readonly longestWaitMs: number
}

/** What the suite does unless told otherwise. */
export const defaultRetryPolicy: RetryPolicy = {
  attempts: 2,
  attemptsAtRateLimit: 6,
  attemptsInRun: 20,
  firstWaitMs: 250,
  longestWaitMs: 60_000,
}

const retryAfterMs = (exchange: Exchange, todayMs: number): number | null => {
  const line = exchange.response?.headers.find(([name]) => name.toLowerCase() === 'retry-after')
  const value = line?.[1].trim() ?? ''
  if (/^\d+(?:\.\d+)?$/.test(value)) return Number(value) * 1000
  const date = Date.parse(value)
  return Number.isNaN(date) ? null : Math.max(0, date - todayMs)
}

/** Decides, one request at a time; holds the allowance of the run. */
export interface Retries {
  /** Milliseconds to wait before the next attempt, or `null` to leave it at that. */
  readonly waitBefore: (
    exchange: Exchange,
    attemptsSoFar: number,
  ) => { waitMs: number; transientFailure: TransientFailure } | null
}

/** Makes the retries of one run. */
export const createRetries = (policy: RetryPolicy, todayMs: () => number = Date.now): Retries => {
  let usedInRun = 0
  return {
    waitBefore: (exchange, attemptsSoFar) => {
      const transientFailure = transientFailureOf(exchange)
      if (transientFailure === null) return null
      const limit = transientFailure === 'rate-limited' ? policy.attemptsAtRateLimit : policy.attempts
      if (attemptsSoFar > limit) return null
      if (transientFailure !== 'rate-limited') {
        if (usedInRun >= policy.attemptsInRun) return null
        usedInRun += 1
      }
      const waitMs = retryAfterMs(exchange, todayMs()) ?? policy.firstWaitMs * 2 ** (attemptsSoFar - 1)
      return waitMs > policy.longestWaitMs ? null : { waitMs, transientFailure }
    },
  }
}

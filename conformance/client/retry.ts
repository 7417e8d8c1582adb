/**
 * Decides when an exchange is sent again, and how long to wait before. It follows Retry-After within bounds, else the
 * pauses grow. One allowance for the whole run keeps a target that is down from multiplying the time it wastes.
 */
import type { Exchange } from '../trace/exchange.ts'
import { headerIn } from '../trace/headers.ts'
import { httpDateMs } from '../trace/http-date.ts'
import { type TransientFailure, transientFailureOf } from './transient-failure.ts'

export interface RetryPolicy {
  /** Further attempts after a failure, one request. */
  readonly attempts: number
  /** The same for a request that may reach the model, which may cost a model call. */
  readonly attemptsAtModel: number
  /** Further attempts after a rate limit, one request. */
  readonly attemptsAtRateLimit: number
  /** Further attempts after anything but a rate limit, the whole run. */
  readonly attemptsInRun: number
  /** The same on top, for each exchange of the run. */
  readonly attemptsPerExchange: number
  /** First pause; it doubles. */
  readonly firstWaitMs: number
  /** The longest Retry-After that is honoured. */
  readonly longestWaitMs: number
}

/** The default policy. */
export const defaultRetryPolicy: RetryPolicy = {
  attempts: 2,
  attemptsAtModel: 1,
  attemptsAtRateLimit: 6,
  attemptsInRun: 20,
  attemptsPerExchange: 0.1,
  firstWaitMs: 250,
  longestWaitMs: 60_000,
}

/** Milliseconds that a response asks to wait, or `null` when it names none. */
export const retryAfterMs = (exchange: Exchange, todayMs: number): number | null => {
  const value = headerIn(exchange.response?.headers ?? [], 'retry-after')?.trim() ?? ''
  if (/^\d+(?:\.\d+)?$/.test(value)) return Number(value) * 1000
  const dateMs = httpDateMs(value)
  return Number.isNaN(dateMs) ? null : Math.max(0, dateMs - todayMs)
}

/** Decides for one request at a time; holds the allowance of the run. */
export interface Retries {
  /** Milliseconds to wait before the next attempt, or `null` for no further attempt. */
  readonly waitBefore: (
    exchange: Exchange,
    attemptsSoFar: number,
    options?: { readonly callsModel: boolean },
  ) => { waitMs: number; transientFailure: TransientFailure } | null
}

/** Makes the retries of one run. */
export const createRetries = (policy: RetryPolicy, todayMs: () => number = Date.now): Retries => {
  let usedInRun = 0
  let seenInRun = 0
  return {
    waitBefore: (exchange, attemptsSoFar, { callsModel } = { callsModel: false }) => {
      seenInRun += 1
      const transientFailure = transientFailureOf(exchange)
      if (transientFailure === null) return null
      const attempts = callsModel ? policy.attemptsAtModel : policy.attempts
      const limit = transientFailure === 'rate-limited' ? policy.attemptsAtRateLimit : attempts
      if (attemptsSoFar > limit) return null
      if (transientFailure !== 'rate-limited') {
        if (usedInRun >= policy.attemptsInRun + policy.attemptsPerExchange * seenInRun) return null
        usedInRun += 1
      }
      const waitMs = retryAfterMs(exchange, todayMs()) ?? policy.firstWaitMs * 2 ** (attemptsSoFar - 1)
      return waitMs > policy.longestWaitMs ? null : { waitMs, transientFailure }
    },
  }
}

/**
 * Decides how long a request may stay without an answer. A request that may reach the model has its own limit, which the
 * first answers set when the profile does not: the suite waits for a slow model, and a hanging one costs no more than
 * earlier answers took.
 */
import type { TargetProfile } from '../profile/target-profile.ts'

interface Patience {
  /** Longest silence, milliseconds. */
  readonly idleMs: (callsModel: boolean) => number
  /** Records how long an answer of the model took. */
  readonly learnModelMs: (tookMs: number) => void
}

/** Before the first answer, the model may take this many times the limit of other requests. */
const modelOverFree = 4
/** Once answers are known, the limit is this many times the longest one. */
const usualSpread = 10
const leastSpread = 3

/** Creates the limits, with no answer known yet. */
export const createPatience = ({ budget, timeouts = {} }: TargetProfile): Patience => {
  const freeMs = timeouts.freeMs ?? budget.timeoutMs
  const firstMs = modelOverFree * budget.timeoutMs
  let longestMs: number | null = null
  const learntMs = (): number =>
    longestMs === null
      ? firstMs
      : Math.max(budget.timeoutMs, Math.min(usualSpread * longestMs, Math.max(firstMs, leastSpread * longestMs)))
  return {
    idleMs: (callsModel) => (callsModel ? (timeouts.modelMs ?? learntMs()) : freeMs),
    learnModelMs: (tookMs) => {
      longestMs = Math.max(longestMs ?? 0, tookMs)
    },
  }
}

/**
 * How long a request may stay without an answer. What may reach the model has a limit of its own, which the first answers
 * set when the profile does not: a slow model is waited for, and one that hangs costs no more than its others took.
 */
import type { TargetProfile } from '../profile/target-profile.ts'

interface Patience {
  /** Longest silence, milliseconds. */
  readonly idleMs: (callsModel: boolean) => number
  /** Takes in how long an answer of the model took. */
  readonly learnModelMs: (tookMs: number) => void
}

/** Before the first answer, the model may take so many times what other requests may. */
const modelOverFree = 4
/** Once answers are known, so many times the longest one. */
const usualSpread = 10
const leastSpread = 3

/** Starts without a known answer. */
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

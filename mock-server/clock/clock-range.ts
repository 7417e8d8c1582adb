/**
 * Checks times and factors before a clock takes them. A clock beyond them would give timestamps that no client can read,
 * in its own world and in others.
 */
import { OptionError } from '../option-error.ts'

/** Ticks are whole microseconds in safe integers, which reach from 1684 to 2255; runs and grants need room behind. */
const firstUs = Date.UTC(1700, 0, 1) * 1000
const lastUs = Date.UTC(2250, 0, 1) * 1000

/** The last tick that a running clock shows. */
export const lastTickUs = lastUs

/** The range of times of a clock, in words. */
export const shownTimes = 'from 1700-01-01T00:00:00Z to 2250-01-01T00:00:00Z'

/** Whether a clock may show the tick. */
export function isShownTick(tickUs: number): boolean {
  return tickUs >= firstUs && tickUs <= lastUs
}

/** The tick, if a clock may show it. Throws a RangeError. */
export function checkedTick(tickUs: number): number {
  if (isShownTick(tickUs)) return tickUs
  throw new RangeError(`a clock shows times ${shownTimes}, and this is not one`)
}

const leastFactor = 0.001
const mostFactor = 1_000_000

/** The factor, if a scaled clock can keep it. Throws an OptionError. */
export function checkedFactor(factor: number): number {
  if (factor >= leastFactor && factor <= mostFactor) return factor
  throw new OptionError('factor', `must be from ${leastFactor} to ${mostFactor}, got ${factor}`)
}

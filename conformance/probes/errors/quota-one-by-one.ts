/**
 * Tells a quota that is larger than the profile says from a limit that simultaneous requests pass. A count that is read
 * before it is written holds for requests one by one.
 */
import { retryAfterMs } from '../../client/retry.ts'
import type { ProbeContext } from '../../probe-runtime/probe-context.ts'
import type { Answer } from '../../probe-runtime/probe-response.ts'

/** Where a refusal does not say how long to wait. */
const usualWindowMs = 11_000
const longestWindowMs = 60_000
/** What may be left of a second that Retry-After rounds. */
export const roundedMs = 500
/** By then the rest of requests that were sent together has left a window as well. */
const sameMomentMs = 250
/** The longest window that is waited for where some beyond the quota were served: it may simply be larger. */
const longestForLarger = 15_000
/** A window that refills may allow one or two more than before; a late count allows all. */
const moreAtOnce = 5

/**
 * One by one until one is refused, and after the same pause more than were accepted, all at once. A quota of exactly as many as
 * the profile says looks like a late count before, so more at once come first: it does not serve them all.
 */
export async function countOneByOne(
  context: ProbeContext,
  servedBeyond: number,
  ask: () => Promise<Answer>,
): Promise<void> {
  const surelyOver = context.profile.throttle?.requests ?? 0
  const atOnce = surelyOver + moreAtOnce
  if (context.reserve().exchanges < surelyOver + 2 * atOnce + 4) return
  const over = await ask()
  if (!isLimited(over)) return
  const windowMs = Math.min(longestWindowMs, retryAfterMs(over.exchange, Date.now()) ?? usualWindowMs) + roundedMs
  if (servedBeyond > 0 && windowMs > longestForLarger) return
  const askAtOnce = () => Promise.all(Array.from({ length: atOnce }, ask))
  await context.pause(windowMs)
  if ((await askAtOnce()).some(({ outcome }) => outcome !== 'accepted')) return
  await context.pause(windowMs)
  const accepted = await acceptedOf(surelyOver + 1, ask)
  if (accepted === 0 || accepted > surelyOver) return
  await context.pause(sameMomentMs)
  if (!isLimited(await ask())) return
  await context.pause(windowMs)
  await askAtOnce()
}

/** How many are accepted before the first one that is not. */
async function acceptedOf(most: number, ask: () => Promise<Answer>): Promise<number> {
  for (let accepted = 0; accepted < most; accepted += 1) if ((await ask()).outcome !== 'accepted') return accepted
  return most
}

export const isLimited = ({ errorCode }: Answer): boolean => errorCode === 'rate_limit_gateway'

/**
 * Tells a quota that other tenants use up from one that an earlier run has used up. If the first request of the throttled tenant
 * is refused, one is sent in a new window, then as many of another tenant as the quota allows, and then one more.
 */
import { retryAfterMs } from '../../client/retry.ts'
import type { ProbeContext } from '../../probe-runtime/probe-context.ts'
import type { Answer } from '../../probe-runtime/probe-response.ts'
import { isLimited, roundedMs } from './quota-one-by-one.ts'

/** An earlier run may explain the refusal in one window, but not in a second one. */
const rounds = 2
const longestWindowMs = 15_000

/** `first` is the refusal; `ask` sends a request of its tenant. Ends in a new window, since the quota is exceeded on purpose next. */
export async function askBehindOthers(context: ProbeContext, first: Answer, ask: () => Promise<Answer>): Promise<void> {
  const quota = context.profile.throttle?.requests ?? 0
  let limited = first
  for (let round = 0; round < rounds; round += 1) {
    if (context.reserve().exchanges < 2 * quota || !(await waitUntilServed(context, limited, ask))) return
    const askOther = () => context.send('listMyApiKeys', { isRepetition: true, retry: 'none' })
    await Promise.all(Array.from({ length: quota }, askOther))
    limited = await ask()
    if (!isLimited(limited)) return
  }
  await waitUntilServed(context, limited, ask)
}

/** Requests leave some windows one by one, so the first wait may not be the last. */
async function waitUntilServed(context: ProbeContext, first: Answer, ask: () => Promise<Answer>): Promise<boolean> {
  let last = first
  for (let waitedMs = 0; isLimited(last); ) {
    const waitMs = retryAfterMs(last.exchange, Date.now())
    if (waitMs === null) return false
    waitedMs += waitMs + roundedMs
    if (waitedMs > longestWindowMs) return false
    await context.pause(waitMs + roundedMs)
    last = await ask()
  }
  return last.outcome === 'accepted'
}

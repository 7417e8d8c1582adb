/**
 * Tells a quota that the requests of other tenants use up from one that an earlier run has spent. Where the first request of a
 * tenant is over its limit, one is served in a new window, many of another tenant follow, and then one more.
 */
import { retryAfterMs } from '../../client/retry.ts'
import type { ProbeContext } from '../../probe-runtime/probe-context.ts'
import type { Answer } from '../../probe-runtime/probe-response.ts'
import { isLimited, roundedMs } from './quota-one-by-one.ts'

/** What an earlier run has left explains one such refusal, and no second one in another window. */
const rounds = 2
const longestWindowMs = 15_000

/** `first` is the refusal; `ask` sends a request of its tenant. Another window begins before the quota is exceeded on purpose. */
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
    const waitMs = (retryAfterMs(last.exchange, Date.now()) ?? longestWindowMs) + roundedMs
    waitedMs += waitMs
    if (waitedMs > longestWindowMs) return false
    await context.pause(waitMs)
    last = await ask()
  }
  return last.outcome === 'accepted'
}

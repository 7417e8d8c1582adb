/**
 * Reads a thread of the throttled key once its quota is there again. What was refused over the quota must not be in it: a
 * service may count a request only after it has done its work.
 */
import { retryAfterMs } from '../../client/retry.ts'
import type { ProbeContext } from '../../probe-runtime/probe-context.ts'
import { exercised, type Probe } from '../probe.ts'
import { isLimited, roundedMs } from './quota-one-by-one.ts'

/** The longest wait of each tier: a gate run against a fast target takes a few seconds. */
const longestWaitMs = { smoke: 0, gate: 3_000, deep: 60_000, soak: 60_000 } as const

export const behindLimitProbes = [
  {
    id: 'errors.behind-limit',
    chapter: 'errors',
    from: 'gate',
    standby: true,
    exercises: [exercised(['createMessage'], 'threads.rejected-leaves-no-trace')],
    needs: { claims: ['threads'], threads: true, tenants: ['throttled'], throttle: true },
    behind: ['errors.rate-limit'],
    cost: { exchanges: 2, modelCalls: 0 },
    play: readBehindLimit,
  },
] as const satisfies readonly Probe[]

/** Where another key of the tenant has read it, or the wait would be long, nothing more is asked for. */
async function readBehindLimit(context: ProbeContext): Promise<void> {
  const thread = context.touched().find(({ tenant, createdBy }) => tenant === 'throttled' && createdBy === null)
  if (thread === undefined || context.sameAs('throttled') !== undefined) return
  const ask = { as: 'throttled', in: { thread_id: thread.id }, retry: 'none', expects: 'either' } as const
  const first = await context.send('listMessages', ask)
  const waitMs = retryAfterMs(first.exchange, Date.now())
  if (!isLimited(first) || waitMs === null || waitMs > longestWaitMs[context.tier]) return
  await context.pause(waitMs + roundedMs)
  await context.send('listMessages', ask)
}

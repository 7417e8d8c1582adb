/**
 * Reads threads that were not touched for long, once many others were opened. What a service keeps of the latest threads alone
 * is lost by then. The last look reads more of them.
 */
import type { ProbeContext } from '../../probe-runtime/probe-context.ts'
import { uniqueStatement } from '../../probe-runtime/sample-texts.ts'
import { makesThreads } from '../errors/over-quota.ts'
import { exercised, type Probe } from '../probe.ts'
import { inLanes } from '../support/in-lanes.ts'
import { sendOneInvalid } from '../support/send-invalid.ts'
import { listThread } from './threads.ts'

/** With those of the other probes as many as caches often hold, and more where more requests are left. */
const fewest = 40
const most = 64
const looks = 3

export const besideManyProbes = [
  {
    id: 'threads.beside-many',
    chapter: 'threads',
    from: 'gate',
    standby: true,
    exercises: [
      exercised(['listMessages'], 'threads.created-is-listed', 'threads.message-never-changes'),
      exercised(['createMessage'], 'threads.completion-thread-closed'),
    ],
    needs: { claims: ['threads'], threads: true },
    after: ['completions.answer'],
    cost: (profile) => ({ exchanges: makesThreads(profile) ? fewest + looks : 0, modelCalls: 0 }),
    play: async (context) => {
      if (!makesThreads(context.profile)) return
      const oldest = context.touched().filter(({ born, tenant }) => born !== null && tenant === 'primary')
      const size = Math.min(most, Math.max(fewest, context.left().exchanges - looks))
      await inLanes(context, Array.from({ length: size }), () => context.thread())
      const [closed, ...more] = oldest
      if (closed !== undefined) await refuseMessage(context, closed.id)
      for (const { id } of more.slice(0, looks - 1)) await listThread(context, id)
    },
  },
] as const satisfies readonly Probe[]

function refuseMessage(context: ProbeContext, thread: string): Promise<unknown> {
  const json = { role: 'user', content: uniqueStatement(context.random) }
  return sendOneInvalid(context, 'createMessage', {
    purpose: 'closed:/path/thread_id',
    in: { thread_id: thread },
    json,
  })
}

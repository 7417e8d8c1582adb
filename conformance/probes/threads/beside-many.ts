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

/** With those of the other probes more than 64, which caches often hold. */
const others = 54
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
    cost: (profile) => ({ exchanges: makesThreads(profile) ? others + looks : 0, modelCalls: 0 }),
    play: async (context) => {
      if (!makesThreads(context.profile)) return
      const oldest = context.touched().filter(({ born, tenant }) => born !== null && tenant === 'primary')
      await inLanes(context, Array.from({ length: others }), () => context.thread())
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

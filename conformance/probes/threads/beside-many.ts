/**
 * Reads threads that were not touched for long, once many others were opened. What a service keeps of the latest threads alone
 * is lost by then. The last look reads more of them.
 */
import { exercised, type Probe } from '../probe.ts'
import { inLanes } from '../support/in-lanes.ts'
import { makesThreads } from '../support/profile-facts.ts'
import { refuseOnClosed } from '../support/refuse-closed.ts'
import { listThread } from './threads.ts'

/** Many a cache holds 64 entries. */
const most = 64
/** With those of the other probes some 50. */
const fewest = 30
const looks = 3
const keptForFailures = 10

export const besideManyProbes = [
  {
    id: 'threads.beside-many',
    chapter: 'threads',
    from: 'gate',
    standby: true,
    // It takes all requests that the others have left.
    alone: true,
    leastExchanges: fewest + looks,
    exercises: [
      exercised(['listMessages'], 'threads.created-is-listed', 'threads.message-never-changes'),
      exercised(['createMessage'], 'threads.completion-thread-closed'),
    ],
    needs: { claims: ['threads'], threads: true },
    after: ['completions.answer'],
    cost: (profile) => ({ exchanges: makesThreads(profile) ? most + looks : 0, modelCalls: 0 }),
    play: async (context) => {
      if (!makesThreads(context.profile)) return
      const oldest = context.touched().filter(({ createdBy, tenant }) => createdBy !== null && tenant === 'primary')
      // Where the requests kept for failures are spent, those behind this probe may need some.
      const kept = Math.max(0, keptForFailures - context.reserve().exchanges)
      const length = Math.max(0, Math.min(most, context.left().exchanges - looks - kept))
      await inLanes(context, Array.from({ length }), () => context.thread())
      const [closed, ...more] = oldest
      if (closed !== undefined) await refuseOnClosed(context, closed.id)
      for (const { id } of more.slice(0, looks - 1)) await listThread(context, id)
    },
  },
] as const satisfies readonly Probe[]

/**
 * Reads the threads of a run once more at its end. Late damage and leaks between threads show then. Those with most
 * requests since they were last read come first; the rest as far as the budget goes.
 */
import type { ProbeContext } from '../../probe-runtime/probe-context.ts'
import { exercised, type Probe } from '../probe.ts'
import { inLanes } from '../support/in-lanes.ts'

/** Threads that are read at most. */
const planned = { smoke: 2, gate: 9, deep: 100, soak: 400 } as const

export const finalProbes = [
  {
    id: 'threads.final-look',
    chapter: 'threads',
    from: 'smoke',
    rare: true,
    last: true,
    exercises: [
      exercised(
        ['listMessages'],
        'threads.message-never-changes',
        'threads.only-own-messages',
        'threads.no-phantom-messages',
        'threads.created-is-listed',
      ),
    ],
    needs: { claims: ['threads'] },
    cost: (_profile, tier) => ({ exchanges: planned[tier], modelCalls: 0 }),
    play: lookAtEveryThread,
  },
] as const satisfies readonly Probe[]

async function lookAtEveryThread(context: ProbeContext): Promise<void> {
  // By now the key of the throttled tenant has used up its quota.
  const readable = context.touched().filter(({ tenant }) => tenant !== 'throttled')
  const byUnseen = [...readable].sort((left, right) => right.unseen - left.unseen)
  const chosen = byUnseen.slice(0, Math.min(planned[context.tier], context.left().exchanges))
  await inLanes(context, chosen, ({ id, tenant }) =>
    context.send('listMessages', { in: { thread_id: id }, as: tenant }),
  )
}

/**
 * Reads the threads of a run once more at its end. Late damage and leaks between threads show then. Those with most
 * requests since they were last read come first, behind one of another key of a tenant; the rest as far as the budget goes.
 */
import type { ProbeContext } from '../../probe-runtime/probe-context.ts'
import type { TouchedThread } from '../../probe-runtime/touched-thread.ts'
import type { TargetProfile, TenantName } from '../../profile/target-profile.ts'
import { exercised, type Probe } from '../probe.ts'
import { inLanes } from '../support/in-lanes.ts'

/** Threads that are read at most. */
const planned = { smoke: 1, gate: 9, deep: 100, soak: 400 } as const

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

/** The other key of the first tenant, or its own where the profile names no other. */
export const otherKeyOf = ({ tenants }: TargetProfile): TenantName =>
  tenants.spare === undefined ? 'primary' : 'spare'

/** What another key of a tenant asks for; whether it is one tenant, the records tell the judge. */
export const ofSameTenant = { purpose: 'of-other-key:/path/thread_id', expects: 'either' } as const

async function lookAtEveryThread(context: ProbeContext): Promise<void> {
  const threads = context.touched()
  // By now the throttled key has used up its quota; what it made is read by another key of its tenant, where there is one.
  const reader = context.sameAs('throttled')
  const shared = reader === undefined ? [] : threads.filter(({ tenant }) => tenant === 'throttled').slice(0, 1)
  // Where one is read, it is the thread of the client: which completions a part of a divided run holds is left to chance.
  const isPassedOver = ({ createdBy }: TouchedThread) => Number(planned[context.tier] === 1 && createdBy !== null)
  const byUnseen = threads
    .filter(({ tenant }) => tenant !== 'throttled')
    .sort((left, right) => isPassedOver(left) - isPassedOver(right) || right.unseen - left.unseen)
  const chosen = [...shared, ...byUnseen].slice(0, Math.min(planned[context.tier], context.left().exchanges))
  await inLanes(context, chosen, ({ id, tenant }) => {
    const ask = { in: { thread_id: id }, as: tenant } as const
    return context.send(
      'listMessages',
      tenant === 'throttled' && reader ? { ...ask, as: reader, ...ofSameTenant } : ask,
    )
  })
}

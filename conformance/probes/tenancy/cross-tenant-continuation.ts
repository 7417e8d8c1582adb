/**
 * Chapter tenancy: a completion that goes on in a thread of another tenant. Whether it is refused or answered elsewhere is
 * open, so it may cost an answer; it plays behind all refusals, which need one in reserve, and wastes none.
 */
import { bothCompletions } from '../../../spec/index.ts'
import type { ProbeContext } from '../../probe-runtime/probe-context.ts'
import { claimedOf, exercised, type Probe } from '../probe.ts'

export const crossTenantContinuationProbes = [
  {
    id: 'tenancy.foreign-thread-continued',
    chapter: 'tenancy',
    from: 'gate',
    exercises: [
      exercised(bothCompletions, 'tenancy.foreign-thread-not-continued'),
      exercised(['createChatCompletion'], 'completions.fresh-thread'),
    ],
    needs: { claims: ['tenancy'], tenants: ['secondary'] },
    after: ['completions.answer', 'tenancy.second-tenant-completions'],
    cost: { exchanges: 3, modelCalls: 1 },
    play: async (stage) => {
      const born = stage.touched().filter((thread) => thread.born)
      const foreign = born.find(({ tenant }) => tenant === 'secondary')
      if (foreign === undefined) return stage.note('blocked', 'No completion of the second tenant made a thread.')
      if (await isContinued(stage, foreign.id)) return
      // The answer that was not needed goes to a question that was asked before: its thread has to be another one now.
      const own = born.find(({ tenant, asked }) => tenant === 'primary' && asked !== undefined)
      if (own !== undefined && stage.left().modelCalls > 0)
        await stage.send('createChatCompletion', { json: own.asked })
    },
  },
] as const satisfies readonly Probe[]

/** Names the thread in the claimed forms in turn, as long as one that is not refused can be paid for; says whether one was not. */
async function isContinued(stage: ProbeContext, thread: string): Promise<boolean> {
  const assistant = await stage.assistant('plain')
  if (assistant === null) return false
  const query = [['thread_id', thread]] as const
  const ask = {
    query,
    json: stage.shortCompletion(assistant),
    purpose: 'foreign:/query/thread_id',
    expects: 'either',
  } as const
  let isAnswered = false
  for (const operation of claimedOf(stage, bothCompletions)) {
    if (isAnswered && stage.left().modelCalls < 1) break
    const { outcome } = await stage.send(operation, ask)
    isAnswered ||= outcome !== 'rejected'
  }
  return isAnswered
}

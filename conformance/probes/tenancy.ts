/** Chapter tenancy: whose data a key reads, what belongs to others, and the basic shape once more as a second tenant. */
import type { Stage } from '../staging/stage.ts'
import { question } from '../staging/wording.ts'
import { statedFaults } from './completion-faults.ts'
import { walk } from './pages.ts'
import { on, type Probe, refused, served } from './probe.ts'
import { askAndRun } from './runs.ts'
import { refuseOnThread } from './thread-refusals.ts'
import { post } from './threads.ts'
import { sendOneWrong } from './wrong.ts'

const both = ['createChatCompletion', 'streamChatCompletion'] as const
const threadOperations = ['listMessages', 'createMessage', 'runThread', 'streamThreadRun'] as const

export const tenancy = [
  {
    id: 'tenancy.my-keys',
    chapter: 'tenancy',
    from: 'smoke',
    exercises: [
      on(['listMyApiKeys'], ...served, 'tenancy.*-fields', 'tenancy.calling-key-listed', 'tenancy.record-is-stable'),
    ],
    needs: {},
    cost: { exchanges: 2, modelCalls: 0 },
    play: async (stage) => {
      await stage.send('listMyApiKeys')
      await stage.send('listMyApiKeys')
    },
  },
  {
    id: 'tenancy.two-tenants',
    chapter: 'tenancy',
    from: 'smoke',
    exercises: [on(['listMyApiKeys'], 'tenancy.keys-are-own', 'auth.key-names-tenant')],
    needs: { claims: ['tenancy'], tenants: ['secondary'] },
    after: ['tenancy.my-keys'],
    cost: { exchanges: 1, modelCalls: 0 },
    play: async (stage) => {
      await stage.send('listMyApiKeys', { as: 'secondary' })
    },
  },
  {
    id: 'tenancy.foreign-assistant',
    chapter: 'tenancy',
    from: 'smoke',
    exercises: [
      on(both, 'tenancy.foreign-assistant-refused', ...refused),
      on(['getAssistant'], 'tenancy.foreign-assistant-hidden'),
    ],
    needs: { claims: ['tenancy'], tenants: ['secondary'] },
    cost: { exchanges: 4, modelCalls: 0 },
    play: playForeignAssistant,
  },
  {
    id: 'tenancy.second-tenant-completions',
    chapter: 'tenancy',
    from: 'gate',
    rare: true,
    exercises: [on([...both], ...served, 'completions.carries-thread-id')],
    needs: { claims: ['tenancy'], tenants: ['secondary'] },
    cost: { exchanges: 5, modelCalls: 2 },
    play: playSecondTenantCompletions,
  },
  {
    id: 'tenancy.foreign-thread-continued',
    chapter: 'tenancy',
    from: 'gate',
    exercises: [on(['createChatCompletion'], 'tenancy.foreign-thread-not-continued')],
    needs: { claims: ['tenancy'], tenants: ['secondary'] },
    after: ['tenancy.second-tenant-completions'],
    cost: { exchanges: 1, modelCalls: 1 },
    play: async (stage) => {
      const born = stage.touched().find((thread) => thread.born && thread.tenant === 'secondary')
      const card = await stage.assistant('plain')
      if (card === null) return
      if (born === undefined) return stage.note('blocked', 'No completion of the second tenant made a thread.')
      const query = [['thread_id', born.id]] as const
      const ask = {
        query,
        json: stage.completion(card),
        purpose: 'foreign:/query/thread_id',
        expects: 'either',
      } as const
      await stage.send('createChatCompletion', ask)
    },
  },
  {
    id: 'tenancy.second-tenant-threads',
    chapter: 'tenancy',
    from: 'gate',
    exercises: [on(['createMessage', 'listMessages', 'runThread', 'streamThreadRun'], ...served)],
    needs: { claims: ['tenancy', 'threads'], tenants: ['secondary'], threads: true },
    rare: true,
    cost: { exchanges: 8, modelCalls: 2 },
    play: playSecondTenantThreads,
  },
  {
    id: 'tenancy.foreign-thread',
    chapter: 'tenancy',
    from: 'gate',
    exercises: [on(threadOperations, 'tenancy.foreign-thread-*', 'threads.rejected-leaves-no-trace', ...refused)],
    needs: { claims: ['tenancy', 'threads'], tenants: ['secondary'], threads: true },
    after: ['threads.unknown', 'tenancy.second-tenant-threads'],
    cost: { exchanges: 4, modelCalls: 0 },
    play: async (stage) => {
      const thread = await stage.shared('second-a', 'secondary')
      if (thread === null) return
      if (thread.fresh) await post(stage, thread.id, 'user', question(stage.draw), 'secondary')
      await refuseOnThread(stage, thread.id, 'foreign:/path/thread_id')
    },
  },
] as const satisfies readonly Probe[]

/** An assistant that only the second tenant lists, used and read by the first. */
async function playForeignAssistant(stage: Stage): Promise<void> {
  const own = new Set((await stage.assistants()).map(({ id }) => id))
  const foreign = (await stage.assistants('secondary')).find(({ id }) => !own.has(id))
  if (foreign === undefined) return stage.note('no-fixture', 'The tenant secondary has no assistant of its own.')
  const purpose = 'foreign:/body/assistant_id'
  const json = stage.completion(foreign)
  const operations = stage.profile.claims.includes('streaming') ? both : both.slice(0, 1)
  for (const operation of operations) await sendOneWrong(stage, operation, { purpose, json })
  const hidden = { purpose: 'foreign:/path/assistant_id', in: { assistant_id: foreign.id } }
  await sendOneWrong(stage, 'getAssistant', hidden)
}

/** Answers and refusals again with the other key: some faults only the second tenant meets. */
async function playSecondTenantCompletions(stage: Stage): Promise<void> {
  const as = 'secondary'
  const card = await stage.assistant('plain', as)
  if (card === null) return
  const streams = stage.profile.claims.includes('streaming') && card.streaming
  await stage.send('createChatCompletion', { as, json: stage.completion(card) })
  if (streams) await stage.send('streamChatCompletion', { as, json: stage.completion(card) })
  const [withoutAssistant, , , withoutUser] = statedFaults(stage, stage.completion(card))
  if (withoutAssistant !== undefined) await sendOneWrong(stage, 'createChatCompletion', { ...withoutAssistant, as })
  if (withoutUser !== undefined && streams) await sendOneWrong(stage, 'streamChatCompletion', { ...withoutUser, as })
}

/** Messages, runs, refusals and pages again with the other key. */
async function playSecondTenantThreads(stage: Stage): Promise<void> {
  const as = 'secondary'
  const thread = await stage.shared('second-a', as)
  if (thread === null) return
  await askAndRun(stage, 'second-a', 'runThread', { as })
  if (stage.profile.claims.includes('streaming'))
    await askAndRun(stage, 'second-a', 'streamThreadRun', { as, reads: false })
  const empty = { purpose: 'empty:/body/content', json: { role: 'user', content: '' } }
  await sendOneWrong(stage, 'createMessage', { ...empty, in: { thread_id: thread.id }, as })
  await walk(stage, thread.id, 4, 6, as)
}

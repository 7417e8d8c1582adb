/** Chapter tenancy: whose data a key reads, what belongs to others, and the basic shape once more as a second tenant. */
import { type AssistantCard, profileOf } from '../staging/assistant-card.ts'
import type { Stage } from '../staging/stage.ts'
import { richQuestion } from '../staging/wording.ts'
import { walk } from './pages.ts'
import { claimedOf, on, type Probe, refused, served, streamed } from './probe.ts'
import { askAndRun, run } from './runs.ts'
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
      on(['streamChatCompletionEvents'], 'completions.unknown-assistant-refused'),
      on(['getAssistant'], 'tenancy.foreign-assistant-hidden'),
    ],
    needs: { claims: ['tenancy'], tenants: ['secondary'] },
    cost: (_profile, tier) => ({ exchanges: tier === 'smoke' ? 4 : 6, modelCalls: 0 }),
    play: playForeignAssistant,
  },
  {
    id: 'tenancy.second-tenant-completions',
    chapter: 'tenancy',
    from: 'gate',
    rare: true,
    exercises: [
      on(['createChatCompletion', 'streamChatCompletionEvents'], ...served, 'completions.carries-thread-id'),
      on(['streamChatCompletionEvents'], ...streamed),
    ],
    needs: { claims: ['tenancy'], tenants: ['secondary'] },
    cost: { exchanges: 2, modelCalls: 2 },
    play: playSecondTenantCompletions,
  },
  {
    id: 'tenancy.second-tenant-threads',
    chapter: 'tenancy',
    from: 'gate',
    exercises: [
      on(['createMessage', 'listMessages', 'runThread', 'streamThreadRun'], ...served),
      on(threadOperations, 'tenancy.foreign-thread-*', 'threads.rejected-leaves-no-trace', ...refused),
      on(['createMessage'], 'threads.empty-content-refused'),
    ],
    needs: { claims: ['tenancy', 'threads'], tenants: ['secondary'], threads: true },
    after: ['threads.unknown'],
    cost: { exchanges: 12, modelCalls: 2 },
    play: playSecondTenantThreads,
  },
] as const satisfies readonly Probe[]

/** An assistant that only the second tenant lists, used and read by the first; and one of the first, read by the second. */
async function playForeignAssistant(stage: Stage): Promise<void> {
  const own = await stage.assistants()
  const others = await stage.assistants('secondary')
  const foreign = missingIn(own, others)
  if (foreign === undefined) return stage.note('no-fixture', 'The tenant secondary has no assistant of its own.')
  const json = stage.shortCompletion(foreign)
  for (const operation of claimedOf(stage, ['createChatCompletion', 'streamChatCompletion']))
    await sendOneWrong(stage, operation, { purpose: 'foreign:/body/assistant_id', json })
  const hidden = { purpose: 'foreign:/path/assistant_id', in: { assistant_id: foreign.id } }
  await sendOneWrong(stage, 'getAssistant', hidden)
  if (stage.tier === 'smoke') return
  // The other way round, since a wall may stand on one side only; where the second tenant has all of them, once more so.
  const first = missingIn(others, own)
  const as = first === undefined ? 'primary' : 'secondary'
  for (const operation of claimedOf(stage, ['streamChatCompletionEvents'])) {
    const asking = { purpose: 'foreign:/body/assistant_id', json: stage.shortCompletion(first ?? foreign) }
    await sendOneWrong(stage, operation, { ...asking, as })
  }
  if (first !== undefined) await sendOneWrong(stage, 'getAssistant', { ...hidden, in: { assistant_id: first.id }, as })
}

function missingIn(known: readonly AssistantCard[], cards: readonly AssistantCard[]): AssistantCard | undefined {
  const ids = new Set(known.map(({ id }) => id))
  return cards.find(({ id }) => !ids.has(id))
}

/** Answers again with the other key: some faults only the second tenant meets. */
async function playSecondTenantCompletions(stage: Stage): Promise<void> {
  const as = 'secondary'
  const card = await stage.assistant('plain', as)
  if (card === null) return
  await stage.send('createChatCompletion', { as, json: stage.completion(card) })
  const [streamed] = card.streaming ? claimedOf(stage, ['streamChatCompletionEvents', 'streamChatCompletion']) : []
  if (streamed !== undefined) await stage.send(streamed, { as, json: stage.completion(card) })
}

/** Messages, runs and pages again with the other key, and in between the first tenant at the same thread. */
async function playSecondTenantThreads(stage: Stage): Promise<void> {
  const as = 'secondary'
  const thread = await stage.shared('second-a', as)
  const card = await stage.assistant('plain', as)
  if (thread === null || card === null) return
  const streams = stage.profile.claims.includes('streaming')
  await askAndRun(stage, 'second-a', streams ? 'streamThreadRun' : 'runThread', { as })
  // A question without an answer: nothing but the wall between the tenants keeps the first one from running it.
  await post(stage, thread.id, 'user', richQuestion(stage.draw, profileOf(stage.profile, card).prompt), as)
  const foreign = 'foreign:/path/thread_id'
  await refuseOnThread(stage, thread.id, foreign, { reads: false })
  const empty = { purpose: 'empty:/body/content', in: { thread_id: thread.id }, json: { role: 'user', content: '' } }
  await sendOneWrong(stage, 'createMessage', { ...empty, as })
  // Reading is tried the other way round: a wall may stand on one side only.
  const first = stage.touched().find(({ tenant, born }) => tenant === 'primary' && !born)
  const page = { in: { thread_id: first?.id ?? thread.id }, query: [['limit', '2']] as const }
  await sendOneWrong(stage, 'listMessages', { ...page, purpose: foreign, as: first === undefined ? 'primary' : as })
  // The other way round than the first tenant: here the whole answer is the second one of its thread.
  if (streams) await run(stage, thread.id, 'runThread', card, { as })
  await walk(stage, thread.id, 4, 6, { as, untilSeen: true })
}

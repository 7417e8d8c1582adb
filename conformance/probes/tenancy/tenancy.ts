/**
 * Chapter tenancy: whose data a key reads, and what belongs to others. The basic requests run once more as a second
 * tenant.
 */
import { bothCompletions, type OperationId } from '../../../spec/index.ts'
import { transientFailureOf } from '../../client/transient-failure.ts'
import { type AssistantSummary, profileOf, runNamesAssistant } from '../../probe-runtime/assistant-summary.ts'
import type { ProbeContext } from '../../probe-runtime/probe-context.ts'
import { longQuestion, questionWithEscapes, toolResult } from '../../probe-runtime/sample-texts.ts'
import { resultMessage } from '../../probe-runtime/tool-calls.ts'
import { firstCompletionThread } from '../../probe-runtime/touched-thread.ts'
import type { Tier } from '../../profile/budget-tiers.ts'
import type { TargetProfile } from '../../profile/target-profile.ts'
import { claimedOf, exercised, type Probe, rejectionRules, streamRules, successRules } from '../probe.ts'
import { walkPages } from '../support/page-walk.ts'
import { hasSecondTenant } from '../support/profile-facts.ts'
import { type InvalidRequest, sendOneInvalid } from '../support/send-invalid.ts'
import { ofSameTenant } from '../threads/final-reread.ts'
import { refuseOnThread } from '../threads/rejected-messages.ts'
import { runOnThread } from '../threads/runs.ts'
import { listThread, postMessage } from '../threads/threads.ts'
import { assistantOnlyOf, hiddenAssistant, isReadByForeignFirst } from './foreign-references.ts'
import { leavesRun, playSecondTenantCompletions } from './second-tenant-completions.ts'

const threadOperations = ['listMessages', 'createMessage', 'runThread', 'streamThreadRun'] as const

const ofSecondThread = { claims: ['tenancy', 'threads'], tenants: ['secondary'], threads: true } as const

export const tenancyProbes = [
  {
    id: 'tenancy.my-keys',
    chapter: 'tenancy',
    from: 'smoke',
    exercises: [
      exercised(
        ['listMyApiKeys'],
        ...successRules,
        'tenancy.*-fields',
        'tenancy.calling-key-listed',
        'tenancy.key-ids-unique',
        'tenancy.record-is-stable',
      ),
    ],
    needs: {},
    cost: (profile, tier) => ({ exchanges: isReadAgainBesideSecond(profile, tier) ? 1 : 2, modelCalls: 0 }),
    play: async (context) => {
      await context.send('listMyApiKeys')
      if (!isReadAgainBesideSecond(context.profile, context.tier)) await context.send('listMyApiKeys')
    },
  },
  {
    id: 'tenancy.two-tenants',
    chapter: 'tenancy',
    from: 'smoke',
    exercises: [
      exercised(['listMyApiKeys'], 'tenancy.keys-are-own', 'auth.key-names-tenant', 'tenancy.record-is-stable'),
    ],
    needs: { claims: ['tenancy'], tenants: ['secondary'] },
    after: ['tenancy.my-keys'],
    cost: (profile, tier) => ({ exchanges: isReadAgainBesideSecond(profile, tier) ? 2 : 1, modelCalls: 0 }),
    // At once, so that what a service keeps for all requests instead of for one shows.
    play: async (context) => {
      const again = isReadAgainBesideSecond(context.profile, context.tier) ? (['primary'] as const) : []
      await Promise.all([...again, 'secondary' as const].map((as) => context.send('listMyApiKeys', { as })))
    },
  },
  {
    id: 'tenancy.spare-key',
    chapter: 'tenancy',
    shares: ['three'],
    from: 'gate',
    rare: true,
    exercises: [
      exercised(['listMyApiKeys'], 'tenancy.record-is-stable', 'auth.key-names-tenant'),
      exercised(['listAssistants'], 'assistants.list-is-complete'),
    ],
    needs: { tenants: ['spare'] },
    after: ['tenancy.my-keys', 'completions.answer'],
    // By then the thread holds a question: a run of it is refused for its assistant alone.
    behind: ['pagination.walk'],
    cost: (profile) => ({
      exchanges: 4 + (profile.threads === null ? 0 : runNamesAssistant(profile) ? 2 : 1),
      modelCalls: 0,
    }),
    play: readWithSpareKey,
  },
  {
    id: 'tenancy.foreign-assistant',
    chapter: 'tenancy',
    from: 'smoke',
    exercises: [
      exercised(bothCompletions, 'tenancy.foreign-assistant-refused', ...rejectionRules),
      exercised(['streamChatCompletionEvents'], 'completions.unknown-assistant-refused'),
      exercised(['getAssistant'], 'tenancy.foreign-assistant-hidden'),
    ],
    needs: { claims: ['tenancy'], tenants: ['secondary'] },
    // Once its own tenant has read it: what is kept for an assistant's id alone, another tenant would be given.
    behind: ['assistants.read', 'assistants.read-of-second-tenant', 'completions.answer'],
    cost: (_profile, tier) => ({ exchanges: tier === 'smoke' ? 4 : 5, modelCalls: 0 }),
    play: playForeignAssistant,
  },
  {
    id: 'tenancy.second-tenant-threads',
    chapter: 'tenancy',
    shares: ['second-a', 'second-answers'],
    from: 'gate',
    exercises: [
      exercised(['createMessage', 'runThread'], ...successRules),
      exercised(threadOperations, 'tenancy.foreign-thread-*', ...rejectionRules),
    ],
    needs: ofSecondThread,
    // The latter opens the thread.
    after: ['threads.unknown', 'threads.interleaved'],
    cost: (profile) => (leavesRun(profile) ? { exchanges: 5, modelCalls: 0 } : { exchanges: 6, modelCalls: 1 }),
    play: askInSecondTenantThread,
  },
  {
    id: 'tenancy.second-tenant-goes-on',
    chapter: 'tenancy',
    shares: ['second-a', 'second-answers'],
    from: 'gate',
    rare: true,
    exercises: [
      exercised(['createMessage', 'listMessages'], ...successRules),
      exercised(threadOperations, 'threads.rejected-leaves-no-trace'),
      exercised(['createMessage'], 'threads.empty-content-refused', 'tools.unmatched-refused#unknown-id'),
      exercised(['listMessages'], 'tenancy.foreign-thread-*', ...rejectionRules),
    ],
    needs: ofSecondThread,
    after: ['tenancy.second-tenant-threads'],
    behind: ['tenancy.second-tenant-completions'],
    cost: { exchanges: 6, modelCalls: 0 },
    play: goOnInSecondTenantThread,
  },
  {
    id: 'tenancy.second-tenant-completions',
    chapter: 'tenancy',
    shares: ['second-a', 'second-answers'],
    from: 'gate',
    rare: true,
    exercises: [
      exercised(
        ['createChatCompletion', 'streamChatCompletion', 'streamChatCompletionEvents'],
        ...successRules,
        'completions.carries-thread-id',
      ),
      exercised(['streamChatCompletionEvents'], ...streamRules),
    ],
    needs: { claims: ['tenancy'], tenants: ['secondary'] },
    // By then the thread ends on a question; a streamed run of it is left.
    behind: ['tenancy.second-tenant-threads'],
    cost: (profile) => {
      const leaves = leavesRun(profile) ? 1 : 0
      return { exchanges: 2 + leaves, modelCalls: 2 + leaves }
    },
    play: playSecondTenantCompletions,
  },
] as const satisfies readonly Probe[]

/** Whether the first tenant reads its keys for the second time while the other one reads its own. */
const isReadAgainBesideSecond = (profile: TargetProfile, tier: Tier): boolean =>
  tier !== 'smoke' && hasSecondTenant(profile)

/** The record, and threads that the other key of the tenant made: by a completion, and where clients make threads one of those. */
async function readWithSpareKey(context: ProbeContext): Promise<void> {
  // Between two lists of the other key: what both of them show, this one has to show as well.
  await context.send('listMyApiKeys', { as: 'spare' })
  await context.send('listMyApiKeys')
  await context.send('listAssistants', { as: 'spare' })
  const completionThread = firstCompletionThread(context.touched(), 'primary')
  const made = context.profile.threads === null ? null : await context.shared('three')
  for (const id of [completionThread?.id, made?.id]) {
    if (id !== undefined) await context.send('listMessages', { as: 'spare', in: { thread_id: id }, ...ofSameTenant })
  }
  if (made !== null) await refuseSpareRun(context, made.id)
}

/** A run with an unknown assistant: the refusal must not say that the thread, which belongs to the tenant, is unknown. */
async function refuseSpareRun(context: ProbeContext, thread: string): Promise<void> {
  const [someone] = await context.assistants()
  if (someone === undefined || !runNamesAssistant(context.profile)) return
  const json = context.runBody({ ...someone, id: context.random.uuid() })
  const unknown = { purpose: 'unknown:/body/assistant_id', in: { thread_id: thread }, json } as const
  await sendOneInvalid(context, 'runThread', { as: 'spare', ...unknown })
}

/** An assistant that only the second tenant lists, used and read by the first; and one of the first, read by the second. */
async function playForeignAssistant(context: ProbeContext): Promise<void> {
  const foreign = await assistantOnlyOf(context, 'secondary')
  if (foreign === undefined)
    return context.note('no-fixture', lackOfForeign(await context.assistants(), await context.assistants('secondary')))
  const json = context.shortCompletion(foreign)
  const completionThread = firstCompletionThread(context.touched(), 'primary')
  for (const [index, operation] of claimedOf(context, bothCompletions).entries()) {
    // The second one goes on in a thread: its assistant may be looked up in another way there.
    const query = index === 0 || completionThread === undefined ? [] : [['thread_id', completionThread.id] as const]
    await sendOneInvalid(context, operation, { purpose: assistantPurpose, json, query })
  }
  const readForeign = () => sendOneInvalid(context, 'getAssistant', hiddenAssistant(foreign))
  if (context.tier === 'smoke') return void (await readForeign())
  // The other way round, since isolation may work in one direction only; where the second tenant has all of them, once more so.
  const first = await assistantOnlyOf(context, 'primary')
  const [streamed] = claimedOf(context, ['streamChatCompletionEvents'])
  if (streamed === undefined || first === undefined) await readForeign()
  else await refuseInParts(context, streamed, first, readForeign)
  if (first === undefined) {
    if (streamed !== undefined) await sendOneInvalid(context, streamed, { purpose: assistantPurpose, json })
  } else if (!isReadByForeignFirst(context))
    await sendOneInvalid(context, 'getAssistant', { ...hiddenAssistant(first), as: 'secondary' })
}

const foreign = 'foreign:/path/thread_id'
const assistantPurpose = 'foreign:/body/assistant_id'

/** So long that the head of a request has arrived, and its body has not. */
const insideBodyMs = 10

/**
 * The second tenant asks an assistant of the first, in two parts, and the first tenant asks in between: what a service keeps
 * for all requests while a body is on its way is then the first one's.
 */
async function refuseInParts(
  context: ProbeContext,
  operation: OperationId,
  assistant: AssistantSummary,
  askBetween: () => Promise<unknown>,
): Promise<void> {
  // With characters of several bytes: the bare socket writes it in two parts, and no headers of its own.
  const question = { role: 'user', content: questionWithEscapes(context.random) }
  const json = context.shortCompletion(assistant, { messages: [question] })
  const wrong = { purpose: assistantPurpose, expects: 'rejected', as: 'secondary', json } as const
  const [{ exchange }] = await Promise.all([
    context.sendRaw(operation, { ...wrong, headers: [['content-type', 'application/json']] }),
    context.pause(insideBodyMs).then(askBetween),
  ])
  // Bytes are written once; a failure on the way says nothing.
  if (transientFailureOf(exchange) !== null) await sendOneInvalid(context, operation, { ...wrong, isRepetition: true })
}

function lackOfForeign(own: readonly AssistantSummary[], others: readonly AssistantSummary[]): string {
  const isSame = own.length === others.length
  return isSame ? 'Both tenants list the same assistants.' : 'The tenant secondary has no assistant of its own.'
}

/** In turn a message without content, and a result for a call that nobody asked; each rule may hold for one tenant only. */
function wrongMessage({ profile, random }: ProbeContext): InvalidRequest {
  const json = { role: 'user', content: '' }
  if (random.runNumber % 2 === 0 || !profile.claims.includes('tools')) return { purpose: 'empty:/body/content', json }
  return { purpose: 'unmatched:/body', json: resultMessage(random.uuid(), toolResult(random), profile.tools) }
}

/** A question of the other key, and the first tenant at the same thread. */
async function askInSecondTenantThread(context: ProbeContext): Promise<void> {
  const as = 'secondary'
  const thread = await context.shared('second-a', as)
  const assistant = await context.assistant('plain', as)
  if (thread === null || assistant === null) return
  if (thread.fresh) await postMessage(context, thread.id, 'system', 'Please answer in full sentences.', as)
  await postMessage(context, thread.id, 'user', longQuestion(context.random, promptOf(context, assistant)), as)
  // The question has no answer yet: nothing but the isolation of tenants keeps the first one from running the thread.
  await refuseOnThread(context, thread.id, foreign, { reads: false })
  if (!leavesRun(context.profile)) await runOnThread(context, thread.id, 'runThread', assistant, { as })
}

/** Messages and pages with the other key, behind a run whose caller may have left, and the first tenant in between. */
async function goOnInSecondTenantThread(context: ProbeContext): Promise<void> {
  const as = 'secondary'
  const thread = await context.shared('second-a', as)
  const assistant = await context.assistant('plain', as)
  if (thread === null || assistant === null) return
  await listThread(context, thread.id, as)
  await postMessage(context, thread.id, 'user', longQuestion(context.random, promptOf(context, assistant)), as)
  await sendOneInvalid(context, 'createMessage', { ...wrongMessage(context), in: { thread_id: thread.id }, as })
  // Reading is tried the other way round, at the thread of a completion: isolation may work in one direction or for one kind only.
  const own = context.touched().filter(({ tenant }) => tenant === 'primary')
  const first = own.find(({ createdBy }) => createdBy) ?? own[0]
  const page = { in: { thread_id: first?.id ?? thread.id }, query: [['limit', '2']] as const }
  await sendOneInvalid(context, 'listMessages', { ...page, purpose: foreign, as: first === undefined ? 'primary' : as })
  await walkPages(context, thread.id, 4, 6, { as, untilSeen: true })
}

const promptOf = ({ profile }: ProbeContext, assistant: AssistantSummary) => profileOf(profile, assistant).prompt

/** Chapter streams: answers as NDJSON, in text and in content blocks, and assistants that do not stream. */
import { valuesAt } from '../../judge/read/json.ts'
import {
  type AssistantSummary,
  asksForTools,
  byDemand,
  isDemanding,
  runNamesAssistant,
} from '../../probe-runtime/assistant-summary.ts'
import type { ProbeContext } from '../../probe-runtime/probe-context.ts'
import { uniqueQuestion, uniqueStatement } from '../../probe-runtime/sample-texts.ts'
import type { TargetProfile, TenantName } from '../../profile/target-profile.ts'
import { completionBelowLine, completionOfTwo, listCompletionThread, withQuestion } from '../completions/completions.ts'
import { exercised, type Probe, rejectionRules, streamRules } from '../probe.ts'
import { refuseStream } from '../support/refuse-stream.ts'
import { postMessage } from '../threads/threads.ts'

export const streamProbes = [
  {
    id: 'streams.text',
    chapter: 'streams',
    from: 'gate',
    exercises: [
      exercised(
        ['streamChatCompletion'],
        ...streamRules,
        'completions.carries-thread-id',
        'completions.thread-holds-conversation',
      ),
      exercised(['streamChatCompletion'], 'streams.joined-equals-stored', 'streams.streaming-assistant-streams'),
      exercised(['streamChatCompletion'], 'streams.sources-kept'),
    ],
    needs: { claims: ['streaming'] },
    cost: (profile) => (hasEvents(profile) ? { exchanges: 4, modelCalls: 2 } : { exchanges: 2, modelCalls: 1 }),
    play: async (context) => {
      const known = new Set(context.touched().map(({ id }) => id))
      const isBrief = context.random.below(2) === 0
      // Of one assistant, both have as many messages: what is kept for a form of requests shows.
      const areAlike = asksOne(context)
      await Promise.all([
        askAnother(context, 'streamChatCompletion', !areAlike && isBrief),
        ...(hasEvents(context.profile)
          ? [askAnother(context, 'streamChatCompletionEvents', !areAlike && !isBrief)]
          : []),
      ])
      const added = context.touched().filter(({ id }) => !known.has(id))
      for (const { id } of added) await listCompletionThread(context, id)
    },
  },
  {
    id: 'streams.blocks',
    chapter: 'streams',
    shares: ['other-assistants'],
    from: 'gate',
    exercises: [
      exercised(
        ['streamChatCompletionEvents'],
        ...streamRules,
        'streams.*-block',
        'streams.block-*',
        'completions.carries-thread-id',
        'completions.thread-holds-conversation',
        'streams.sources-kept',
      ),
    ],
    needs: { claims: ['events'] },
    // Where both forms are claimed, both streams are read at once.
    after: ['streams.text'],
    cost: ({ claims }) =>
      claims.includes('streaming') ? { exchanges: 0, modelCalls: 0 } : { exchanges: 2, modelCalls: 1 },
    play: async (context) => {
      if (context.profile.claims.includes('streaming')) return
      await askAnother(context, 'streamChatCompletionEvents', context.random.below(2) === 0)
      await listCompletionThread(context)
    },
  },
  {
    id: 'streams.without-support',
    chapter: 'streams',
    shares: ['spare-calls'],
    from: 'gate',
    exercises: [],
    needs: { claims: ['streaming'] },
    behind: ['tenancy.foreign-thread-continued', 'completions.asked-again'],
    late: true,
    cost: { exchanges: 1, modelCalls: 0, spareCalls: 1 },
    play: async (context) => {
      const assistant = await context.assistant('whole')
      // Whether it is answered is open.
      if (assistant === null || context.left().modelCalls < 1) return
      const ask = { purpose: 'not-streaming:/body/assistant_id', expects: 'either' } as const
      await context.send('streamChatCompletion', { ...ask, json: context.completion(assistant) })
    },
  },
  {
    id: 'streams.run-without-support',
    chapter: 'streams',
    shares: ['runs'],
    from: 'gate',
    exercises: [exercised(['streamThreadRun'], 'streams.run-refused-without-support', ...rejectionRules)],
    needs: { claims: ['streaming', 'threads'], threads: true },
    // It shares the thread, which then holds an answer of an assistant that streams, and comes before runs of whole ones.
    behind: ['threads.run-stream'],
    cost: (profile) => ({ exchanges: hasOtherThread(profile) ? 3 : 4, modelCalls: 0 }),
    play: async (context) => {
      const as = await tenantWithWhole(context)
      const assistant = await context.assistant('whole', as)
      if (assistant === null) return
      const isShared = as === 'primary' && runNamesAssistant(context.profile)
      const shared = isShared ? await context.shared('runs') : null
      if (shared !== null && !shared.fresh && (await askAndRefuse(context, shared.id, assistant, as))) return
      // A target that does not read the name lets the assistant of the thread answer.
      const thread = shared?.fresh ? shared.id : await context.thread(as, assistant)
      if (thread === null) return
      await putAnswer(context, thread, as)
      await askAndRefuse(context, thread, assistant, as)
    },
  },
] as const satisfies readonly Probe[]

/** Asks for a stream of an assistant that answers whole only; says whether the target did not answer by another one. */
async function askAndRefuse(
  context: ProbeContext,
  thread: string,
  assistant: AssistantSummary,
  as: TenantName,
): Promise<boolean> {
  await postMessage(context, thread, 'user', uniqueQuestion(context.random), as)
  return (await refuseStream(context, thread, assistant, as))?.outcome !== 'accepted'
}

/** Support may be looked at for the first answer of a thread only. */
async function putAnswer(context: ProbeContext, thread: string, as: TenantName): Promise<void> {
  // With tools it is asked behind several answers elsewhere.
  if (!hasOtherThread(context.profile))
    await postMessage(context, thread, 'assistant', uniqueStatement(context.random), as)
}

/** Whether a stream is also refused in a thread with tool results, see tools.stream-after-results. */
const hasOtherThread = (profile: TargetProfile): boolean => profile.tools !== null && runNamesAssistant(profile)

/** The first tenant, or the second one where only that one has an assistant that does not stream. */
async function tenantWithWhole(context: ProbeContext): Promise<TenantName> {
  const { claims, tenants } = context.profile
  const hasWhole = async (as: TenantName) => (await context.askable(as)).some(({ streaming }) => !streaming)
  if (!claims.includes('tenancy') || tenants.secondary === undefined || (await hasWhole('primary'))) return 'primary'
  return (await hasWhole('secondary')) ? 'secondary' : 'primary'
}

function hasEvents({ claims }: TargetProfile): boolean {
  return claims.includes('events')
}

/** Asks another assistant than the plain one, where there is one; a brief completion has one message, as most first ones have. */
async function askAnother(
  context: ProbeContext,
  operation: 'streamChatCompletion' | 'streamChatCompletionEvents',
  isBrief: boolean,
): Promise<void> {
  const plain = await context.assistant('plain')
  if (plain === null) return
  const json = await questionOf(context, operation, plain)
  const [last] = valuesAt(json, '/messages/*').slice(-1)
  // People say something without words as well.
  const brief = context.random.runNumber % 2 === 0 ? last : { role: 'user', content: '👍' }
  await context.send(operation, { json: isBrief ? { ...json, messages: [brief] } : json })
}

/**
 * The assistants to choose from. In turn there is one, so both forms ask it at once: what a service keeps for that one instead of
 * for a stream shows. It has answered before: a second question to another assistant waits until its first answer begins, and a
 * quick answer has ended by then. Mostly it is one that requires fields, which was asked about legal matters only until then.
 */
async function candidates(context: ProbeContext, plain: AssistantSummary): Promise<readonly AssistantSummary[]> {
  const others = await othersThatStream(context, plain)
  const answeredOnce = context.random.runNumber % 2 === 0 ? byDemand(others)[0] : undefined
  if (asksOne(context) && plain.streaming) return [answeredOnce ?? plain]
  return context.random.runNumber % 6 === 2 ? others.slice(-1) : others
}

const asksOne = ({ random }: ProbeContext): boolean => [0, 4, 5].includes(random.runNumber % 6)

/**
 * Text streams ask the last candidate; content blocks in turn one that is asked for a tool, or another candidate, whose record
 * describes closely what is stored of its answers.
 */
async function questionOf(
  context: ProbeContext,
  operation: 'streamChatCompletion' | 'streamChatCompletionEvents',
  plain: AssistantSummary,
): Promise<Record<string, unknown>> {
  const others = await candidates(context, plain)
  const last = others.at(-1)
  if (operation === 'streamChatCompletion')
    return last === undefined ? context.completion(plain) : completionBelowLine(context, last)
  const { tools } = context.profile
  const asker = await askerThatStreams(context)
  if (context.random.runNumber % 6 === 1 && asker !== undefined && tools?.prompt !== undefined)
    return withQuestion(context.shortCompletion(asker), tools.prompt)
  const more = others.slice(0, -1)
  const other = more.find(isDemanding) ?? more.at(-1) ?? last
  return other === undefined ? context.completion(plain) : completionOfTwo(context, other)
}

/** Another assistant than the plain one: those that differ most tend to stand far apart. */
export async function lastThatStreams(
  context: ProbeContext,
  plain: AssistantSummary,
): Promise<AssistantSummary | undefined> {
  return (await othersThatStream(context, plain)).at(-1)
}

/** The assistant that streams and that the profile says asks for tools. */
export async function askerThatStreams(context: ProbeContext): Promise<AssistantSummary | undefined> {
  return (await context.askable()).find((one) => one.streaming && asksForTools(one, context.profile))
}

/** Assistants beside the plain one that stream and ask for no tools, in the order of the list. */
export async function othersThatStream(
  context: ProbeContext,
  plain: AssistantSummary,
): Promise<readonly AssistantSummary[]> {
  const assistants = await context.askable()
  return assistants.filter(
    (assistant) => assistant.streaming && assistant.id !== plain.id && !asksForTools(assistant, context.profile),
  )
}

/** Completions that name a thread: streamed, without a user message, with a malformed id. */
import { bothCompletions } from '../../../spec/index.ts'
import { type AssistantSummary, asksForTools } from '../../probe-runtime/assistant-summary.ts'
import { stringAt } from '../../probe-runtime/probe-response.ts'
import { malformedId } from '../../probe-runtime/sample-texts.ts'
import type { TouchedThread } from '../../probe-runtime/touched-thread.ts'
import { claimedOf, exercised, type Probe } from '../probe.ts'
import { sendOneInvalid } from '../support/send-invalid.ts'
import { completionOfAnyLength, listCompletionThread } from './completions.ts'
import { statedFaults } from './invalid-completions.ts'

const free = { exchanges: 1, modelCalls: 0 } as const

export const edgeCaseProbes = [
  {
    id: 'completions.continue-streamed',
    chapter: 'completions',
    shares: ['first-born'],
    from: 'gate',
    exercises: [exercised(['streamChatCompletion'], 'completions.continues-thread')],
    needs: { claims: ['streaming'] },
    after: ['completions.answer', 'streams.text'],
    cost: { exchanges: 3, modelCalls: 1 },
    play: async (context) => {
      const isOfWhole = context.random.runNumber % 3 === 0
      const live = (isOfWhole ? null : await streamedThread(context)) ?? (await liveThread(context))
      if (live === null || !live.assistant.streaming) return
      const query = [['thread_id', live.thread]] as const
      await Promise.all([
        context.send('streamChatCompletion', { query, json: live.json }),
        listCompletionThread(context, live.thread),
      ])
      await listCompletionThread(context, live.thread)
    },
  },
  {
    id: 'completions.no-user-in-thread',
    chapter: 'completions',
    shares: ['first-born'],
    from: 'gate',
    rare: true,
    exercises: [exercised(['createChatCompletion'], 'threads.rejected-leaves-no-trace')],
    needs: {},
    after: ['completions.answer'],
    cost: free,
    play: async (context) => {
      const live = await liveThread(context)
      const wrong = live === null ? undefined : statedFaults(context, context.shortCompletion(live.assistant)).at(-1)
      if (live === null || wrong === undefined) return
      await sendOneInvalid(context, 'createChatCompletion', { ...wrong, query: [['thread_id', live.thread]] })
    },
  },
  {
    id: 'completions.malformed-thread',
    chapter: 'completions',
    from: 'gate',
    standby: true,
    exercises: [],
    needs: {},
    after: ['completions.answer'],
    cost: ({ claims }) => ({ exchanges: claims.includes('streaming') ? 2 : 1, modelCalls: 0 }),
    play: async (context) => {
      const assistant = await context.assistant('plain')
      if (assistant === null) return
      // A service may ignore such an id. What is missing or unknown makes it refuse the request anyway, without a model call: the
      // one may be found before the id is read, the other behind it.
      const { messages: _, ...json } = context.shortCompletion(assistant)
      const unknown = { ...context.shortCompletion(assistant), assistant_id: context.random.uuid() }
      const query = [['thread_id', malformedId(context.random)]] as const
      const wrongs = [
        { purpose: 'unknown:/body/assistant_id', json: unknown, query },
        { purpose: 'drop:/body/messages', json, query },
      ] as const
      for (const [at, form] of claimedOf(context, bothCompletions).entries())
        await sendOneInvalid(context, form, wrongs[at % 2] ?? wrongs[0])
    },
  },
] as const satisfies readonly Probe[]

/**
 * A thread that a stream of the primary tenant made, and the assistant that was asked there: what a service keeps of the first
 * stream of a thread shows in the second. In turn one of either form, or of a whole answer: what one form opens the others find.
 */
async function streamedThread(context: Parameters<Probe['play']>[0]) {
  const first = context.random.runNumber % 3 === 1 ? 'streamChatCompletionEvents' : 'streamChatCompletion'
  const askable = await context.askable()
  const askedIn = ({ asked }: TouchedThread) => askable.find(({ id }) => id === stringAt(asked, '/assistant_id'))
  // An assistant that asks for tools may have to get their results first.
  const isDone = (assistant: AssistantSummary | undefined) =>
    assistant !== undefined && !asksForTools(assistant, context.profile)
  const streamed = context
    .touched()
    .filter((thread) => thread.born?.startsWith('stream') && thread.tenant === 'primary' && isDone(askedIn(thread)))
  const thread = streamed.find(({ born }) => born === first) ?? streamed[0]
  const assistant = thread === undefined ? undefined : askedIn(thread)
  if (thread === undefined || assistant === undefined) return null
  return { assistant, thread: thread.id, json: completionOfAnyLength(context, assistant, thread.pieces) }
}

/** A thread that a completion of the primary tenant made, and an assistant to go on with; notes when there is none. */
async function liveThread(context: Parameters<Probe['play']>[0]) {
  const assistant = await context.assistant('plain')
  const thread = context.touched().find(({ born, tenant }) => born && tenant === 'primary')
  if (assistant === null) return null
  if (thread !== undefined) return { assistant, thread: thread.id, json: context.completion(assistant) }
  context.note('blocked', 'No completion was answered, so there is no thread to go on in.')
  return null
}

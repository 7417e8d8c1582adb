/** Completions that name a thread: streamed, without a user message, with a malformed id. */
import { bothCompletions, type OperationId } from '../../../spec/index.ts'
import { valuesAt } from '../../judge/read/json.ts'
import { type AssistantSummary, asksForTools } from '../../probe-runtime/assistant-summary.ts'
import type { ProbeContext } from '../../probe-runtime/probe-context.ts'
import { stringAt } from '../../probe-runtime/probe-response.ts'
import type { RequestSpec } from '../../probe-runtime/request-spec.ts'
import { malformedId } from '../../probe-runtime/sample-texts.ts'
import { fragileUnstreamed, type TouchedThread } from '../../probe-runtime/touched-thread.ts'
import { claimedOf, exercised, type Probe } from '../probe.ts'
import { sendOneInvalid } from '../support/send-invalid.ts'
import { completionOfAnyLength, listCompletionThread, withQuestion } from './completions.ts'
import { statedFaults } from './invalid-completions.ts'

const free = { exchanges: 1, modelCalls: 0 } as const

/** A thread that the next completion continues, the assistant of it, and the body of the request. */
interface Live {
  readonly assistant: AssistantSummary
  readonly thread: string
  readonly json: Readonly<Record<string, unknown>>
}

export const edgeCaseProbes = [
  {
    id: 'completions.continue-streamed',
    chapter: 'completions',
    shares: ['first-completion-thread'],
    from: 'gate',
    exercises: [exercised(['streamChatCompletion'], 'completions.continues-thread')],
    needs: { claims: ['streaming'] },
    after: ['completions.answer', 'streams.text'],
    // By then the second tenant has asked, so that an answer may quote it.
    behind: ['threads.interleaved'],
    cost: { exchanges: 3, modelCalls: 1 },
    play: async (context) => {
      const isOfWhole = context.random.runNumber % 3 === 0
      const live = (isOfWhole ? null : await streamedThread(context)) ?? (await liveThread(context))
      if (live === null || !live.assistant.streaming) return
      const query = [['thread_id', live.thread]] as const
      const json = fragileCompletion(context, live.assistant) ?? live.json
      await Promise.all([continueByKeyInTurn(context, { query, json }), listCompletionThread(context, live.thread)])
      await listCompletionThread(context, live.thread)
    },
  },
  {
    id: 'completions.no-user-in-thread',
    chapter: 'completions',
    shares: ['first-completion-thread'],
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

/** In every other run the other key of the tenant continues the thread; where that is refused, the first one does so after all. */
async function continueByKeyInTurn(context: ProbeContext, ask: RequestSpec): Promise<void> {
  const isOther = context.random.runNumber % 2 === 0 && context.profile.tenants.spare !== undefined
  if (!isOther) return void (await context.send('streamChatCompletion', ask))
  const { outcome } = await context.send('streamChatCompletion', { ...ask, ...byOtherKey })
  if (outcome === 'rejected') await context.send('streamChatCompletion', { ...ask, isRepetition: true })
}

const byOtherKey = { as: 'spare', purpose: 'of-other-key:/query/thread_id', expects: 'either' } as const

/**
 * In every other run, the question of an earlier answer with characters that streams damage easily; the same answer, streamed, shows
 * whether they do. In the others the answer is short, so that a proxy which buffers may hold all of it.
 */
function fragileCompletion(context: ProbeContext, assistant: AssistantSummary): Live['json'] | null {
  if (context.random.runNumber % 2 === 0) return null
  const earlier = fragileUnstreamed(context.touched())
  const { asked } = earlier.find((thread) => stringAt(thread.asked, '/assistant_id') === assistant.id) ?? {}
  const question = stringAt(valuesAt(asked, '/messages/*').at(-1), '/content')
  return question === undefined ? null : withQuestion(context.shortCompletion(assistant), question)
}

/** The assistant of a completion; not one that asks for tools, which may have to get their results first. */
async function askedIn(context: ProbeContext, asked: unknown): Promise<AssistantSummary | undefined> {
  const askable = await context.askable()
  const assistant = askable.find(({ id }) => id === stringAt(asked, '/assistant_id'))
  return assistant !== undefined && asksForTools(assistant, context.profile) ? undefined : assistant
}

/**
 * A thread that a stream of the primary tenant made, and the assistant that was asked there: what a service keeps of the first
 * stream of a thread shows in the second. In turn one of either form, or of a whole answer: what one form opens the others find.
 */
async function streamedThread(context: ProbeContext): Promise<Live | null> {
  const first = context.random.runNumber % 3 === 1 ? 'streamChatCompletionEvents' : 'streamChatCompletion'
  const streamed = context
    .touched()
    .filter(({ createdBy, tenant }) => createdBy?.startsWith('stream') && tenant === 'primary')
  for (const { id, asked } of streamed.toSorted((left, right) => isNot(left, first) - isNot(right, first))) {
    const assistant = await askedIn(context, asked)
    if (assistant !== undefined)
      return { assistant, thread: id, json: completionOfAnyLength(context, assistant, lastPiece(context)) }
  }
  return null
}

/** Mostly one that is full: many a loop leaves out a piece behind the last full one, and that one with it. */
const lastPiece = ({ random }: ProbeContext): 0 | 1 => (random.runNumber % 6 === 2 ? 1 : 0)

const isNot = ({ createdBy }: TouchedThread, form: OperationId): number => Number(createdBy !== form)

/** A thread that a completion of the primary tenant made, and an assistant to go on with; notes when there is none. */
async function liveThread(context: ProbeContext): Promise<Live | null> {
  const assistant = await context.assistant('plain')
  const thread = context.touched().find(({ createdBy, tenant }) => createdBy && tenant === 'primary')
  if (assistant === null) return null
  if (thread !== undefined) return { assistant, thread: thread.id, json: completionOfAnyLength(context, assistant, 0) }
  context.note('blocked', 'No completion was answered, so there is no thread to go on in.')
  return null
}

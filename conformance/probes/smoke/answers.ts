/**
 * First look at answers: one question, whole and streamed, to the assistant that promises most. It reads what is stored
 * of both, and at the end of a run sends what should be refused but may be paid for.
 */
import { valuesAt } from '../../judge/read/json.ts'
import { type AssistantSummary, profileOf } from '../../probe-runtime/assistant-summary.ts'
import type { ProbeContext } from '../../probe-runtime/probe-context.ts'
import { stringAt } from '../../probe-runtime/probe-response.ts'
import {
  acknowledgement,
  inOtherScript,
  instruction,
  questionBelowLine,
  questionWithEscapes,
  uniqueQuestion,
  uniqueStatement,
} from '../../probe-runtime/sample-texts.ts'
import type { TouchedThread } from '../../probe-runtime/touched-thread.ts'
import { listWithOddName } from '../auth/auth.ts'
import { listCompletionThread, withQuestion } from '../completions/completions.ts'
import { exercised, type Probe, rejectionRules, streamRules, successRules } from '../probe.ts'
import { lastThatStreams } from '../streams/streams.ts'
import { sendOneInvalid } from '../support/send-invalid.ts'

const first = { from: 'smoke', until: 'smoke' } as const
const conversed = ['completions.carries-thread-id', 'completions.thread-holds-conversation'] as const

export const smokeAnswerProbes = [
  {
    ...first,
    id: 'completions.first-answers',
    chapter: 'completions',
    exercises: [
      exercised(['createChatCompletion'], ...successRules, ...conversed, 'completions.one-whole-answer'),
      exercised(['streamChatCompletion'], ...streamRules, ...conversed, 'streams.same-acceptance'),
      exercised(['streamChatCompletion'], 'streams.joined-equals-stored', 'streams.streaming-assistant-streams'),
    ],
    needs: {},
    cost: ({ claims }) => {
      const answers = claims.includes('streaming') ? 2 : 1
      return { exchanges: answers, modelCalls: answers }
    },
    play: async (context) => {
      const assistant = await context.assistant('demanding')
      if (assistant === null) return
      // Code that reads the first words of a question finds none in it.
      const isNarrow = profileOf(context.profile, assistant).prompt !== undefined
      const body = context.completion(assistant)
      const json = isNarrow ? body : withQuestion(body, inOtherScript(questionOf(body) ?? ''))
      await context.send('createChatCompletion', { json })
      if (assistant.streaming && context.profile.claims.includes('streaming')) await streamOn(context, assistant)
    },
  },
  {
    ...first,
    id: 'threads.first-closed',
    chapter: 'threads',
    exercises: [exercised(['createMessage'], 'threads.completion-thread-closed', ...rejectionRules)],
    needs: { claims: ['threads'] },
    after: ['completions.first-answers'],
    cost: { exchanges: 1, modelCalls: 0 },
    play: async (context) => {
      const completionThread = context.touched().findLast((thread) => thread.createdBy)
      if (completionThread === undefined)
        return context.note('blocked', 'No completion was answered, so none made a thread.')
      const json = { role: 'system', content: uniqueStatement(context.random) }
      const wrong = { purpose: 'closed:/path/thread_id', in: { thread_id: completionThread.id }, json }
      await sendOneInvalid(context, 'createMessage', wrong)
    },
  },
  {
    ...first,
    id: 'tenancy.first-assistants',
    chapter: 'tenancy',
    exercises: [
      exercised(['createChatCompletion'], 'tenancy.foreign-assistant-refused', ...rejectionRules),
      exercised(['listAssistants'], 'auth.header-name-any-case'),
    ],
    needs: { claims: ['tenancy'], tenants: ['secondary'] },
    after: ['completions.first-answers'],
    cost: { exchanges: 2, modelCalls: 0 },
    play: async (context) => {
      const mine = await context.assistants()
      await listWithOddName(context, 'secondary')
      const theirs = await context.assistants('secondary')
      const foreign = without(theirs, mine)
      if (foreign === null) return context.note('no-fixture', 'The tenant secondary has no assistant of its own.')
      const purpose = 'foreign:/body/assistant_id'
      const completionThread = context.touched().find((thread) => thread.createdBy)
      const query = completionThread === undefined ? [] : [['thread_id', completionThread.id] as const]
      await sendOneInvalid(context, 'createChatCompletion', { purpose, query, json: context.shortCompletion(foreign) })
    },
  },
] as const satisfies readonly Probe[]

/** What is asked when everything that must be refused was: until then one model call is left for what is not. */
export const smokeLastAnswerProbes = [
  {
    ...first,
    late: true,
    id: 'tenancy.last-continuation',
    chapter: 'tenancy',
    exercises: [
      exercised(['createChatCompletion'], 'tenancy.foreign-thread-not-continued', 'completions.continues-thread'),
    ],
    needs: { claims: ['tenancy'], tenants: ['secondary'] },
    after: ['completions.first-answers'],
    cost: { exchanges: 2, modelCalls: 1 },
    play: async (context) => {
      const completionThread = context.touched().find((thread) => thread.createdBy)
      const assistant = await context.assistant('plain', 'secondary')
      if (assistant === null) return
      if (completionThread === undefined)
        return context.note('blocked', 'No completion of the first tenant made a thread.')
      const messages = [{ role: 'user', content: uniqueQuestion(context.random) }]
      const { outcome } = await context.send('createChatCompletion', {
        as: 'secondary',
        query: [['thread_id', completionThread.id]],
        json: context.completion(assistant, { messages }),
        purpose: 'foreign:/query/thread_id',
        expects: 'either',
      })
      // The answer that was not needed goes on in the thread.
      if (outcome === 'rejected') await goOn(context, completionThread)
    },
  },
  {
    ...first,
    late: true,
    id: 'completions.first-reading',
    chapter: 'completions',
    exercises: [exercised(['listMessages'], ...successRules, 'pagination.reads-are-pure')],
    needs: { claims: ['threads'] },
    after: ['threads.first-closed', 'tenancy.first-assistants'],
    behind: ['tenancy.last-continuation'],
    cost: { exchanges: 1, modelCalls: 0 },
    play: async (context) => {
      const completionThread = context.touched().find((thread) => thread.createdBy)
      if (completionThread !== undefined) await listCompletionThread(context, completionThread.id)
    },
  },
  {
    ...first,
    late: true,
    id: 'streams.last-blocks',
    chapter: 'streams',
    exercises: [
      exercised(['streamChatCompletionEvents'], ...streamRules, 'streams.*-block', 'streams.block-*'),
      exercised(['streamChatCompletionEvents'], 'completions.carries-thread-id'),
    ],
    needs: { claims: ['events'] },
    cost: { exchanges: 1, modelCalls: 1 },
    play: async (context) => {
      const assistant = await context.assistant('plain')
      if (assistant === null) return
      await context.send('streamChatCompletionEvents', { json: await farQuestion(context, assistant) })
    },
  },
] as const satisfies readonly Probe[]

/** Streams an answer by another assistant in the same thread, or in one of its own where a thread takes one assistant only. */
async function streamOn(context: ProbeContext, first: AssistantSummary): Promise<void> {
  const completionThread = context.touched().findLast((thread) => thread.createdBy)
  const json = await farQuestion(context, first)
  if (completionThread === undefined) return void (await context.send('streamChatCompletion', { json }))
  const inThread = { ...inAnotherWay, query: [['thread_id', completionThread.id]] } as const
  const { outcome } = await context.send('streamChatCompletion', { ...inThread, json })
  if (outcome === 'rejected') await context.send('streamChatCompletion', { json, isRepetition: true })
}

const inAnotherWay = { purpose: 'other-assistant:/query/thread_id', expects: 'either' } as const

const questionOf = (body: unknown): string | undefined => stringAt(valuesAt(body, '/messages/*').at(-1), '/content')

/**
 * Asks another assistant the same in the same thread, one that nobody has asked: what is kept of any of them must not answer
 * in its place. Whether a thread takes a second assistant is open.
 */
async function goOn(context: ProbeContext, { id, asked }: TouchedThread): Promise<void> {
  const [first, plain] = [await context.assistant('demanding'), await context.assistant('plain')]
  const other = (await context.askable()).find((one) => one.id !== first?.id && one.id !== plain?.id) ?? first
  const question = questionOf(asked)
  if (first === null || other === null || question === undefined) return
  await context.send('createChatCompletion', {
    query: [['thread_id', id]],
    json: withQuestion(context.shortCompletion(other), question),
    ...(other.id === first.id ? {} : inAnotherWay),
  })
}

/** For an assistant as far from the plain one as can be; it may be one that takes its time, so the question is short. */
async function farQuestion(context: ProbeContext, plain: AssistantSummary): Promise<Record<string, unknown>> {
  const other = (await lastThatStreams(context, plain)) ?? plain
  const { prompt } = profileOf(context.profile, other)
  const content = prompt === undefined ? questionBelowLine(context.random) : questionWithEscapes(context.random, prompt)
  const history = [
    { role: 'system', content: instruction(context.random) },
    { role: 'user', content: uniqueStatement(context.random) },
    { role: 'assistant', content: acknowledgement(context.random) },
  ]
  return context.completion(other, { messages: [...history, { role: 'user', content }] })
}

function without(
  assistants: readonly AssistantSummary[],
  others: readonly AssistantSummary[],
): AssistantSummary | null {
  const known = new Set(others.map(({ id }) => id))
  return assistants.find(({ id }) => !known.has(id)) ?? null
}

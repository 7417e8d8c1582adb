/** Chapter completions: asking with the messages in the body, whole; its faults are in completion-faults.ts. */

import { valuesAt } from '../../judge/read/json.ts'
import { paddingFor } from '../../probe-runtime/answer-pieces.ts'
import {
  type AssistantSummary,
  asksForTools,
  byDemand,
  isDemanding,
  profileOf,
} from '../../probe-runtime/assistant-summary.ts'
import type { ProbeContext } from '../../probe-runtime/probe-context.ts'
import { stringAt } from '../../probe-runtime/probe-response.ts'
import type { RequestSpec } from '../../probe-runtime/request-spec.ts'
import {
  aboutTopics,
  acknowledgement,
  greeting,
  instruction,
  questionAskedOfTwo,
  questionBelowLine,
  questionWithEscapes,
  shortQuestion,
  uniqueStatement,
} from '../../probe-runtime/sample-texts.ts'
import { seededRandom } from '../../probe-runtime/seeded-random.ts'
import type { TouchedThread } from '../../probe-runtime/touched-thread.ts'
import { firstCompletionThread, piecesOf } from '../../probe-runtime/touched-thread.ts'
import type { TargetProfile } from '../../profile/target-profile.ts'
import { exercised, type Probe, successRules } from '../probe.ts'
import { readInTwo } from '../support/page-walk.ts'
import { spacedOut } from '../support/rewrite-json.ts'
import { listThread } from '../threads/threads.ts'
import { askBeforeLastMessage } from './question-not-last.ts'

const answered = [
  ...successRules,
  'completions.one-whole-answer',
  'completions.carries-thread-id',
  'completions.thread-holds-conversation',
] as const
/** Assistants beside the plain one that are asked once each; every question is paid for. */
const mostOthers = 3

export const completionProbes = [
  {
    id: 'completions.answer',
    chapter: 'completions',
    shares: ['first-completion-thread'],
    from: 'gate',
    findsAssistant: true,
    exercises: [exercised(['createChatCompletion'], ...answered), exercised(['listMessages'], 'resources.*')],
    needs: {},
    behind: ['tenancy.foreign-assistant-first'],
    cost: { exchanges: 2, modelCalls: 1 },
    play: async (context) => {
      const assistant = await context.assistant('plain')
      if (assistant === null) return
      const body = context.shortCompletion(assistant)
      // Answers to a greeting quote no sources, mostly.
      const isNarrow = profileOf(context.profile, assistant).prompt !== undefined
      const json = isNarrow ? body : withQuestion(body, greeting(context.random))
      await context.send('createChatCompletion', { json })
      await listCompletionThread(context)
    },
  },
  {
    id: 'completions.other-assistants',
    chapter: 'completions',
    shares: ['other-assistants'],
    from: 'gate',
    rare: true,
    asksSeveral: true,
    exercises: [exercised(['createChatCompletion'], ...answered, 'completions.fresh-thread')],
    needs: {},
    cost: (profile) => (runsOthers(profile) ? nothing : { exchanges: mostOthers, modelCalls: mostOthers }),
    play: async (context) => {
      if (runsOthers(context.profile)) return
      const messages = [{ role: 'user', content: questionWithEscapes(context.random) }]
      for (const [index, assistant] of (await outermost(context)).entries()) {
        const streams = index > 0 && assistant.streaming && context.profile.claims.includes('streaming')
        const operation = streams ? 'streamChatCompletion' : 'createChatCompletion'
        await context.send(operation, { json: context.completion(assistant, { messages }) })
      }
    },
  },
  {
    id: 'completions.continue',
    chapter: 'completions',
    shares: ['first-completion-thread'],
    from: 'gate',
    exercises: [
      exercised(
        ['createChatCompletion'],
        'completions.continues-thread',
        'completions.fresh-thread',
        'completions.user-message-anywhere',
      ),
    ],
    needs: {},
    after: ['completions.answer'],
    cost: ({ claims }) => ({ exchanges: claims.includes('threads') ? 6 : 4, modelCalls: 2 }),
    play: async (context) => {
      const assistant = await context.assistant('plain')
      const thread = firstCompletionThread(context.touched(), 'primary')
      if (assistant === null) return
      if (thread === undefined)
        return context.note('blocked', 'No completion was answered, so there is no thread to continue.')
      const [goesOn, asked] = await twoOthers(context, assistant)
      const user_id = stringAt(thread.asked, '/user_id')
      const known = user_id === undefined ? {} : { user_id }
      const json = asksOneTwice(context)
        ? { ...completionOfAnyLength(context, asked, 0), ...known }
        : await completionOfTwo(context, asked, known)
      // At once, so that what a service keeps for all requests instead of for one shows.
      await Promise.all([goOnByAnother(context, thread, goesOn, known), askBeforeLastMessage(context, json)])
      await listInTwoPages(context, thread.id)
      await listCompletionThread(context)
    },
  },
] as const satisfies readonly Probe[]

const nothing = { exchanges: 0, modelCalls: 0 } as const

/**
 * One beside the plain one whose record says that it answers whole; then it does so here as well, and it may stand anywhere.
 * Else one that nobody else is sure to ask.
 */
async function wholeOther(context: ProbeContext): Promise<AssistantSummary | undefined> {
  const others = await inOrderOfNeed(context)
  const known = await outermost(context)
  const isWhole = ({ streaming }: AssistantSummary) => !streaming
  return known.find(isWhole) ?? others.find(isWhole) ?? others.find((one) => !known.includes(one)) ?? others[0]
}

/**
 * Who goes on in the thread of the plain one, and who is asked beside that. Metadata that are shaped as those of the first in
 * a thread show where the two are described otherwise.
 */
async function twoOthers(
  context: ProbeContext,
  plain: AssistantSummary,
): Promise<readonly [goesOn: AssistantSummary, asked: AssistantSummary]> {
  const others = await outermost(context)
  const one = others.find(({ streaming }) => streaming) ?? others[0] ?? plain
  const whole = (await wholeOther(context)) ?? plain
  const isAlike = ({ described }: AssistantSummary): boolean => described === plain.described
  const [goesOn, asked] = isAlike(one) && !isAlike(whole) ? [whole, one] : [one, whole]
  if (!asksOneTwice(context)) return [goesOn, asked]
  const both = isDemanding(one) ? one : goesOn
  return [both, both]
}

/**
 * Whether both go to one assistant: what a service keeps for an assistant instead of for a request shows. One of the two questions
 * is about legal matters, the other has no words that code may look for, so metadata that depend on them show both ways.
 */
const asksOneTwice = ({ random }: ProbeContext): boolean => random.runNumber % 2 !== 0

/**
 * The same user asks another assistant the same in the same thread: what is kept of any of them must not answer in its place.
 * Whether a thread takes a second assistant is open; where it does not, the first one goes on.
 */
async function goOnByAnother(
  context: ProbeContext,
  { id, asked }: TouchedThread,
  other: AssistantSummary,
  known: Readonly<Record<string, unknown>>,
): Promise<void> {
  const plain = await context.assistant('plain')
  if (plain === null) return
  const question = stringAt(valuesAt(asked, '/messages/*').at(-1), '/content')
  const ask = (json: unknown, more: Pick<RequestSpec, 'purpose' | 'expects' | 'isRepetition' | 'retry'> = {}) =>
    context.send('createChatCompletion', {
      query: [['thread_id', id]],
      body: spacedOut(json),
      headers: [['content-type', 'application/json; charset=utf-8']],
      ...more,
    })
  if (other.id === plain.id || question === undefined) return void (await ask(context.completion(plain, known)))
  const json = { ...context.shortCompletion(other, known), messages: valuesAt(asked, '/messages/*') }
  // One that is broken costs one call: nobody waits for its answer, so the probe is not played again for it.
  const odd = { purpose: 'other-assistant:/query/thread_id', expects: 'either', retry: 'none' } as const
  const { outcome } = await ask(json, odd)
  if (outcome !== 'accepted') await ask(context.completion(plain, known), { isRepetition: true })
}

/** So much of a timestamp as says its millisecond. */
const throughMillis = '2026-01-01T00:00:00.000'.length

/**
 * Reads a thread of two answers whole and in two pages: what one request adds may have one time of creation, and a page that
 * ends inside of it, behind two of them, must lose nothing and repeat nothing. The first answer is behind the cursor. Where two
 * messages are of one millisecond, the page ends between them: a cursor that holds milliseconds alone loses one. At a third of
 * the seeds the page is the newest answer alone: a limit that counts the rows of its sources cuts those.
 */
async function listInTwoPages(context: ProbeContext, thread: string): Promise<void> {
  if (!context.profile.claims.includes('threads')) return
  const whole = await listThread(context, thread)
  const half = Math.max(2, Math.ceil(valuesAt(whole.json, '/items/*').length / 2) - 1)
  const millis = valuesAt(whole.json, '/items/*/created_at').map((stamp) => String(stamp).slice(0, throughMillis))
  const [closest = half] = [...millis.keys()]
    .filter((at) => millis[at] === millis[at - 1])
    .toSorted((left, right) => Math.abs(left - half) - Math.abs(right - half))
  await readInTwo(context, thread, context.random.runNumber % 3 === 1 ? 1 : closest)
}

/** The same history with another question at its end. */
export function withQuestion(body: Record<string, unknown>, content: string): Record<string, unknown> {
  const history = Array.isArray(body.messages) ? body.messages.slice(0, -1) : []
  return { ...body, messages: [...history, { role: 'user', content }] }
}

/** Where threads can be run, runs and streams show the other assistants. */
function runsOthers({ claims, threads }: TargetProfile): boolean {
  return claims.includes('threads') && threads !== null
}

/**
 * The first and the last ones beside the plain one, since those that differ most tend to stand far apart. One that requires
 * fields goes first: only a success shows that its later refusals are about these fields.
 */
async function outermost(context: ProbeContext): Promise<readonly AssistantSummary[]> {
  const asked = await inOrderOfNeed(context)
  return [...asked.slice(0, 1), ...asked.slice(1).slice(1 - mostOthers)]
}

/** Those beside the plain one that ask for no tools, the ones that require fields first; where there are none, the plain one. */
async function inOrderOfNeed(context: ProbeContext): Promise<readonly AssistantSummary[]> {
  const plain = await context.assistant('plain')
  const others = (await context.askable()).filter(
    (assistant) => assistant.id !== plain?.id && !asksForTools(assistant, context.profile),
  )
  const ordered = [...byDemand(others), ...others.filter((one) => !isDemanding(one))]
  return ordered.length > 0 || plain === null ? ordered : [plain]
}

/**
 * The body of a completion whose messages are the same for two assistants, in words of the records of the outermost ones. Its
 * question is short, for one that may take its time.
 */
export async function completionOfTwo(
  context: ProbeContext,
  assistant: AssistantSummary,
  fields: Readonly<Record<string, unknown>> = {},
): Promise<Record<string, unknown>> {
  const random = seededRandom(context.random.runNumber, 'history of two')
  const topics = (await outermost(context)).flatMap(({ topics = [] }) => topics)
  const messages = [
    { role: 'system', content: instruction(random) },
    { role: 'user', content: uniqueStatement(random) },
    { role: 'assistant', content: acknowledgement(random) },
    { role: 'user', content: questionAskedOfTwo(random, aboutTopics([...new Set(topics)])) },
  ]
  return context.shortCompletion(assistant, { ...fields, messages })
}

/** The body of a completion with a question that is short itself, so that the answer to it ends where no other one does. */
export function completionOfAnyLength(
  context: ProbeContext,
  assistant: AssistantSummary,
  last: 0 | 1,
): Record<string, unknown> {
  // What a narrow assistant does not know, it may not answer.
  if (profileOf(context.profile, assistant).prompt !== undefined) return context.shortCompletion(assistant)
  const question = shortQuestion(context.random)
  const padding = paddingFor(piecesOf(context.touched(), assistant.id), question, last)
  return withQuestion(context.shortCompletion(assistant), `${padding}${question}`)
}

/** The same with a question that makes a stream of many pieces, some of them equal. */
export function completionBelowLine(context: ProbeContext, assistant: AssistantSummary): Record<string, unknown> {
  return withQuestion(context.shortCompletion(assistant), questionBelowLine(context.random))
}

/** Reads back the newest thread that a completion made, or `id`; free, and it shows what was stored. */
export async function listCompletionThread(context: Parameters<Probe['play']>[0], id?: string): Promise<void> {
  const completionThreads = context.touched().filter((thread) => thread.createdBy)
  const thread = id === undefined ? completionThreads.at(-1) : completionThreads.find((one) => one.id === id)
  if (thread === undefined || !context.profile.claims.includes('threads')) return
  await context.send('listMessages', { in: { thread_id: thread.id }, as: thread.tenant })
}

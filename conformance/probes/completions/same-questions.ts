/**
 * Asks the same question in several threads, with model calls that only the deep tier has. An answer that a service keeps
 * for a question belongs to one thread, and a stream that was read to its end has to be made anew.
 */
import { completionOperations, type OperationId } from '../../../spec/index.ts'
import { valuesAt } from '../../judge/read/json.ts'
import {
  answerPieces,
  type KnownAnswer,
  type PieceSize,
  paddingFor,
  pieceSize,
} from '../../probe-runtime/answer-pieces.ts'
import { type AssistantSummary, asksForTools, profileOf } from '../../probe-runtime/assistant-summary.ts'
import type { ProbeContext } from '../../probe-runtime/probe-context.ts'
import { stringAt } from '../../probe-runtime/probe-response.ts'
import { uniqueQuestion } from '../../probe-runtime/sample-texts.ts'
import type { TouchedThread } from '../../probe-runtime/touched-thread.ts'
import { claimedOf, exercised, type Probe, streamRules, successRules } from '../probe.ts'
import { listCompletionThread, withQuestion } from './completions.ts'

/** Two that are asked at the same time, and one after them. */
const threadsOfEach = 3
const turns = 2
/** Assistants that are asked one question. */
const mostAsked = 4

export const sameQuestionProbes = [
  {
    id: 'completions.same-questions',
    chapter: 'completions',
    from: 'deep',
    exercises: [
      exercised(completionOperations, 'completions.fresh-thread', 'completions.continues-thread'),
      exercised(['streamChatCompletion', 'streamChatCompletionEvents'], ...streamRules),
      exercised(['streamChatCompletion'], 'streams.joined-equals-stored'),
    ],
    needs: {},
    after: ['completions.answer'],
    cost: {
      exchanges: completionOperations.length * threadsOfEach * (turns + 1),
      modelCalls: completionOperations.length * threadsOfEach * turns,
    },
    play: async (context) => {
      let learnt: Learnt = { cut: null, answered: null }
      for (const operation of claimedOf(context, completionOperations))
        learnt = await askInTwoThreads(context, operation, learnt)
    },
  },
  {
    id: 'completions.two-at-once',
    chapter: 'completions',
    from: 'deep',
    exercises: [exercised(['createChatCompletion'], 'completions.fresh-thread')],
    needs: {},
    after: ['completions.answer'],
    cost: { exchanges: 2, modelCalls: 2 },
    // What a service keeps for an assistant or a user while it answers must not reach the answer to another question.
    play: async (context) => {
      const assistant = await context.assistant('plain')
      if (assistant === null) return
      const user_id = context.random.uuid()
      const ask = () => context.send('createChatCompletion', { json: context.completion(assistant, { user_id }) })
      await Promise.all([ask(), ask()])
    },
  },
  {
    id: 'completions.single-question',
    chapter: 'completions',
    from: 'deep',
    asksSeveral: true,
    exercises: [exercised(['createChatCompletion'], ...successRules, 'completions.fresh-thread')],
    needs: {},
    after: ['completions.answer'],
    cost: { exchanges: mostAsked, modelCalls: mostAsked },
    // A question without a history is what services keep answers for; each assistant's answer has its own metadata.
    play: async (context) => {
      const { profile } = context
      const isOpen = (one: AssistantSummary) =>
        !asksForTools(one, profile) && profileOf(profile, one).prompt === undefined
      const easy = (await context.askable()).filter(isOpen)
      const messages = [{ role: 'user', content: uniqueQuestion(context.random) }]
      for (const assistant of easy.slice(0, mostAsked))
        await context.send('createChatCompletion', { json: context.shortCompletion(assistant, { messages }) })
    },
  },
] as const satisfies readonly Probe[]

/** What earlier forms of the same conversation have shown: how streams are cut, and a second answer to which question. */
interface Learnt {
  readonly cut: PieceSize | null
  readonly answered: KnownAnswer | null
}

/**
 * The same first question opens two threads, and the same second one goes on in both. That one makes a stream whose last piece
 * is full, where its length can be told from the whole answer to another one at the same place.
 */
async function askInTwoThreads(context: ProbeContext, operation: OperationId, learnt: Learnt): Promise<Learnt> {
  const assistant = await context.assistant('plain')
  if (assistant === null) return learnt
  const known = new Set(context.touched().map(({ id }) => id))
  const first = context.shortCompletion(assistant)
  let cut = learnt.cut
  for (let opened = 0; opened < threadsOfEach; opened += 1)
    cut = pieceSize(await context.send(operation, { json: first })) ?? cut
  const threads = context.touched().filter(({ id }) => !known.has(id))
  const second = withFullPiece(context.shortCompletion(assistant), { ...learnt, cut })
  const goOn = ({ id }: TouchedThread) => context.send(operation, { query: [['thread_id', id]], json: second })
  // What a service makes only once for equal requests under way, or keeps for a question, belongs to one of the threads.
  const answers = await Promise.all(threads.slice(0, 2).map(goOn))
  for (const thread of threads.slice(2)) answers.push(await goOn(thread))
  const text = answers.map(({ json }) => stringAt(json, '/content')).findLast((one) => one !== undefined)
  const answered = text === undefined ? learnt.answered : { text, asked: second }
  for (const { id } of threads) await listCompletionThread(context, id)
  return { cut, answered }
}

function withFullPiece(body: Record<string, unknown>, { cut, answered }: Learnt): Record<string, unknown> {
  const pieces = answerPieces(cut, answered === null ? [] : [answered])
  const question = stringAt(valuesAt(body, '/messages/*').at(-1), '/content')
  return question === undefined ? body : withQuestion(body, `${paddingFor(pieces, question, 0)}${question}`)
}

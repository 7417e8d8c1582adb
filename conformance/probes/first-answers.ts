/**
 * The first look at answers: the same question, whole and streamed, to the assistant that promises most, and what is stored
 * of both; at the end of a run, what may be paid for although it should be refused.
 */
import { type AssistantCard, profileOf } from '../staging/assistant-card.ts'
import type { Stage } from '../staging/stage.ts'
import { question, remark, thornyQuestion } from '../staging/wording.ts'
import { listBorn } from './completions.ts'
import { on, type Probe, refused, served, streamed } from './probe.ts'
import { lastThatStreams } from './streams.ts'
import { sendOneWrong } from './wrong.ts'

const first = { from: 'smoke', until: 'smoke' } as const
const conversed = ['completions.carries-thread-id', 'completions.thread-holds-conversation'] as const

export const firstAnswers = [
  {
    ...first,
    id: 'completions.first-answers',
    chapter: 'completions',
    exercises: [
      on(['createChatCompletion'], ...served, ...conversed, 'completions.one-whole-answer'),
      on(['streamChatCompletion'], ...streamed, ...conversed, 'streams.same-acceptance'),
      on(['streamChatCompletion'], 'streams.joined-equals-stored', 'streams.streaming-assistant-streams'),
    ],
    needs: {},
    cost: ({ claims }) => {
      const answers = claims.includes('streaming') ? 2 : 1
      return { exchanges: answers, modelCalls: answers }
    },
    play: async (stage) => {
      const card = await stage.assistant('demanding')
      if (card === null) return
      const json = stage.completion(card)
      await stage.send('createChatCompletion', { json })
      if (card.streaming && stage.profile.claims.includes('streaming'))
        await stage.send('streamChatCompletion', { json: await farQuestion(stage, card) })
    },
  },
  {
    ...first,
    id: 'threads.first-closed',
    chapter: 'threads',
    exercises: [on(['createMessage'], 'threads.completion-born-closed', ...refused)],
    needs: { claims: ['threads'] },
    after: ['completions.first-answers'],
    cost: { exchanges: 1, modelCalls: 0 },
    play: async (stage) => {
      const born = stage.touched().findLast((thread) => thread.born)
      if (born === undefined) return stage.note('blocked', 'No completion was answered, so none made a thread.')
      const json = { role: 'system', content: remark(stage.draw) }
      const wrong = { purpose: 'closed:/path/thread_id', in: { thread_id: born.id }, json }
      await sendOneWrong(stage, 'createMessage', wrong)
    },
  },
  {
    ...first,
    id: 'completions.first-reading',
    chapter: 'completions',
    exercises: [on(['listMessages'], ...served, 'pagination.reads-are-pure')],
    needs: { claims: ['threads'] },
    after: ['completions.first-answers'],
    cost: { exchanges: 3, modelCalls: 0 },
    play: async (stage) => {
      const born = stage.touched().filter((thread) => thread.born)
      for (const { id } of [...born, ...born.slice(-1)]) await listBorn(stage, id)
    },
  },
] as const satisfies readonly Probe[]

/** What is asked when everything that must be refused was: until then one model call is left for what is not. */
export const lastAnswers = [
  {
    ...first,
    id: 'tenancy.last-continuation',
    chapter: 'tenancy',
    exercises: [on(['createChatCompletion'], 'tenancy.foreign-thread-not-continued', 'completions.fresh-thread')],
    needs: { claims: ['tenancy'], tenants: ['secondary'] },
    after: ['completions.first-answers'],
    cost: { exchanges: 2, modelCalls: 1 },
    play: async (stage) => {
      const born = stage.touched().find((thread) => thread.born)
      const card = await stage.assistant('plain', 'secondary')
      if (card === null) return
      if (born === undefined) return stage.note('blocked', 'No completion of the first tenant made a thread.')
      const messages = [{ role: 'user', content: question(stage.draw) }]
      const { outcome } = await stage.send('createChatCompletion', {
        as: 'secondary',
        query: [['thread_id', born.id]],
        json: stage.completion(card, { messages }),
        purpose: 'foreign:/query/thread_id',
        expects: 'either',
      })
      // The answer that was not needed goes to a question that was asked before: its thread has to be another one now.
      if (outcome === 'rejected') await stage.send('createChatCompletion', { json: born.asked })
    },
  },
  {
    ...first,
    id: 'streams.last-blocks',
    chapter: 'streams',
    exercises: [
      on(['streamChatCompletionEvents'], ...streamed, 'streams.*-block', 'streams.block-*'),
      on(['streamChatCompletionEvents'], 'completions.carries-thread-id'),
    ],
    needs: { claims: ['events'] },
    cost: { exchanges: 1, modelCalls: 1 },
    play: async (stage) => {
      const card = await stage.assistant('plain')
      if (card === null) return
      await stage.send('streamChatCompletionEvents', { json: await farQuestion(stage, card) })
    },
  },
] as const satisfies readonly Probe[]

/** For an assistant as far from the plain one as can be; it may be one that takes its time, so the question is short. */
async function farQuestion(stage: Stage, plain: AssistantCard): Promise<Record<string, unknown>> {
  const other = (await lastThatStreams(stage, plain)) ?? plain
  const content = thornyQuestion(stage.draw, profileOf(stage.profile, other).prompt)
  const history = [
    { role: 'system', content: 'Please answer briefly and politely.' },
    { role: 'user', content: remark(stage.draw) },
    { role: 'assistant', content: 'I have noted that. What else?' },
  ]
  return stage.completion(other, { messages: [...history, { role: 'user', content }] })
}

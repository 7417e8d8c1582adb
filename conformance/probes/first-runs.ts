/**
 * The first look at runs and tools: an assistant that asks and then streams its answer, and a whole answer to what a client
 * wrote, with the refusals that belong between them.
 */
import type { AssistantCard } from '../staging/assistant-card.ts'
import { profileOf } from '../staging/assistant-card.ts'
import type { Stage } from '../staging/stage.ts'
import { resultMessage } from '../staging/tool-calls.ts'
import { richQuestion } from '../staging/wording.ts'
import { firstThread } from './first-thread.ts'
import { on, type Probe, refused, served, streamed } from './probe.ts'
import { run } from './runs.ts'
import { post } from './threads.ts'
import { askedThread, newCall, refuseResult } from './tools.ts'
import { sendOneWrong } from './wrong.ts'

const answered = ['streams.answer-belongs-to-thread', 'threads.run-appends-answer', 'threads.run-empty-body'] as const
const streamedBehindAnswer = ['streams.joined-equals-stored', 'threads.stream-ends-on-user-or-tool#assistant'] as const
const streamedBehindTools = [...streamedBehindAnswer, 'tools.run-after-tool-messages'] as const
const first = { from: 'smoke', until: 'smoke' } as const
const needs = { claims: ['threads'], threads: true } as const

export const firstRuns = [
  {
    ...first,
    id: 'tools.first-round',
    chapter: 'tools',
    exercises: [
      on(['runThread'], ...served, ...answered),
      on(['streamThreadRun'], ...streamed, ...answered, ...streamedBehindTools, ...refused),
      on(
        ['createMessage'],
        'tools.matched-accepted',
        'tools.unmatched-refused#unknown-id',
        'tools.unmatched-error',
        ...refused,
      ),
    ],
    needs: { claims: ['threads', 'tools'], threads: true, tools: 'prompt' },
    cost: { exchanges: 7, modelCalls: 2 },
    play: playRound,
  },
  {
    ...first,
    id: 'threads.first-answer',
    chapter: 'threads',
    exercises: [
      on(['runThread'], ...served, ...answered, 'streams.whole-form-does-not-stream', 'tools.run-after-tool-messages'),
      on(['streamThreadRun'], 'streams.run-refused-without-support', ...refused),
    ],
    needs,
    after: ['threads.first-messages'],
    cost: ({ claims }) => ({ exchanges: claims.includes('streaming') ? 2 : 1, modelCalls: 1 }),
    play: playAnswer,
  },
  {
    ...first,
    id: 'streams.first-run',
    chapter: 'streams',
    exercises: [on(['streamThreadRun'], ...streamed, ...answered, ...streamedBehindAnswer, ...refused)],
    needs: { claims: ['threads', 'streaming'], threads: true },
    cost: { exchanges: 4, modelCalls: 1 },
    play: async (stage) => {
      const thread = await stage.shared('runs')
      const card = await stage.assistant('plain')
      if (thread === null || card === null) return
      await post(stage, thread.id, 'user', richQuestion(stage.draw, profileOf(stage.profile, card).prompt))
      await streamOnce(stage, thread.id, card)
    },
  },
] as const satisfies readonly Probe[]

/** An assistant that asks: no other result is taken for the one that it waits for, and then it answers in a stream. */
async function playRound(stage: Stage): Promise<void> {
  const asked = await askedThread(stage, 2)
  if (asked === null) return
  const { thread, card, calls } = asked
  await refuseResult(stage, thread, newCall(stage), 'unmatched:/body')
  for (const call of calls) {
    const json = resultMessage(call, richQuestion(stage.draw), stage.profile.tools)
    await stage.send('createMessage', { in: { thread_id: thread }, json })
  }
  if (card.streaming && stage.profile.claims.includes('streaming')) await streamOnce(stage, thread, card)
  else await run(stage, thread, 'runThread', card)
}

/** The first thread ends on a question, or on the results of calls: what cannot be streamed is answered whole. */
async function playAnswer(stage: Stage): Promise<void> {
  const thread = await firstThread(stage)
  if (thread === null) return
  if (thread.fresh) return stage.note('blocked', 'No thread ends on a question.')
  const { id, card } = thread
  if (!card.streaming && stage.profile.claims.includes('streaming'))
    await refuseStream(stage, id, card, 'not-streaming:/path/thread_id')
  await run(stage, id, 'runThread', card)
}

/** A streamed answer, behind which there is nothing to answer. */
async function streamOnce(stage: Stage, thread: string, card: AssistantCard): Promise<void> {
  await run(stage, thread, 'streamThreadRun', card)
  await refuseStream(stage, thread, card, 'ends-on-assistant:/thread')
}

async function refuseStream(stage: Stage, thread: string, card: AssistantCard, purpose: string): Promise<void> {
  await sendOneWrong(stage, 'streamThreadRun', { purpose, in: { thread_id: thread }, json: stage.runBody(card) })
}

/**
 * The first look at runs and tools: an assistant that asks and answers whole, then calls that a client wrote and an answer
 * that is streamed, with the refusals that belong between them.
 */
import type { AssistantCard } from '../staging/assistant-card.ts'
import { profileOf } from '../staging/assistant-card.ts'
import type { Stage } from '../staging/stage.ts'
import { resultMessage } from '../staging/tool-calls.ts'
import { richQuestion } from '../staging/wording.ts'
import { on, type Probe, refused, served, streamed } from './probe.ts'
import { type RunOperation, run } from './runs.ts'
import { post } from './threads.ts'
import { askedThread, newCall, refuseResult } from './tools.ts'
import { sendOneWrong } from './wrong.ts'

const answered = ['streams.answer-belongs-to-thread', 'threads.run-appends-answer', 'threads.run-empty-body'] as const
const first = { from: 'smoke', until: 'smoke' } as const
const needs = { claims: ['threads'], threads: true } as const

export const firstRuns = [
  {
    ...first,
    id: 'tools.first-round',
    chapter: 'tools',
    exercises: [
      on(['runThread'], ...served, ...answered, 'streams.whole-form-does-not-stream', 'tools.run-after-tool-messages'),
      on(
        ['createMessage'],
        'tools.matched-accepted',
        'tools.matched-in-own-thread',
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
    exercises: [on(['runThread'], ...served, ...answered, 'streams.whole-form-does-not-stream')],
    needs,
    cost: { exchanges: 3, modelCalls: 1 },
    play: async (stage) => {
      const shared = await stage.shared('runs')
      const card = await stage.assistant('plain')
      if (shared === null || card === null) return
      await post(stage, shared.id, 'user', richQuestion(stage.draw, profileOf(stage.profile, card).prompt))
      await run(stage, shared.id, 'runThread', card)
    },
  },
  {
    ...first,
    id: 'streams.first-run',
    chapter: 'streams',
    exercises: [
      on(['streamThreadRun'], ...streamed, ...answered, 'streams.joined-equals-stored', ...refused),
      on(['streamThreadRun'], 'threads.stream-ends-on-user-or-tool#assistant', 'tools.run-after-tool-messages'),
    ],
    needs: { claims: ['threads', 'streaming'], threads: true },
    after: ['threads.first-messages'],
    cost: { exchanges: 2, modelCalls: 1 },
    play: playStream,
  },
] as const satisfies readonly Probe[]

/** An assistant that asks: its result fits nowhere else, and then it answers. */
async function playRound(stage: Stage): Promise<void> {
  const asked = await askedThread(stage, 2)
  if (asked === null) return
  const { thread, card, calls } = asked
  await refuseResult(stage, thread, newCall(stage), 'unmatched:/body')
  const other = await stage.shared('three')
  if (other !== null && !other.fresh) await refuseResult(stage, other.id, calls[0] ?? '', 'call-of-other-thread:/body')
  for (const call of calls) {
    const json = resultMessage(call, richQuestion(stage.draw), stage.profile.tools)
    await stage.send('createMessage', { in: { thread_id: thread }, json })
  }
  await run(stage, thread, 'runThread', card)
}

/** The thread of the messages ends on a question, or on the results of calls: its answer is streamed. */
async function playStream(stage: Stage): Promise<void> {
  const shared = await stage.shared('three')
  const card = await stage.assistant('plain')
  if (shared === null || card === null) return
  if (shared.fresh) return stage.note('blocked', 'No thread ends on a question.')
  await run(stage, shared.id, 'streamThreadRun', card)
  await refuseRun(stage, 'streamThreadRun', shared.id, card, 'ends-on-assistant:/thread')
}

async function refuseRun(
  stage: Stage,
  operation: RunOperation,
  thread: string,
  card: AssistantCard,
  purpose: string,
): Promise<void> {
  await sendOneWrong(stage, operation, { purpose, in: { thread_id: thread }, json: stage.runBody(card) })
}

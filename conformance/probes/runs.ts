/** Chapter threads: the assistant is run on a thread, whole and streamed, and its answer is read back. */

import type { TenantName } from '../profile/target-profile.ts'
import type { Answer } from '../staging/answer.ts'
import { type AssistantCard, profileOf } from '../staging/assistant-card.ts'
import type { Stage } from '../staging/stage.ts'
import { question, remark, richQuestion } from '../staging/wording.ts'
import { on, type Probe, refused, served, streamed } from './probe.ts'
import { list, post } from './threads.ts'
import { sendOneWrong } from './wrong.ts'

export type RunOperation = 'runThread' | 'streamThreadRun'

const needs = { claims: ['threads'], threads: true } as const
const streaming = { claims: ['threads', 'streaming'], threads: true } as const
const answered = ['streams.answer-belongs-to-thread', 'threads.run-appends-answer', 'threads.run-empty-body'] as const

export const runs = [
  {
    id: 'threads.run',
    chapter: 'threads',
    from: 'gate',
    exercises: [
      on(['runThread'], ...served, ...answered, 'streams.whole-form-does-not-stream'),
      on(['listMessages'], ...served),
    ],
    needs,
    // It opens the thread and begins it with a system message; smoke has to do that itself.
    after: ['threads.interleaved'],
    cost: (_profile, tier) => ({ exchanges: tier === 'smoke' ? 5 : 3, modelCalls: 1 }),
    play: (stage) => askAndRun(stage, 'runs', 'runThread'),
  },
  {
    id: 'threads.run-stream',
    chapter: 'threads',
    from: 'gate',
    exercises: [on(['streamThreadRun'], ...streamed, ...answered, 'streams.joined-equals-stored')],
    needs: streaming,
    cost: (_profile, tier) => ({ exchanges: tier === 'smoke' ? 5 : 3, modelCalls: 1 }),
    play: (stage) => askAndRun(stage, 'runs', 'streamThreadRun'),
  },
  {
    id: 'threads.stream-after-answer',
    chapter: 'threads',
    from: 'gate',
    exercises: [
      on(
        ['streamThreadRun'],
        'threads.stream-ends-on-user-or-tool#assistant',
        'threads.rejected-leaves-no-trace',
        ...refused,
      ),
    ],
    needs: streaming,
    after: ['threads.run', 'threads.run-stream'],
    cost: { exchanges: 1, modelCalls: 0 },
    play: async (stage) => {
      const thread = await answeredThread(stage)
      if (thread === null) return
      await refuseRun(stage, 'streamThreadRun', thread, 'ends-on-assistant:/thread')
    },
  },
  {
    id: 'threads.stream-after-system',
    chapter: 'threads',
    from: 'gate',
    exercises: [
      on(['streamThreadRun'], 'threads.stream-ends-on-user-or-tool#system', 'threads.rejected-leaves-no-trace'),
    ],
    needs: streaming,
    after: ['threads.stream-after-answer'],
    cost: { exchanges: 2, modelCalls: 0 },
    play: async (stage) => {
      const thread = await answeredThread(stage)
      if (thread !== null && (await addLateSystem(stage, thread)))
        await refuseRun(stage, 'streamThreadRun', thread, 'ends-on-system:/thread')
    },
  },
  {
    id: 'threads.run-behind-system',
    chapter: 'threads',
    from: 'gate',
    exercises: [on(['runThread'], 'threads.run-reads-whole-thread')],
    needs,
    after: ['threads.run', 'threads.stream-after-system'],
    cost: ({ claims }) => ({ exchanges: claims.includes('streaming') ? 1 : 2, modelCalls: 1 }),
    play: async (stage) => {
      const thread = await answeredThread(stage)
      const card = await stage.assistant('plain')
      if (thread === null || card === null) return
      if (!stage.profile.claims.includes('streaming')) await addLateSystem(stage, thread)
      await run(stage, thread, 'runThread', card, { purpose: 'behind-other-messages:/thread', expects: 'either' })
    },
  },
] as const satisfies readonly Probe[]

/** A system message behind others, which a service may refuse; says whether it was taken. */
async function addLateSystem(stage: Stage, thread: string): Promise<boolean> {
  const json = { role: 'system', content: remark(stage.draw) }
  const late = { purpose: 'late-system', expects: 'either', in: { thread_id: thread }, json } as const
  const { outcome } = await stage.send('createMessage', late)
  if (outcome !== 'accepted') stage.note('refused-by-target', 'The target takes no system message behind others.')
  return outcome === 'accepted'
}

/** A user's question, a run, and the thread read back. */
export async function askAndRun(
  stage: Stage,
  name: 'runs' | 'second-a',
  operation: RunOperation,
  { as = 'primary' }: { readonly as?: TenantName } = {},
): Promise<void> {
  const thread = await stage.shared(name, as)
  const card = await stage.assistant('plain', as)
  if (thread === null || card === null) return
  if (thread.fresh) await post(stage, thread.id, 'system', 'Please answer in full sentences.', as)
  await post(stage, thread.id, 'user', richQuestion(stage.draw, profileOf(stage.profile, card).prompt), as)
  await run(stage, thread.id, operation, card, { as })
  await list(stage, thread.id, as)
}

/** Runs an assistant on a thread. */
export function run(
  stage: Stage,
  thread: string,
  operation: RunOperation,
  card: AssistantCard,
  ask: Parameters<Stage['send']>[1] = {},
): Promise<Answer> {
  return stage.send(operation, { in: { thread_id: thread }, json: stage.runBody(card), ...ask })
}

/** Both forms of a run that must not be answered. */
export async function refuseRuns(stage: Stage, thread: string, purpose: string): Promise<void> {
  await refuseRun(stage, 'runThread', thread, purpose)
  if (stage.profile.claims.includes('streaming')) await refuseRun(stage, 'streamThreadRun', thread, purpose)
}

/** A run that must not be answered. */
export async function refuseRun(stage: Stage, operation: RunOperation, thread: string, purpose: string): Promise<void> {
  const card = await stage.assistant('plain')
  if (card === null) return
  await sendOneWrong(stage, operation, { purpose, in: { thread_id: thread }, json: stage.runBody(card) })
}

/** The thread of the runs, which ends on an answer; when nothing ran on it, an assistant message of a client stands there. */
export async function answeredThread(stage: Stage): Promise<string | null> {
  const thread = await stage.shared('runs')
  if (thread?.fresh) {
    await post(stage, thread.id, 'user', question(stage.draw))
    await post(stage, thread.id, 'assistant', remark(stage.draw))
  }
  return thread?.id ?? null
}

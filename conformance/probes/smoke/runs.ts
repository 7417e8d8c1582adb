/**
 * First look at runs and tools. An assistant asks and then streams its answer, and another answers what a client wrote,
 * with the refusal that belongs between them.
 */
import { profileOf } from '../../probe-runtime/assistant-summary.ts'
import type { ProbeContext } from '../../probe-runtime/probe-context.ts'
import { longQuestion } from '../../probe-runtime/sample-texts.ts'
import { resultMessage } from '../../probe-runtime/tool-calls.ts'
import { exercised, type Probe, rejectionRules, streamRules, successRules } from '../probe.ts'
import { runOnThread } from '../threads/runs.ts'
import { listThread, postMessage } from '../threads/threads.ts'
import { askedThread, newCall, refuseResult } from '../tools/tools.ts'
import { firstThread } from './first-thread.ts'

const answered = ['streams.answer-belongs-to-thread', 'threads.run-appends-answer', 'threads.run-empty-body'] as const
const streamedBehindAnswer = ['streams.joined-equals-stored'] as const
const streamedBehindTools = [...streamedBehindAnswer, 'tools.run-after-tool-messages'] as const
const first = { from: 'smoke', until: 'smoke' } as const
const needs = { claims: ['threads'], threads: true } as const

export const smokeRunProbes = [
  {
    ...first,
    id: 'tools.first-round',
    chapter: 'tools',
    exercises: [
      exercised(['runThread'], ...successRules, ...answered),
      exercised(['streamThreadRun'], ...streamRules, ...answered, ...streamedBehindTools),
      exercised(
        ['createMessage'],
        'tools.matched-accepted',
        'tools.unmatched-refused#unknown-id',
        'tools.unmatched-error',
        'tools.matched-in-own-thread',
        ...rejectionRules,
      ),
    ],
    needs: { claims: ['threads', 'tools'], threads: true, tools: 'prompt' },
    after: ['threads.first-messages'],
    cost: { exchanges: 8, modelCalls: 2 },
    play: playRound,
  },
  {
    ...first,
    id: 'threads.first-answer',
    chapter: 'threads',
    exercises: [
      exercised(
        ['runThread'],
        ...successRules,
        ...answered,
        'streams.whole-form-does-not-stream',
        'tools.run-after-tool-messages',
      ),
    ],
    needs,
    after: ['threads.first-messages'],
    cost: { exchanges: 2, modelCalls: 1 },
    play: playAnswer,
  },
  {
    ...first,
    id: 'streams.first-run',
    chapter: 'streams',
    exercises: [exercised(['streamThreadRun'], ...streamRules, ...answered, ...streamedBehindAnswer)],
    needs: { claims: ['threads', 'streaming'], threads: true },
    cost: { exchanges: 4, modelCalls: 1 },
    play: async (context) => {
      const thread = await context.shared('runs')
      const assistant = await context.assistant('plain')
      if (thread === null || assistant === null) return
      await postMessage(
        context,
        thread.id,
        'user',
        longQuestion(context.random, profileOf(context.profile, assistant).prompt),
      )
      await runOnThread(context, thread.id, 'streamThreadRun', assistant)
    },
  },
] as const satisfies readonly Probe[]

/** An assistant that asks: no other result is taken for the one that it waits for, and then it answers in a stream. */
async function playRound(context: ProbeContext): Promise<void> {
  const asked = await askedThread(context, 2)
  if (asked === null) return
  const { thread, assistant, calls } = asked
  await refuseResult(context, thread, newCall(context), 'unmatched:/body')
  const other = await firstThread(context)
  const [first] = calls
  if (other !== null && !other.fresh && first !== undefined)
    await refuseResult(context, other.id, first, 'call-of-other-thread:/body')
  for (const call of calls) {
    const json = resultMessage(call, longQuestion(context.random), context.profile.tools)
    await context.send('createMessage', { in: { thread_id: thread }, json })
  }
  const streams = assistant.streaming && context.profile.claims.includes('streaming')
  await runOnThread(context, thread, streams ? 'streamThreadRun' : 'runThread', assistant)
}

/** The first thread ends on a question, or on the results of calls, and is answered whole and listed. */
async function playAnswer(context: ProbeContext): Promise<void> {
  const thread = await firstThread(context)
  if (thread === null) return
  if (thread.fresh) return context.note('blocked', 'No thread ends on a question.')
  const { id, assistant } = thread
  await runOnThread(context, id, 'runThread', assistant)
  await listThread(context, id)
}

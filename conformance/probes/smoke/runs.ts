/**
 * First look at runs and tools. In one thread an assistant answers what a client wrote, asks, and streams its next
 * answer, with the refusal that belongs between them.
 */
import { profileOf } from '../../probe-runtime/assistant-summary.ts'
import type { ProbeContext } from '../../probe-runtime/probe-context.ts'
import { inheritedName, longQuestion } from '../../probe-runtime/sample-texts.ts'
import { callIdsIn } from '../../probe-runtime/tool-calls.ts'
import { exercised, type Probe, rejectionRules, streamRules, successRules } from '../probe.ts'
import { runOnThread } from '../threads/runs.ts'
import { listThread, postMessage } from '../threads/threads.ts'
import { refuseResult, sendResult } from '../tools/results.ts'
import { postWithFile } from './files.ts'
import { asksLater, firstThread } from './first-thread.ts'

const answered = ['streams.answer-belongs-to-thread', 'threads.run-appends-answer', 'threads.run-empty-body'] as const
const streamedBehindAnswer = ['streams.joined-equals-stored'] as const
const streamedBehindTools = [...streamedBehindAnswer, 'tools.run-after-tool-messages'] as const
const first = { from: 'smoke', until: 'smoke' } as const
const needs = { claims: ['threads'], threads: true } as const

export const smokeRunProbes = [
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
    // A refused run must not stand in the way of the next one.
    behind: ['tenancy.first-foreign-run'],
    cost: (profile) => ({ exchanges: asksLater(profile) ? 1 : 2, modelCalls: 1 }),
    play: playAnswer,
  },
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
        ...rejectionRules,
      ),
    ],
    needs: { claims: ['threads', 'tools'], threads: true, tools: 'prompt' },
    // Behind an answer of the same thread, in each part of a divided run.
    after: ['threads.first-answer'],
    cost: { exchanges: 7, modelCalls: 2 },
    play: playRound,
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

/**
 * The assistant is made to ask in the first thread, behind an answer of its own: no other result is taken for the one that it
 * waits for, and then it answers in a stream.
 */
async function playRound(context: ProbeContext): Promise<void> {
  const { claims, tools } = context.profile
  const thread = await firstThread(context)
  if (thread === null || tools?.prompt === undefined) return
  if (context.left().modelCalls < 2) return context.note('budget', 'No model calls are left for a round trip.')
  const { id, assistant } = thread
  // With the file that another message carried.
  const file = context.touched().find((touched) => touched.id === id)?.carried ?? null
  await postWithFile(context, id, tools.prompt, file)
  const asking = await runOnThread(context, id, 'runThread', assistant)
  const calls = [...new Set(callIdsIn(asking.json, tools))]
  if (calls.length === 0) {
    context.note('refused-by-target', 'The assistant did not ask for a tool when it got the prompt of the profile.')
    await postMessage(context, id, 'user', longQuestion(context.random))
  }
  for (const call of calls) await sendResult(context, id, call, longQuestion(context.random))
  // A list right before the run is an old one behind it, which the last look reads.
  await listThread(context, id)
  if (calls.length > 0) await refuseResult(context, id, inheritedName(context.random), 'unmatched:/body')
  const streams = assistant.streaming && claims.includes('streaming')
  await runOnThread(context, id, streams ? 'streamThreadRun' : 'runThread', assistant)
}

/** The first thread ends on a question, or on the results of calls, and is answered whole. */
async function playAnswer(context: ProbeContext): Promise<void> {
  const thread = await firstThread(context)
  if (thread === null) return
  if (thread.fresh) return context.note('blocked', 'No thread ends on a question.')
  const { id, assistant } = thread
  await runOnThread(context, id, 'runThread', assistant)
  if (!asksLater(context.profile)) await listThread(context, id)
}

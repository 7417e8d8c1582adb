/**
 * Streams that are left early, and streams of one thread at the same time.
 * Only the deep tier has the model calls. What a left stream keeps is open; that its thread takes the next run is not.
 */
import type { ProbeContext } from '../../probe-runtime/probe-context.ts'
import { uniqueQuestion } from '../../probe-runtime/sample-texts.ts'
import { exercised, type Probe, streamRules } from '../probe.ts'
import { runOnThread } from '../threads/runs.ts'
import { listThread, postMessage } from '../threads/threads.ts'

const needs = { claims: ['threads', 'streaming'], threads: true } as const

export const disturbedStreamProbes = [
  {
    id: 'streams.left-run',
    chapter: 'streams',
    from: 'deep',
    exercises: [exercised(['streamThreadRun'], ...streamRules), exercised(['runThread'], 'threads.run-appends-answer')],
    needs,
    cost: { exchanges: 8, modelCalls: 3 },
    play: leaveRun,
  },
  {
    id: 'streams.two-at-once',
    chapter: 'streams',
    from: 'deep',
    exercises: [exercised(['streamThreadRun'], ...streamRules)],
    needs,
    cost: { exchanges: 4, modelCalls: 2 },
    play: streamTwice,
  },
] as const satisfies readonly Probe[]

/** Behind a further question both forms of a run are answered. */
async function leaveRun(context: ProbeContext): Promise<void> {
  const assistant = await context.assistant('plain')
  const thread = assistant === null ? null : await context.thread('primary', assistant)
  if (assistant === null || thread === null) return
  const ask = () => postMessage(context, thread, 'user', uniqueQuestion(context.random))
  await ask()
  await runOnThread(context, thread, 'streamThreadRun', assistant, { abortAfterPieces: 1 })
  await ask()
  await runOnThread(context, thread, 'streamThreadRun', assistant)
  await ask()
  await runOnThread(context, thread, 'runThread', assistant)
  await listThread(context, thread)
}

/** Whether both are answered is open; two answers are two messages. */
async function streamTwice(context: ProbeContext): Promise<void> {
  const assistant = await context.assistant('plain')
  const thread = assistant === null ? null : await context.thread('primary', assistant)
  if (assistant === null || thread === null) return
  await postMessage(context, thread, 'user', uniqueQuestion(context.random))
  const ask = { expects: 'either', purpose: 'at-once:/thread', retry: 'none' } as const
  const run = () => runOnThread(context, thread, 'streamThreadRun', assistant, ask)
  await Promise.all([run(), run()])
  await listThread(context, thread)
}

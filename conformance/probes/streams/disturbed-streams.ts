/**
 * Streams that are left early, and streams of one thread at the same time.
 * Only the deep tier has the model calls. What a left stream keeps is open; that its thread takes the next run is not.
 */
import { transientFailureOf } from '../../client/transient-failure.ts'
import type { ProbeContext } from '../../probe-runtime/probe-context.ts'
import type { RequestSpec } from '../../probe-runtime/request-spec.ts'
import { uniqueQuestion } from '../../probe-runtime/sample-texts.ts'
import { exercised, type Probe, streamRules } from '../probe.ts'
import { inLanes } from '../support/in-lanes.ts'
import { runOnThread } from '../threads/runs.ts'
import { listThread, postMessage } from '../threads/threads.ts'

const needs = { claims: ['threads', 'streaming'], threads: true } as const

/** Pools of 8, 16 and 32 are used up. */
const leftStreams = 33
const attempts = 3

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
  {
    id: 'streams.left-many',
    chapter: 'streams',
    from: 'deep',
    exercises: [exercised(['streamChatCompletion'], ...streamRules)],
    needs: { claims: ['streaming'] },
    cost: { exchanges: leftStreams + 1, modelCalls: leftStreams + 1 },
    play: leaveMany,
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

/** A service that keeps a slot for each caller who leaves runs out of slots; only a failure that repeats is sure. */
async function leaveMany(context: ProbeContext): Promise<void> {
  const assistant = await context.assistant('plain')
  if (assistant === null || !assistant.streaming) return
  const ask = (json: unknown, more: Pick<RequestSpec, 'abortAfterPieces' | 'isRepetition'> = {}) =>
    context.send('streamChatCompletion', { json, retry: 'none', ...more })
  await inLanes(context, Array.from({ length: leftStreams }), () =>
    ask(context.completion(assistant), { abortAfterPieces: 1 }),
  )
  const json = context.completion(assistant)
  let last = await ask(json)
  for (let again = 1; again < attempts && transientFailureOf(last.exchange) !== null; again += 1)
    last = await ask(json, { isRepetition: true })
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

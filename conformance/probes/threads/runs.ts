/** Chapter threads: the assistant is run on a thread, whole and streamed, and its answer is read back. */

import { bothRuns } from '../../../spec/index.ts'
import { paddingFor } from '../../probe-runtime/answer-pieces.ts'
import { type AssistantSummary, profileOf } from '../../probe-runtime/assistant-summary.ts'
import type { ProbeContext } from '../../probe-runtime/probe-context.ts'
import type { Answer } from '../../probe-runtime/probe-response.ts'
import type { RequestSpec } from '../../probe-runtime/request-spec.ts'
import {
  acknowledgement,
  questionAskedTwice,
  questionBelowRow,
  shortestQuestion,
  uniqueQuestion,
  uniqueStatement,
} from '../../probe-runtime/sample-texts.ts'
import { piecesOf } from '../../probe-runtime/touched-thread.ts'
import { isToolField } from '../../profile/tool-fields.ts'
import { claimedOf, exercised, type Probe, rejectionRules, streamRules, successRules } from '../probe.ts'
import { inLanes } from '../support/in-lanes.ts'
import { type RunOperation, refuseRun } from '../support/refuse-run.ts'
import { listThread, postMessage } from './threads.ts'

const needs = { claims: ['threads'], threads: true } as const
const streaming = { claims: ['threads', 'streaming'], threads: true } as const
const stored = ['streams.joined-equals-stored', 'streams.sources-kept'] as const
const answered = ['streams.answer-belongs-to-thread', 'threads.run-appends-answer', 'threads.run-empty-body'] as const

export const runProbeList = [
  {
    id: 'threads.run-stream',
    chapter: 'threads',
    shares: ['runs'],
    from: 'gate',
    exercises: [exercised(['streamThreadRun'], ...streamRules, ...answered, ...stored)],
    needs: streaming,
    after: ['threads.interleaved'],
    // How their answers are cut tells how long the next one has to be.
    behind: ['streams.text'],
    cost: { exchanges: 5, modelCalls: 1 },
    play: (context) => askAndRun(context, 'streamThreadRun'),
  },
  {
    id: 'threads.run',
    chapter: 'threads',
    shares: ['runs'],
    from: 'gate',
    exercises: [
      exercised(['runThread'], ...successRules, ...answered, 'streams.whole-form-does-not-stream'),
      exercised(['listMessages'], ...successRules),
    ],
    needs,
    // The thread is opened before, and begun with a system message. Its answer comes second, so that an id that comes twice
    // shows, and a thread that takes one run only.
    after: ['threads.interleaved', 'threads.run-stream'],
    behind: ['streams.run-without-support'],
    cost: ({ claims }) => ({ exchanges: claims.includes('streaming') ? 5 : 4, modelCalls: 1 }),
    play: (context) => askAndRun(context, 'runThread'),
  },
  {
    id: 'threads.stream-after-others',
    chapter: 'threads',
    shares: ['runs'],
    from: 'gate',
    exercises: [
      exercised(
        ['streamThreadRun'],
        'threads.stream-ends-on-user-or-tool',
        'threads.rejected-leaves-no-trace',
        ...rejectionRules,
      ),
    ],
    needs: streaming,
    after: ['threads.run', 'threads.run-stream'],
    cost: { exchanges: 2, modelCalls: 0 },
    play: async (context) => {
      const thread = await answeredThread(context)
      if (thread === null) return
      if (await addLateSystem(context, thread))
        await refuseRun(context, 'streamThreadRun', thread, 'ends-on-system:/thread')
    },
  },
] as const satisfies readonly Probe[]

/** A system message behind others, which a service may refuse; says whether it was taken. */
export async function addLateSystem(context: ProbeContext, thread: string): Promise<boolean> {
  const json = { role: 'system', content: uniqueStatement(context.random) }
  const late = { purpose: 'late-system', expects: 'either', in: { thread_id: thread }, json } as const
  const { outcome } = await context.send('createMessage', late)
  if (outcome !== 'accepted') context.note('refused-by-target', 'The target takes no system message behind others.')
  return outcome === 'accepted'
}

/** A user's question, a run, and the thread read back. The stream answers behind what an assistant has said. */
async function askAndRun(context: ProbeContext, operation: RunOperation): Promise<void> {
  const shared = await context.shared('runs')
  const assistant = await context.assistant('plain')
  if (shared === null || assistant === null) return
  const thread = shared.id
  const isStream = operation === 'streamThreadRun'
  if (shared.fresh) await postMessage(context, thread, 'system', 'Please answer in full sentences.')
  if (isStream) await postMessage(context, thread, 'assistant', acknowledgement(context.random))
  const { prompt } = profileOf(context.profile, assistant)
  const question = isStream ? streamedQuestion(context, assistant) : questionAskedTwice(context.random, prompt)
  await postMessage(context, thread, 'user', question)
  // A list that was read before the answer is an old one behind it. In two turns of six a message meets another whole run.
  const turn = context.random.runNumber % 6
  const meetsRun = !isStream && turn !== 0 && turn !== 2
  const say = () => postMessage(context, thread, 'user', uniqueStatement(context.random))
  // In this turn no other run that a message meets is a whole one.
  const meet = turn === 3 ? say : () => listThread(context, thread)
  if (!isStream && !meetsRun) await listThread(context, thread)
  const json = withoutTools(context.runBody(assistant))
  const run = (more: RequestSpec = {}) => runOnThread(context, thread, operation, assistant, { json, ...more })
  // By the first chunk the answer has its time of creation, and it may be stored later: the order of the two then tells whether
  // a list is sorted by the one or the other.
  if (isStream) await insideStream(run, say)
  else if (meetsRun) await Promise.all([run(), context.pause(insideRunMs(context)).then(meet)])
  else await run()
  await listThread(context, thread)
  // A thread ends on the answer of a run just as it does on an assistant message that a client adds.
  if (!isStream && meet !== say && context.profile.claims.includes('streaming'))
    await refuseRun(context, 'streamThreadRun', thread, 'ends-on-assistant:/thread')
}

/**
 * In two turns of six a long one below a row of a table. In the others the last piece of the answer is as long as all others, where
 * earlier answers tell how: many a loop leaves out a piece behind the last full one, and that one with it.
 */
function streamedQuestion(context: ProbeContext, assistant: AssistantSummary): string {
  const { prompt } = profileOf(context.profile, assistant)
  const pieces = prompt === undefined ? piecesOf(context.touched(), assistant.id) : null
  if (pieces === null || (context.random.runNumber % 6) % 4 === 0) return questionBelowRow(context.random, prompt)
  const question = shortestQuestion(context.random)
  return `${paddingFor(pieces, question, 0)}${question}`
}

/** What is asked for while a stream is on its way, from its first chunk on, meets the thread as it is then. */
export async function insideStream(
  stream: (more: RequestSpec) => Promise<Answer>,
  ask: () => Promise<unknown>,
): Promise<Answer> {
  let begin = () => {}
  const begun = new Promise<void>((resolve) => {
    begin = resolve
  })
  const streamed = stream({ onFirstPiece: begin }).finally(begin)
  await Promise.all([streamed, begun.then(ask)])
  return streamed
}

/**
 * Half of what the quickest whole run took, or a quarter of the quickest answer: by then one has begun, and is not over. What took
 * longer may have waited for the rest of the suite.
 */
export function insideRunMs(context: ProbeContext): number {
  const touched = context.touched()
  const halves = touched.flatMap(({ ranMs }) => (ranMs === undefined ? [] : ranMs / 2))
  const quarters = touched.flatMap(({ slowestMs }) => (slowestMs === undefined ? [] : slowestMs / 4))
  const moment = Math.min(...halves, ...quarters)
  if (!Number.isFinite(moment)) return 1
  // Where answers are that quick, the suite itself may be busy for as long as one takes.
  return moment >= quickMs ? moment : Math.max(1, moment / 2)
}

const quickMs = 50

/** A run of a plain question needs no tool configuration, which a profile may give to every run. */
export const withoutTools = (body: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(body).filter(([name]) => !isToolField(name)))

/** Runs an assistant on a thread. */
export function runOnThread(
  context: ProbeContext,
  thread: string,
  operation: RunOperation,
  assistant: AssistantSummary,
  ask: Parameters<ProbeContext['send']>[1] = {},
): Promise<Answer> {
  return context.send(operation, { in: { thread_id: thread }, json: context.runBody(assistant), ...ask })
}

/** Both forms of a run that must not be answered. */
export async function refuseRuns(context: ProbeContext, thread: string, purpose: string): Promise<void> {
  await inLanes(context, claimedOf(context, bothRuns), (operation) => refuseRun(context, operation, thread, purpose))
}

/** The thread of the runs, which ends on an answer; when nothing ran on it, an assistant message of a client stands there. */
export async function answeredThread(context: ProbeContext): Promise<string | null> {
  const thread = await context.shared('runs')
  if (thread?.fresh) {
    await postMessage(context, thread.id, 'user', uniqueQuestion(context.random))
    await postMessage(context, thread.id, 'assistant', uniqueStatement(context.random))
  }
  return thread?.id ?? null
}

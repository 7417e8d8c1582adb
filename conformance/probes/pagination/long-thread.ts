/** A thread of more than a hundred messages: default pages, and rules that depend on its oldest messages. */
import { type AssistantSummary, profileOf, runNamesAssistant } from '../../probe-runtime/assistant-summary.ts'
import { readingLines } from '../../probe-runtime/client-headers.ts'
import type { ProbeContext } from '../../probe-runtime/probe-context.ts'
import type { Answer } from '../../probe-runtime/probe-response.ts'
import {
  easilyMisreadTexts,
  questionAskedTwice,
  uniqueQuestion,
  uniqueStatement,
} from '../../probe-runtime/sample-texts.ts'
import { longThreadBefore, longThreadPosts } from '../../profile/budget-tiers.ts'
import { filledByCompletion, longHistory, mayFillByCompletion } from '../completions/question-not-last.ts'
import { runsWholeAtOnce } from '../interference/unlike-assistant.ts'
import { inLanes, mostlyInLanes } from '../support/in-lanes.ts'
import { cursorOf, readPage, walkPages } from '../support/page-walk.ts'
import { refuseRun } from '../support/refuse-run.ts'
import { sendInvalid } from '../support/send-invalid.ts'
import { addLateSystem, runOnThread } from '../threads/runs.ts'
import { postMessage } from '../threads/threads.ts'
import { refuseResult } from '../tools/results.ts'
import { addRound } from '../tools/tools.ts'
import { fillThread } from './fill-thread.ts'

/** Posts in deep behind the long thread, and pages of the default size that hold both, with the one behind the last. */
export const veryLongThreadPosts = 160
export const veryLongThreadPages = Math.ceil((longThreadPosts + 2 + veryLongThreadPosts) / 100) + 1

/**
 * After them come one message with calls and their results, where a client can write them; else statements. The last result is
 * so far from its call that a search of the newest messages misses it.
 */
const newestOfAll = 24

/**
 * More messages than the default page holds; faults that begin behind the hundredth show here. Questions stand at its start
 * alone: a run at its end, behind an answer and a system message, has to look through the whole thread.
 */
export async function playLongThread(context: ProbeContext): Promise<void> {
  const assistant = await runnerOf(context)
  const shared = assistant === null ? null : await context.shared('long', 'primary', assistant)
  if (shared === null || assistant === null) return
  const thread = shared.id
  const filled = mayFillByCompletion(context) ? filledByCompletion(context) : undefined
  const isTaken = await addNullCharacter(context, thread)
  const { added, carried } = context.touched().find(({ id }) => id === thread) ?? { added: 0 }
  // What another run is asked as well: an answer that is kept for its question shows. With a file it may have other sources.
  const content = questionAskedTwice(context.random, profileOf(context.profile, assistant).prompt)
  const { size, newest, results, ...filling } = filled === undefined ? longThread(added) : shortThread
  await fillThread(context, thread, size, filling, { content, ...carried })
  // Results as the hundredth message and as the last: a search of the first ones, a wrong end, an overlooked system message.
  const missing = newest - (await addRound(context, thread, newest - 1, results))
  await mostlyInLanes(context, Array.from({ length: missing }), () =>
    postMessage(context, thread, 'assistant', uniqueStatement(context.random)),
  )
  const whole = added + size + newest
  // What another message takes in its place is spared at the page that may hold all.
  await inLanes(context, isTaken ? [null, 100, whole] : [null, 100], (limit) =>
    walkPages(context, thread, limit, whole, { untilSeen: limit !== null }),
  )
  await readPages(context, thread, [1, 99])
  // A file is no content.
  const json = { role: 'user', content: '', ...carried }
  await sendInvalid(context, 'createMessage', [{ purpose: 'empty:/body/content', in: { thread_id: thread }, json }])
  await refuseResult(context, thread, context.random.uuid(), 'unmatched:/body')
  if ((await addLateSystem(context, thread)) && context.profile.claims.includes('streaming'))
    await refuseRun(context, 'streamThreadRun', thread, 'ends-on-system:/thread')
  const behind = { purpose: 'behind-other-messages:/thread', expects: 'either', headers: readingLines } as const
  const { outcome } = await runOnThread(context, thread, 'runThread', assistant, behind)
  if (outcome === 'rejected') {
    // Whether it is too long for any run shows when a question is its newest message.
    await postMessage(context, thread, 'user', uniqueQuestion(context.random))
    const again = await runEither(context, thread, assistant)
    const plain = again.outcome === 'rejected' ? await context.assistant('plain') : null
    if (plain !== null && plain.id !== assistant.id) await runEither(context, thread, plain)
  }
  // Fewer than the default, and more than it where both are compared as texts.
  await readPages(context, filled?.id ?? thread, [52, null])
  // Now more than the page that held all: a cursor behind a page of more than the default.
  await walkPages(context, thread, whole, whole + 2, { untilSeen: true })
  if (filled === undefined) return
  // One page in between is so long that a number of one byte does not count it, and does not hold all.
  await readPages(context, filled.id, [null, longHistory / 2, null])
  await readBehindNewest(context, filled.id)
}

/** Where a client has filled the long thread, one that a completion has filled is read as well. */
export async function playFilledThread(context: ProbeContext): Promise<void> {
  const filled = mayFillByCompletion(context) ? undefined : filledByCompletion(context)
  if (filled !== undefined) await readBehindNewest(context, filled.id)
}

/**
 * The newest message, and all behind it: a position of one byte does not hold what it counts from the oldest one, and a limit
 * that is lowered may end the list too early.
 */
async function readBehindNewest(context: ProbeContext, thread: string): Promise<void> {
  await readPages(context, thread, [1, 1000])
}

/** What is posted behind so many messages of other probes: so much that a page of 100 leaves exactly one message. */
const longThread = (added: number) => ({
  size: longThreadPosts - added - newestOfAll,
  contents: easilyMisreadTexts,
  lost: longThreadBefore - added,
  newest: newestOfAll,
  results: [],
})

/**
 * The same where another thread is long: the question, statements, and what is easily misread as results. More than 25 messages
 * stand behind the question.
 */
const shortThread = {
  size: 14,
  newestUser: 1,
  inTurn: { oldest: 1, newest: 1 },
  contents: [],
  lost: 0,
  newest: 1 + easilyMisreadTexts.length,
  results: easilyMisreadTexts,
}

/** So many behind those of the long thread that sizes of buffers such as 128, 200 and 256 are passed. */
export async function playVeryLongThread(context: ProbeContext): Promise<void> {
  const shared = await context.shared('long')
  if (shared === null || shared.fresh) return
  await fillThread(context, shared.id, veryLongThreadPosts)
  await walkPages(context, shared.id, null, longThreadPosts + veryLongThreadPosts)
}

/**
 * One that answers whole only, which a run has to serve like any other; where that one is run elsewhere, the plain one, whose
 * answer to the question is in another thread as well. Only where a run says who answers.
 */
async function runnerOf(context: ProbeContext): Promise<AssistantSummary | null> {
  const isWhole = !runsWholeAtOnce(context) && runNamesAssistant(context.profile)
  return (isWhole ? await context.assistant('whole') : null) ?? context.assistant('plain')
}

function runEither(context: ProbeContext, thread: string, assistant: AssistantSummary): Promise<Answer> {
  const streams = assistant.streaming && context.profile.claims.includes('streaming')
  return runOnThread(context, thread, streams ? 'streamThreadRun' : 'runThread', assistant)
}

/** A message with U+0000, which a service may refuse but not take and change; says whether it was taken. */
async function addNullCharacter(context: ProbeContext, thread: string): Promise<boolean> {
  const json = { role: 'user', content: `${uniqueStatement(context.random)} Here\0there.` }
  const odd = { purpose: 'null-character:/body/content', expects: 'either', in: { thread_id: thread }, json } as const
  return (await context.send('createMessage', odd)).outcome === 'accepted'
}

/**
 * Reads a page of each limit behind the one before. After one message with a limit of 99, a cursor that loses a digit of its
 * position and a limit that is capped lower show; after 52 without a limit, so does a default of 50.
 */
async function readPages(context: ProbeContext, thread: string, limits: readonly (number | null)[]): Promise<void> {
  let cursor: string | undefined
  for (const [at, limit] of limits.entries()) {
    if (at > 0 && cursor === undefined) return
    cursor = cursorOf((await readPage(context, thread, limit, cursor)).json)
  }
}

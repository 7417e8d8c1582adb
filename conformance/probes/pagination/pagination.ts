/** Chapter pagination: walks of every page size, while others write, and on a thread of more than a hundred messages. */

import { type AssistantSummary, profileOf } from '../../probe-runtime/assistant-summary.ts'
import { readingLines } from '../../probe-runtime/client-headers.ts'
import type { ProbeContext } from '../../probe-runtime/probe-context.ts'
import type { Answer } from '../../probe-runtime/probe-response.ts'
import {
  falsyLookingTexts,
  hugeText,
  questionAskedTwice,
  uniqueQuestion,
  uniqueStatement,
} from '../../probe-runtime/sample-texts.ts'
import { longThreadBefore, longThreadExchanges, longThreadPosts } from '../../profile/budget-tiers.ts'
import { filesOnLong } from '../files/follow-file.ts'
import { exercised, type Probe, rejectionRules, successRules } from '../probe.ts'
import { inLanes, mostlyInLanes } from '../support/in-lanes.ts'
import { cursorOf, readPage, walkPages } from '../support/page-walk.ts'
import { refuseRun } from '../support/refuse-run.ts'
import { sendInvalid } from '../support/send-invalid.ts'
import { addLateSystem, runOnThread } from '../threads/runs.ts'
import { listThread, postMessage } from '../threads/threads.ts'
import { refuseResult } from '../tools/results.ts'
import { addRound } from '../tools/tools.ts'
import { fillThread } from './fill-thread.ts'

const needs = { claims: ['threads'], threads: true } as const
const walked = [
  ...successRules,
  'pagination.page-fields',
  'pagination.newest-first',
  'pagination.order-of-creation',
  'pagination.cursor-continues',
  'pagination.any-limit-same-list',
  'pagination.walk-ends',
] as const
/** Posts in deep behind the long thread, and pages of the default size that hold both, with the one behind the last. */
const veryLongThreadPosts = 160
const veryLongThreadPages = Math.ceil((longThreadPosts + 2 + veryLongThreadPosts) / 100) + 1
/** Messages sent at the same time; creation stamps of equal value are then likely. */
const burst = 6

export const paginationProbes = [
  {
    id: 'pagination.walk',
    chapter: 'pagination',
    shares: ['three'],
    from: 'gate',
    exercises: [exercised(['listMessages'], ...walked, 'pagination.limit-*-page')],
    needs,
    after: ['threads.messages'],
    cost: { exchanges: 5, modelCalls: 0 },
    play: async (context) => {
      const thread = await threeMessages(context)
      if (thread === null) return
      await inLanes(context, [1, 3, 4], (limit) => walkPages(context, thread, limit, 3, { untilSeen: limit !== 1 }))
    },
  },
  {
    id: 'pagination.moving-thread',
    chapter: 'pagination',
    shares: ['three'],
    from: 'gate',
    exercises: [exercised(['listMessages'], 'pagination.stable-while-inserting', 'pagination.cursor-repeatable')],
    needs,
    after: ['pagination.walk'],
    cost: { exchanges: 6, modelCalls: 0 },
    play: playMovingThread,
  },
  {
    id: 'pagination.burst',
    chapter: 'pagination',
    shares: ['second-b'],
    from: 'gate',
    rare: true,
    exercises: [
      exercised(['createMessage'], 'threads.concurrent-creates'),
      exercised(['listMessages'], ...walked, 'threads.created-is-listed'),
    ],
    needs,
    // It opens the other thread.
    after: ['threads.interleaved'],
    cost: { exchanges: 1 + burst + 1 + burst / 2 + 1, modelCalls: 0 },
    play: async (context) => {
      const thread = await context.thread()
      if (thread === null) return
      // Another tenant right behind them: what a service keeps for all requests instead of for one, this one overwrites.
      const foreign =
        context.profile.tenants.secondary === undefined ? null : await context.shared('second-b', 'secondary')
      const own = foreign === null ? burst : burst - 1
      const { random } = context
      const large = { purpose: 'large:/body/content', expects: 'either', in: { thread_id: thread } } as const
      // The first one arrives in parts: what is kept for all requests meanwhile is that of the others.
      const posts = [
        context.send('createMessage', { ...large, json: { role: 'user', content: hugeText(random) } }),
        ...Array.from({ length: own - 1 }, () => postMessage(context, thread, 'user', uniqueStatement(random))),
      ]
      if (foreign !== null)
        posts.push(postMessage(context, foreign.id, 'user', uniqueStatement(context.random), 'secondary'))
      await Promise.all([...posts, listThread(context, thread)])
      await walkPages(context, thread, 2, own, { untilSeen: true })
      await listThread(context, thread)
    },
  },
  {
    id: 'pagination.long-thread',
    chapter: 'pagination',
    shares: ['long'],
    from: 'gate',
    rare: true,
    slow: true,
    exercises: [
      exercised(['listMessages'], ...walked, 'pagination.default-limit'),
      exercised(['createMessage'], 'threads.rejected-leaves-no-trace', ...rejectionRules),
      exercised(['runThread'], 'threads.run-reads-whole-thread'),
    ],
    needs,
    // What they add are messages as good as others.
    after: ['threads.fragile-texts', 'http.json-spellings', 'threads.server-sets-identity', 'files.persist'],
    cost: (profile) => ({ exchanges: longThreadExchanges - filesOnLong(profile), modelCalls: 1 }),
    play: playLongThread,
  },
  {
    id: 'pagination.very-long-thread',
    chapter: 'pagination',
    shares: ['long'],
    from: 'deep',
    rare: true,
    slow: true,
    exercises: [exercised(['listMessages'], 'threads.created-is-listed', 'pagination.any-limit-same-list')],
    needs,
    after: ['pagination.long-thread'],
    cost: { exchanges: veryLongThreadPosts + 2 + veryLongThreadPages, modelCalls: 0 },
    play: playVeryLongThread,
  },
  {
    id: 'pagination.limits',
    chapter: 'pagination',
    shares: ['workshop'],
    from: 'gate',
    exercises: [exercised(['listMessages'], 'pagination.limit-is-integer')],
    needs,
    after: ['threads.interleaved'],
    cost: { exchanges: 3, modelCalls: 0 },
    play: async (context) => {
      const thread = await context.shared('workshop')
      if (thread === null) return
      const path = { purpose: 'type:/query/limit', in: { thread_id: thread.id } }
      const limits = context.random.shuffled(noIntegers.map((kind) => context.random.pick(kind)))
      const wrongs = limits.map((limit) => ({ ...path, query: [['limit', limit] as const] }))
      await sendInvalid(context, 'listMessages', wrongs)
    },
  },
  {
    id: 'pagination.grey-parameters',
    chapter: 'pagination',
    shares: ['workshop', 'three'],
    from: 'gate',
    exercises: [],
    needs,
    after: ['threads.messages'],
    cost: { exchanges: 5, modelCalls: 0 },
    play: playGreyParameters,
  },
] as const satisfies readonly Probe[]

/** By how parsers go wrong: those that stop early, those that take any number, those that fall back to a default. */
const noIntegers = [
  ['5x', '10abc', '7 8', '3,5'],
  ['1.5', '2.0001'],
  ['ten', '[1]'],
] as const

/** The thread with three messages, or a fresh one that is filled. */
async function threeMessages(context: ProbeContext): Promise<string | null> {
  const thread = await context.shared('three')
  if (thread?.fresh) await fillThread(context, thread.id, 3)
  return thread?.id ?? null
}

/**
 * After them come one message with calls and their results, where a client can write them; else statements. The last result is
 * so far from its call that a search of the newest messages misses it.
 */
const newestOfAll = 24

/** A walk between whose pages others write, and the same cursor read twice. */
async function playMovingThread(context: ProbeContext): Promise<void> {
  const thread = await threeMessages(context)
  if (thread === null) return
  const cursor = cursorOf((await readPage(context, thread, 1)).json)
  if (cursor === undefined) return context.note('refused-by-target', 'No cursor came with a page of 1 out of 3.')
  await readPage(context, thread, 1, cursor)
  const second = await readPage(context, thread, 1, cursor)
  await postMessage(context, thread, 'user', uniqueStatement(context.random))
  await readPage(context, thread, 1, cursor)
  const next = cursorOf(second.json)
  if (next !== undefined) await readPage(context, thread, 1, next)
}

/**
 * More messages than the default page holds; faults that begin behind the hundredth show here. Questions stand at its start
 * alone: a run at its end, behind an answer and a system message, has to look through the whole thread.
 */
async function playLongThread(context: ProbeContext): Promise<void> {
  const assistant = await context.assistant('plain')
  const shared = await context.shared('long')
  if (shared === null || assistant === null) return
  const thread = shared.id
  const isTaken = await addNullCharacter(context, thread)
  const { added, carried } = context.touched().find(({ id }) => id === thread) ?? { added: 0 }
  // What another run is asked as well: an answer that is kept for its question shows. With a file it may have other sources.
  const content = questionAskedTwice(context.random, profileOf(context.profile, assistant).prompt)
  // So many that a page of 100 leaves exactly one message.
  const whole = longThreadPosts
  await fillThread(
    context,
    thread,
    whole - added - newestOfAll,
    { contents: falsyLookingTexts, lost: longThreadBefore - added },
    { content, ...carried },
  )
  // Results as the hundredth message and as the last: a search of the first ones, a wrong end, an overlooked system message.
  const missing = newestOfAll - (await addRound(context, thread, newestOfAll - 1))
  await mostlyInLanes(context, Array.from({ length: missing }), () =>
    postMessage(context, thread, 'assistant', uniqueStatement(context.random)),
  )
  // What another message takes in its place is spared at the page that may hold all.
  await inLanes(context, isTaken ? [null, 100, whole] : [null, 100], (limit) =>
    walkPages(context, thread, limit, whole, { untilSeen: limit !== null }),
  )
  await continueBehind(context, thread, 60, null)
  // A file is no content.
  const json = { role: 'user', content: '', ...carried }
  await sendInvalid(context, 'createMessage', [{ purpose: 'empty:/body/content', in: { thread_id: thread }, json }])
  await refuseResult(context, thread, `call_${context.random.uuid()}`, 'unmatched:/body')
  if ((await addLateSystem(context, thread)) && context.profile.claims.includes('streaming'))
    await refuseRun(context, 'streamThreadRun', thread, 'ends-on-system:/thread')
  const behind = { purpose: 'behind-other-messages:/thread', expects: 'either', headers: readingLines } as const
  const { outcome } = await runOnThread(context, thread, 'runThread', assistant, behind)
  if (outcome === 'rejected') {
    // Whether it is too long for any run shows when a question is its newest message.
    await postMessage(context, thread, 'user', uniqueQuestion(context.random))
    await runEither(context, thread, assistant)
  }
  await continueBehind(context, thread, 2, 50)
  // Now more than the page that held all: a cursor behind a page of more than the default.
  await walkPages(context, thread, whole, whole + 2, { untilSeen: true })
}

/** So many behind those of the long thread that sizes of buffers such as 128, 200 and 256 are passed. */
async function playVeryLongThread(context: ProbeContext): Promise<void> {
  const shared = await context.shared('long')
  if (shared === null || shared.fresh) return
  await fillThread(context, shared.id, veryLongThreadPosts)
  await walkPages(context, shared.id, null, longThreadPosts + veryLongThreadPosts)
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
 * A first page and the one behind it: more than half, and without a limit what is left, which the default holds; or the newest
 * few, behind which more than a hundred messages are left.
 */
async function continueBehind(
  context: ProbeContext,
  thread: string,
  first: number,
  next: number | null,
): Promise<void> {
  const cursor = cursorOf((await readPage(context, thread, first)).json)
  if (cursor !== undefined) await readPage(context, thread, next, cursor)
}

/** Limits and cursors on whose meaning the contract is silent. */
async function playGreyParameters(context: ProbeContext): Promise<void> {
  const thread = await context.shared('workshop')
  const other = await threeMessages(context)
  if (thread === null || other === null) return
  const foreign = cursorOf((await readPage(context, other, 1)).json)
  const greys: readonly (readonly [purpose: string, ...query: (readonly [string, string])[]])[] = [
    ['below-one:/query/limit', ['limit', '0']],
    ['above:/query/limit', ['limit', '1000000']],
    ['made-up:/query/cursor', ['cursor', context.random.uuid()]],
    ...(foreign === undefined ? [] : [['other-thread:/query/cursor', ['limit', '1'], ['cursor', foreign]] as const]),
  ]
  await inLanes(context, greys, ([purpose, ...query]) =>
    context.send('listMessages', { in: { thread_id: thread.id }, query, purpose, expects: 'either' }),
  )
}

/** Chapter pagination: walks of every page size, while others write, and on a thread of more than a hundred messages. */

import type { ProbeContext } from '../../probe-runtime/probe-context.ts'
import { hugeText, uniqueStatement } from '../../probe-runtime/sample-texts.ts'
import { longThreadExchanges } from '../../profile/budget-tiers.ts'
import { filesOnLong } from '../files/attach-file.ts'
import { exercised, type Probe, rejectionRules, successRules } from '../probe.ts'
import { inLanes } from '../support/in-lanes.ts'
import { cursorOf, readPage, walkPages } from '../support/page-walk.ts'
import { makesThreads } from '../support/profile-facts.ts'
import { sendInvalid } from '../support/send-invalid.ts'
import { otherKeyOf } from '../threads/final-reread.ts'
import { listThread, postMessage } from '../threads/threads.ts'
import { fillThread } from './fill-thread.ts'
import {
  playFilledThread,
  playLongThread,
  playVeryLongThread,
  veryLongThreadPages,
  veryLongThreadPosts,
} from './long-thread.ts'

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
      // Who says the same twice gets two messages, also where both are on their way at once.
      const twins = Array<string>(2).fill(uniqueStatement(random))
      // The first one arrives in parts: what is kept for all requests meanwhile is that of the others.
      const posts = [
        context.send('createMessage', { ...large, json: { role: 'user', content: hugeText(random) } }),
        ...twins.map((text) => postMessage(context, thread, 'user', text)),
        ...Array.from({ length: own - 3 }, () => postMessage(context, thread, 'user', uniqueStatement(random))),
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
    after: ['threads.fragile-texts', 'http.json-spellings', 'threads.server-sets-identity', 'files.attached'],
    // It may fill another thread, so that this one need not be long.
    behind: ['completions.continue'],
    cost: (profile) => ({ exchanges: longThreadExchanges - filesOnLong(profile), modelCalls: 1 }),
    play: playLongThread,
  },
  {
    id: 'pagination.filled-thread',
    chapter: 'pagination',
    from: 'gate',
    standby: true,
    ahead: true,
    exercises: [exercised(['listMessages'], 'pagination.cursor-continues', 'pagination.any-limit-same-list')],
    needs,
    after: ['pagination.long-thread'],
    cost: (profile) => ({ exchanges: makesThreads(profile) ? 2 : 0, modelCalls: 0 }),
    play: playFilledThread,
  },
  {
    id: 'pagination.first-cursor',
    chapter: 'pagination',
    from: 'gate',
    standby: true,
    ahead: true,
    exercises: [exercised(['listMessages'], 'pagination.cursor-continues', 'pagination.stable-while-inserting')],
    needs,
    after: ['pagination.long-thread'],
    cost: { exchanges: 1, modelCalls: 0 },
    // Cursors that a service keeps are lost once many others were handed out.
    play: async (context) => {
      const first = context
        .touched()
        .find(({ tenant, firstCursor }) => tenant === 'primary' && firstCursor !== undefined)
      if (first?.firstCursor === undefined) return
      await readPage(context, first.id, first.firstCursor.limit, first.firstCursor.cursor)
    },
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
    shares: ['three', 'keyless'],
    from: 'gate',
    exercises: [],
    needs,
    after: ['threads.messages'],
    // It opens the other thread.
    behind: ['auth.missing-key'],
    opening: 1,
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

/** A walk between whose pages others write, and the same cursor read twice. */
async function playMovingThread(context: ProbeContext): Promise<void> {
  const thread = await threeMessages(context)
  if (thread === null) return
  const cursor = cursorOf((await readPage(context, thread, 1)).json)
  if (cursor === undefined) return context.note('refused-by-target', 'No cursor came with a page of 1 out of 3.')
  await readPage(context, thread, 1, cursor)
  const second = await readPage(context, thread, 1, cursor)
  await postMessage(context, thread, 'user', uniqueStatement(context.random), otherKeyOf(context.profile))
  // A page belongs to its limit as well as to its cursor.
  await readPage(context, thread, 2, cursor)
  const next = cursorOf(second.json)
  if (next !== undefined) await readPage(context, thread, 1, next)
}

/** Limits and cursors on whose meaning the contract is silent. */
async function playGreyParameters(context: ProbeContext): Promise<void> {
  const thread = await context.shared('keyless')
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

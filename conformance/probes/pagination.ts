/** Chapter pagination: walks of every page size, while others write, and on a thread of more than a hundred messages. */
import { longThreadExchanges, longThreadPosts } from '../planning/budget-tiers.ts'
import type { Stage } from '../staging/stage.ts'
import { almostNothing, question, remark } from '../staging/wording.ts'
import { cursorOf, page, walk } from './pages.ts'
import { on, type Probe, refused, served } from './probe.ts'
import { run } from './runs.ts'
import { list, post } from './threads.ts'
import { refuseResult } from './tools.ts'
import { sendOneWrong, sendWrong } from './wrong.ts'

const needs = { claims: ['threads'], threads: true } as const
const walked = [
  ...served,
  'pagination.page-fields',
  'pagination.newest-first',
  'pagination.order-of-creation',
  'pagination.cursor-continues',
  'pagination.any-limit-same-list',
  'pagination.walk-ends',
] as const
/** Messages sent at the same time; creation stamps of equal value are then likely. */
const burst = 6

export const pagination = [
  {
    id: 'pagination.walk',
    chapter: 'pagination',
    from: 'gate',
    exercises: [on(['listMessages'], ...walked, 'pagination.limit-*-page')],
    needs,
    after: ['threads.messages'],
    cost: { exchanges: 5, modelCalls: 0 },
    play: async (stage) => {
      const thread = await threeMessages(stage)
      if (thread === null) return
      for (const limit of [1, 3, 4]) await walk(stage, thread, limit, 3, { untilSeen: limit !== 1 })
    },
  },
  {
    id: 'pagination.moving-thread',
    chapter: 'pagination',
    from: 'gate',
    exercises: [on(['listMessages'], 'pagination.stable-while-inserting', 'pagination.cursor-repeatable')],
    needs,
    after: ['pagination.walk'],
    cost: { exchanges: 6, modelCalls: 0 },
    play: playMovingThread,
  },
  {
    id: 'pagination.burst',
    chapter: 'pagination',
    from: 'gate',
    rare: true,
    exercises: [
      on(['createMessage'], 'threads.concurrent-creates'),
      on(['listMessages'], ...walked, 'threads.created-is-listed'),
    ],
    needs,
    cost: { exchanges: 1 + burst + 1 + burst / 2 + 1, modelCalls: 0 },
    play: async (stage) => {
      const thread = await stage.thread()
      if (thread === null) return
      // Another tenant right behind them: what a service keeps for all requests instead of for one, this one overwrites.
      const foreign = stage.profile.tenants.secondary === undefined ? null : await stage.shared('second-b', 'secondary')
      const own = foreign === null ? burst : burst - 1
      const posts = Array.from({ length: own }, () => post(stage, thread, 'user', remark(stage.draw)))
      if (foreign !== null) posts.push(post(stage, foreign.id, 'user', remark(stage.draw), 'secondary'))
      await Promise.all([...posts, list(stage, thread)])
      await walk(stage, thread, 2, own, { untilSeen: true })
      await list(stage, thread)
    },
  },
  {
    id: 'pagination.long-thread',
    chapter: 'pagination',
    from: 'gate',
    rare: true,
    exercises: [
      on(['listMessages'], ...walked, 'pagination.default-limit'),
      on(['createMessage'], 'threads.rejected-leaves-no-trace', ...refused),
    ],
    needs,
    cost: { exchanges: longThreadExchanges, modelCalls: 1 },
    play: playLongThread,
  },
  {
    id: 'pagination.limits',
    chapter: 'pagination',
    from: 'gate',
    exercises: [on(['listMessages'], 'pagination.limit-is-integer')],
    needs,
    cost: { exchanges: 2, modelCalls: 0 },
    play: async (stage) => {
      const thread = await stage.shared('workshop')
      if (thread === null) return
      const path = { thread_id: thread.id }
      for (const limit of ['5x', '1.5'])
        await sendOneWrong(stage, 'listMessages', { purpose: 'type:/query/limit', in: path, query: [['limit', limit]] })
    },
  },
  {
    id: 'pagination.grey-parameters',
    chapter: 'pagination',
    from: 'gate',
    exercises: [],
    needs,
    cost: { exchanges: 5, modelCalls: 0 },
    play: playGreyParameters,
  },
] as const satisfies readonly Probe[]

/** The thread with three messages, or a fresh one that is filled. */
async function threeMessages(stage: Stage): Promise<string | null> {
  const thread = await stage.shared('three')
  if (thread?.fresh) await fill(stage, thread.id, 3)
  return thread?.id ?? null
}

async function fill(stage: Stage, thread: string, size: number): Promise<void> {
  for (let index = 0; index < size; index += 1) {
    const content = almostNothing[index - 10] ?? remark(stage.draw)
    await post(stage, thread, index % 2 === 0 ? 'user' : 'assistant', content)
  }
}

/** A walk between whose pages others write, and the same cursor read twice. */
async function playMovingThread(stage: Stage): Promise<void> {
  const thread = await threeMessages(stage)
  if (thread === null) return
  const cursor = cursorOf((await page(stage, thread, 1)).json)
  if (cursor === undefined) return stage.note('refused-by-target', 'No cursor came with a page of 1 out of 3.')
  await page(stage, thread, 1, cursor)
  const second = await page(stage, thread, 1, cursor)
  await post(stage, thread, 'user', remark(stage.draw))
  await page(stage, thread, 1, cursor)
  const next = cursorOf(second.json)
  if (next !== undefined) await page(stage, thread, 1, next)
}

/** More messages than the default page holds; faults that begin behind the hundredth show here. */
async function playLongThread(stage: Stage): Promise<void> {
  const card = await stage.assistant('plain')
  const thread = await stage.thread()
  if (thread === null || card === null) return
  const isTaken = await addNullCharacter(stage, thread)
  await fill(stage, thread, isTaken ? longThreadPosts - 1 : longThreadPosts)
  // What another message takes in its place is spared at the page that may hold all.
  for (const limit of isTaken ? [null, 100, 101] : [null, 100])
    await walk(stage, thread, limit, longThreadPosts, { untilSeen: limit !== null })
  await continuePages(stage, thread)
  const empty = { purpose: 'empty:/body/content', in: { thread_id: thread }, json: { role: 'user', content: '' } }
  await sendWrong(stage, 'createMessage', [empty])
  await refuseResult(stage, thread, `call_${stage.draw.uuid()}`, 'unmatched:/body')
  await post(stage, thread, 'user', question(stage.draw))
  const operation = card.streaming && stage.profile.claims.includes('streaming') ? 'streamThreadRun' : 'runThread'
  await Promise.all([run(stage, thread, operation, card), post(stage, thread, 'user', remark(stage.draw))])
  await walk(stage, thread, null, longThreadPosts + 2, { untilSeen: true })
}

/** A message with U+0000, which a service may refuse but not take and change; says whether it was taken. */
async function addNullCharacter(stage: Stage, thread: string): Promise<boolean> {
  const json = { role: 'user', content: `${remark(stage.draw)} Here\0there.` }
  const odd = { purpose: 'null-character:/body/content', expects: 'either', in: { thread_id: thread }, json } as const
  return (await stage.send('createMessage', odd)).outcome === 'accepted'
}

/** Half of the thread and the next fifty; then more than half, and without a limit what is left, which the default holds. */
async function continuePages(stage: Stage, thread: string): Promise<void> {
  for (const [first, next] of [
    [50, 50],
    [60, null],
  ] as const) {
    const cursor = cursorOf((await page(stage, thread, first)).json)
    if (cursor !== undefined) await page(stage, thread, next, cursor)
  }
}

/** Limits and cursors on whose meaning the contract is silent. */
async function playGreyParameters(stage: Stage): Promise<void> {
  const thread = await stage.shared('workshop')
  const other = await threeMessages(stage)
  if (thread === null || other === null) return
  const path = { thread_id: thread.id }
  const grey = (purpose: string, ...query: readonly (readonly [string, string])[]) =>
    stage.send('listMessages', { in: path, query, purpose, expects: 'either' })
  await grey('below-one:/query/limit', ['limit', '0'])
  await grey('above:/query/limit', ['limit', '1000000'])
  await grey('made-up:/query/cursor', ['cursor', stage.draw.uuid()])
  const foreign = cursorOf((await page(stage, other, 1)).json)
  if (foreign !== undefined) await grey('other-thread:/query/cursor', ['limit', '1'], ['cursor', foreign])
}

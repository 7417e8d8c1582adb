/**
 * The first look at messages and pages: six messages that storage tends to damage, and one walk that is interrupted
 * where careless cursors slip.
 */
import type { TargetProfile } from '../profile/target-profile.ts'
import type { Stage } from '../staging/stage.ts'
import { fragileTexts, richQuestion, textOfBytes, textOfTwoSpellings } from '../staging/wording.ts'
import { spacedOut } from './completions.ts'
import { type FirstThread, firstThread } from './first-thread.ts'
import { cursorOf, page } from './pages.ts'
import { on, type Probe, refused, served } from './probe.ts'
import { list, post } from './threads.ts'
import { askFor, newCall, sendResult } from './tools.ts'
import { sendOneWrong } from './wrong.ts'

const first = { from: 'smoke', until: 'smoke' } as const
const needs = { claims: ['threads'], threads: true } as const

export const firstMessages = [
  {
    ...first,
    id: 'threads.first-empty',
    chapter: 'threads',
    exercises: [
      on(['listMessages'], 'pagination.empty-thread'),
      on(['createMessage'], 'threads.empty-content-refused', ...refused),
    ],
    needs,
    cost: { exchanges: 3, modelCalls: 0 },
    play: async (stage) => {
      const thread = await firstThread(stage)
      if (thread === null) return
      if (thread.empty) await list(stage, thread.id)
      else stage.note('no-fixture', 'The profile does not say that a thread is empty.')
      const empty = { purpose: 'empty:/body/content', json: { role: 'system', content: '' } }
      await sendOneWrong(stage, 'createMessage', { ...empty, in: { thread_id: thread.id } })
    },
  },
  {
    ...first,
    id: 'threads.first-messages',
    chapter: 'threads',
    exercises: [
      on(['createMessage'], ...served, 'threads.create-echoes', 'threads.created-in-thread', 'threads.roles-accepted'),
      on(['createMessage'], 'http.json-request', 'threads.server-sets-identity', 'threads.concurrent-creates'),
      on(['listMessages'], ...served, 'threads.created-is-listed', 'threads.listed-as-created'),
      on(['listMessages'], 'threads.read-your-writes', 'threads.message-never-changes', 'threads.only-own-messages'),
      on(['listMessages'], 'threads.no-phantom-messages', 'pagination.page-fields', 'pagination.newest-first'),
      on(['listMessages'], 'pagination.order-of-creation', 'pagination.*#limit-2'),
      on(['listMessages'], 'pagination.cursor-*', 'pagination.walk-ends', 'pagination.any-limit-same-list'),
      on(['listMessages'], 'pagination.stable-while-inserting'),
      on(['createMessage'], 'tools.matched-accepted', 'tools.matched-behind-other-results'),
      on(['runThread'], 'tools.run-needs-tool-messages#some-answered', ...refused),
    ],
    needs,
    after: ['threads.first-empty'],
    cost: (profile) => ({ exchanges: writesCalls(profile) ? 15 : 12, modelCalls: 0 }),
    play: playMessages,
  },
  {
    ...first,
    id: 'pagination.first-limit',
    chapter: 'pagination',
    exercises: [on(['listMessages'], 'pagination.limit-is-integer')],
    needs,
    after: ['threads.first-messages'],
    cost: { exchanges: 1, modelCalls: 0 },
    play: async (stage) => {
      const thread = await firstThread(stage)
      if (thread === null) return
      const wrong = { purpose: 'type:/query/limit', query: [['limit', '1.5']] } as const
      await sendOneWrong(stage, 'listMessages', { ...wrong, in: { thread_id: thread.id } })
    },
  },
] as const satisfies readonly Probe[]

/** Messages of every role, two of them at once, and one that forges what the service sets. */
async function playMessages(stage: Stage): Promise<void> {
  const thread = await firstThread(stage)
  if (thread === null) return
  const { draw } = stage
  const path = { in: { thread_id: thread.id } }
  await post(stage, thread.id, 'system', `${fragileTexts(draw).everything}\n${textOfBytes(4200, draw)}`)
  await post(stage, thread.id, 'user', textOfTwoSpellings)
  const odd = { role: 'assistant', content: textOfTwoSpellings }
  await post(stage, thread.id, 'user', textOfTwoSpellings)
  const forged = { id: draw.uuid(), thread_id: draw.uuid(), created_at: '2001-02-03T04:05:06.000007Z' }
  const extra = { purpose: 'extra:/body', expects: 'either' } as const
  await Promise.all([
    stage.send('createMessage', { ...path, body: spacedOut(odd) }),
    stage.send('createMessage', {
      ...path,
      ...extra,
      json: { role: 'user', content: richQuestion(draw), ...forged },
    }),
  ])
  const cursor = await walkOn(stage, thread.id)
  const calls = [newCall(stage), newCall(stage)] as const
  const { tools } = stage.profile
  const asks = tools !== null && writesCalls(stage.profile) && (await askFor(stage, thread.id, calls, tools))
  if (!asks) await post(stage, thread.id, 'user', richQuestion(draw))
  if (cursor !== null) await page(stage, thread.id, 1, cursor)
  if (asks) await answerBoth(stage, thread, calls)
}

/** A client wrote what an assistant asked; nothing runs until both calls have their results. */
async function answerBoth(stage: Stage, { id, card }: FirstThread, calls: readonly [string, string]): Promise<void> {
  await sendResult(stage, id, calls[0])
  const early = { purpose: 'half-pending:/thread', in: { thread_id: id } }
  await sendOneWrong(stage, 'runThread', { ...early, json: stage.runBody(card) })
  await sendResult(stage, id, calls[1])
}

function writesCalls({ claims, tools }: TargetProfile): boolean {
  return claims.includes('tools') && tools?.assistantMessage !== undefined
}

/** A walk of pages of two, its first cursor read twice; gives that cursor. */
async function walkOn(stage: Stage, thread: string): Promise<string | null> {
  const cursor = cursorOf((await page(stage, thread, 2)).json)
  if (cursor === undefined) {
    stage.note('refused-by-target', 'No cursor came with a page of 2 out of 5.')
    return null
  }
  await page(stage, thread, 2, cursor)
  let next = cursorOf((await page(stage, thread, 2, cursor)).json)
  for (let pages = 0; next !== undefined && pages < 3; pages += 1)
    next = cursorOf((await page(stage, thread, 2, next)).json)
  await page(stage, thread, 50)
  return cursor
}

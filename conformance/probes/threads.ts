/** Chapter threads: messages go in and come back unchanged; texts that storage tends to damage; several threads in turn. */
import type { Tier } from '../planning/budget-tiers.ts'
import type { TenantName } from '../profile/target-profile.ts'
import type { SharedThread, Stage } from '../staging/stage.ts'
import { fragileTexts, paddedRemark, question, remark, textOfBytes, textOfTwoSpellings } from '../staging/wording.ts'
import { spacedOut } from './completions.ts'
import { walk } from './pages.ts'
import { on, type Probe, served } from './probe.ts'

const needs = { claims: ['threads'], threads: true } as const
const created = [...served, 'threads.create-echoes', 'threads.created-in-thread'] as const
const listed = [
  'threads.created-is-listed',
  'threads.listed-as-created',
  'threads.read-your-writes',
  'threads.message-never-changes',
  'threads.only-own-messages',
  'threads.no-phantom-messages',
] as const

export const threads = [
  {
    id: 'threads.messages',
    chapter: 'threads',
    from: 'gate',
    exercises: [
      on(['createMessage'], ...created, 'threads.roles-accepted'),
      on(['listMessages'], ...served, ...listed, 'pagination.page-fields', 'pagination.newest-first'),
      on(['listMessages'], 'pagination.reads-are-pure', 'pagination.order-of-creation'),
      on(['listMessages'], 'pagination.*#limit-2', 'pagination.cursor-continues', 'pagination.walk-ends'),
      on(['listMessages'], 'pagination.any-limit-same-list'),
    ],
    needs,
    cost: (_profile, tier) => ({ exchanges: 6 + readsInARow(tier), modelCalls: 0 }),
    play: async (stage) => {
      const thread = await stage.shared('three')
      if (thread === null) return
      for (const role of ['system', 'user', 'assistant']) await post(stage, thread.id, role, remark(stage.draw))
      for (let read = 0; read < readsInARow(stage.tier); read += 1) await list(stage, thread.id)
      await walk(stage, thread.id, 2, 3)
    },
  },
  {
    id: 'threads.fragile-texts',
    chapter: 'threads',
    from: 'gate',
    rare: true,
    exercises: [on(['createMessage'], ...created)],
    needs,
    cost: { exchanges: 8, modelCalls: 0 },
    play: async (stage) => {
      const thread = await stage.shared('workshop')
      if (thread === null) return
      for (const text of Object.values(fragileTexts(stage.draw))) await post(stage, thread.id, 'user', text)
      const blank = {
        purpose: 'blank:/body/content',
        expects: 'either',
        json: { role: 'user', content: ' \t ' },
      } as const
      await stage.send('createMessage', { ...blank, in: { thread_id: thread.id } })
      // The last look reads them, like everything else that comes into this thread.
      await post(stage, thread.id, 'user', textOfBytes(65_536, stage.draw))
    },
  },
  {
    id: 'http.json-spellings',
    chapter: 'http',
    from: 'gate',
    exercises: [on(['createMessage'], 'http.json-request', ...created)],
    needs,
    cost: { exchanges: 1, modelCalls: 0 },
    play: async (stage) => {
      const thread = await stage.shared('workshop')
      if (thread === null) return
      const body = spacedOut({ role: 'user', content: textOfTwoSpellings })
      await stage.send('createMessage', { in: { thread_id: thread.id }, body })
    },
  },
  {
    id: 'threads.server-sets-identity',
    chapter: 'threads',
    from: 'gate',
    exercises: [on(['createMessage'], 'threads.server-sets-identity')],
    needs,
    cost: { exchanges: 1, modelCalls: 0 },
    play: async (stage) => {
      const thread = await stage.shared('workshop')
      if (thread === null) return
      const { draw } = stage
      const forged = { id: draw.uuid(), thread_id: draw.uuid(), created_at: '2001-02-03T04:05:06.000007Z' }
      const json = { role: 'user', content: question(draw), ...forged }
      await stage.send('createMessage', {
        in: { thread_id: thread.id },
        json,
        purpose: 'extra:/body',
        expects: 'either',
      })
    },
  },
  {
    id: 'threads.interleaved',
    chapter: 'threads',
    from: 'gate',
    rare: true,
    exercises: [on(['createMessage'], ...created)],
    needs,
    cost: { exchanges: 7, modelCalls: 0 },
    play: playInterleaved,
  },
] as const satisfies readonly Probe[]

/** Lists of one thread right after each other: with three, one of several workers that lists otherwise is met for certain. */
function readsInARow(tier: Tier): number {
  return tier === 'smoke' ? 2 : 3
}

/**
 * Two threads of each tenant written in turn: adding to one must show in no other. The last look reads them. The thread of the
 * runs begins with a system message, as conversations do.
 */
async function playInterleaved(stage: Stage): Promise<void> {
  const seats: readonly (readonly [SharedThread, TenantName, string])[] = [
    ['workshop', 'primary', 'user'],
    ['second-a', 'secondary', 'user'],
    ['runs', 'primary', 'system'],
    ['second-b', 'secondary', 'assistant'],
  ]
  const opened: { readonly id: string; readonly as: TenantName; readonly role: string }[] = []
  for (const [name, as, role] of seats) {
    const thread = stage.profile.tenants[as] === undefined ? null : await stage.shared(name, as)
    if (thread !== null) opened.push({ id: thread.id, as, role: thread.fresh ? role : 'user' })
  }
  for (const { id, as, role } of opened) await post(stage, id, role, paddedRemark(stage.draw), as)
}

/** Adds one message. */
export function post(
  stage: Stage,
  thread: string,
  role: string,
  content: string,
  as: TenantName = 'primary',
): ReturnType<Stage['send']> {
  return stage.send('createMessage', { in: { thread_id: thread }, as, json: { role, content } })
}

/** Reads a thread's first page. */
export function list(stage: Stage, thread: string, as: TenantName = 'primary'): ReturnType<Stage['send']> {
  return stage.send('listMessages', { in: { thread_id: thread }, as })
}

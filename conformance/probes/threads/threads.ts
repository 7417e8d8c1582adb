/** Chapter threads: messages go in and come back unchanged; texts that storage tends to damage; several threads in turn. */

import type { ProbeContext, SharedThread } from '../../probe-runtime/probe-context.ts'
import {
  corruptibleTexts,
  statementWithWhitespace,
  textOfBytes,
  textWithTwoEncodings,
  uniqueQuestion,
  uniqueStatement,
} from '../../probe-runtime/sample-texts.ts'
import type { Tier } from '../../profile/budget-tiers.ts'
import type { TenantName } from '../../profile/target-profile.ts'
import { exercised, type Probe, successRules } from '../probe.ts'
import { walkPages } from '../support/page-walk.ts'
import { escaped, reversed, spaced } from '../support/rewrite-json.ts'

const needs = { claims: ['threads'], threads: true } as const
const created = [...successRules, 'threads.create-echoes', 'threads.created-in-thread'] as const
const listed = [
  'threads.created-is-listed',
  'threads.listed-as-created',
  'threads.read-your-writes',
  'threads.message-never-changes',
  'threads.only-own-messages',
  'threads.no-phantom-messages',
] as const

export const threadProbes = [
  {
    id: 'threads.interleaved',
    chapter: 'threads',
    shares: ['workshop', 'second-a', 'runs', 'second-b'],
    from: 'gate',
    rare: true,
    exercises: [exercised(['createMessage'], ...created)],
    needs,
    cost: { exchanges: 8, modelCalls: 0 },
    play: playInterleaved,
  },
  {
    id: 'threads.messages',
    chapter: 'threads',
    shares: ['three'],
    from: 'gate',
    exercises: [
      exercised(['createMessage'], ...created, 'threads.roles-accepted', 'threads.posted-assistant-fields'),
      exercised(['listMessages'], ...successRules, ...listed, 'pagination.page-fields', 'pagination.newest-first'),
      exercised(['listMessages'], 'pagination.reads-are-pure', 'pagination.order-of-creation'),
      exercised(['listMessages'], 'pagination.*#limit-2', 'pagination.cursor-continues', 'pagination.walk-ends'),
      exercised(['listMessages'], 'pagination.any-limit-same-list'),
    ],
    needs,
    cost: (_profile, tier) => ({ exchanges: 6 + readsInARow(tier), modelCalls: 0 }),
    play: async (context) => {
      const thread = await context.shared('three')
      if (thread === null) return
      for (const role of ['system', 'user', 'assistant'])
        await postMessage(context, thread.id, role, uniqueStatement(context.random))
      for (let read = 0; read < readsInARow(context.tier); read += 1) await listThread(context, thread.id)
      await walkPages(context, thread.id, 2, 3)
    },
  },
  {
    id: 'threads.fragile-texts',
    chapter: 'threads',
    shares: ['long'],
    from: 'gate',
    rare: true,
    exercises: [exercised(['createMessage'], ...created)],
    needs,
    cost: { exchanges: 8, modelCalls: 0 },
    play: async (context) => {
      const thread = await context.shared('long')
      if (thread === null) return
      const texts = [...Object.values(corruptibleTexts(context.random)), textOfBytes(65_536, context.random)]
      const blank = { purpose: 'blank:/body/content', expects: 'either' } as const
      const asks = [
        ...texts.map((content) => ({ json: { role: 'user', content } })),
        { ...blank, json: { role: 'user', content: ' \t ' } },
      ]
      // Lists of the long thread show them.
      for (const ask of asks) await context.send('createMessage', { in: { thread_id: thread.id }, ...ask })
    },
  },
  {
    id: 'http.json-spellings',
    chapter: 'http',
    shares: ['long'],
    from: 'gate',
    exercises: [exercised(['createMessage'], 'http.json-request', ...created)],
    needs,
    // It opens the thread.
    after: ['threads.fragile-texts'],
    cost: { exchanges: 3, modelCalls: 0 },
    play: async (context) => {
      const thread = await context.shared('long')
      if (thread === null) return
      const json = { role: 'user', content: textWithTwoEncodings(context.random) }
      const ask = (body: string) => ({ in: { thread_id: thread.id }, body })
      // A parameter of the type, as many clients write it; its case means nothing.
      const headers = [['content-type', 'application/json; charset=UTF-8']] as const
      await context.send('createMessage', { ...ask(reversed(json)), headers })
      for (const spell of [spaced, escaped]) await context.send('createMessage', ask(spell(json)))
    },
  },
  {
    id: 'threads.server-sets-identity',
    chapter: 'threads',
    shares: ['long'],
    from: 'gate',
    exercises: [exercised(['createMessage'], 'threads.server-sets-identity')],
    needs,
    // It opens the thread.
    after: ['threads.fragile-texts'],
    cost: { exchanges: 1, modelCalls: 0 },
    play: async (context) => {
      const thread = await context.shared('long')
      if (thread === null) return
      const { random } = context
      const forged = { id: random.uuid(), thread_id: random.uuid(), created_at: '2001-02-03T04:05:06.000007Z' }
      const json = { role: 'user', content: uniqueQuestion(random), ...forged }
      await context.send('createMessage', {
        in: { thread_id: thread.id },
        json,
        purpose: 'extra:/body',
        expects: 'either',
      })
    },
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
async function playInterleaved(context: ProbeContext): Promise<void> {
  const seats: readonly (readonly [SharedThread, TenantName, string])[] = [
    ['workshop', 'primary', 'user'],
    ['second-a', 'secondary', 'user'],
    ['runs', 'primary', 'system'],
    ['second-b', 'secondary', 'assistant'],
  ]
  const opened: { readonly id: string; readonly as: TenantName; readonly role: string }[] = []
  for (const [name, as, role] of seats) {
    const thread = context.profile.tenants[as] === undefined ? null : await context.shared(name, as)
    if (thread !== null) opened.push({ id: thread.id, as, role: thread.fresh ? role : 'user' })
  }
  for (const { id, as, role } of opened)
    await postMessage(context, id, role, statementWithWhitespace(context.random), as)
}

/** Adds one message. */
export function postMessage(
  context: ProbeContext,
  thread: string,
  role: string,
  content: string,
  as: TenantName = 'primary',
): ReturnType<ProbeContext['send']> {
  return context.send('createMessage', { in: { thread_id: thread }, as, json: { role, content } })
}

/** Reads a thread's first page. */
export function listThread(
  context: ProbeContext,
  thread: string,
  as: TenantName = 'primary',
): ReturnType<ProbeContext['send']> {
  return context.send('listMessages', { in: { thread_id: thread }, as })
}

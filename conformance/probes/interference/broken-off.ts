/**
 * Requests whose caller leaves before the answer. What follows has to be answered as if they had never been sent, whoever
 * asks, on a connection that was used before and on a fresh one.
 */
import type { OperationId } from '../../../spec/index.ts'
import type { ProbeContext } from '../../probe-runtime/probe-context.ts'
import type { RequestSpec } from '../../probe-runtime/request-spec.ts'
import { statementWithWhitespace } from '../../probe-runtime/sample-texts.ts'
import type { TenantName } from '../../profile/target-profile.ts'
import { commonGrant } from '../files/sample-files.ts'
import { exercised, type Probe } from '../probe.ts'
import { inLanes } from '../support/in-lanes.ts'
import { listThread } from '../threads/threads.ts'

/** An operation, and its request as each of the two tenants makes it. */
type Ask = readonly [OperationId, (as: TenantName) => RequestSpec]

export const brokenOffProbes = [
  {
    id: 'tenancy.left-before-answer',
    chapter: 'tenancy',
    from: 'gate',
    rare: true,
    exercises: [exercised(['listMyApiKeys'], 'tenancy.keys-are-own', 'tenancy.record-is-stable')],
    needs: { claims: ['tenancy'], tenants: ['secondary'] },
    cost: ({ claims }) => ({ exchanges: 9 + (claims.includes('files') ? 3 : 0), modelCalls: 0 }),
    play: async (context) => leaveAndAsk(context, await asksOfTenant(context)),
  },
  {
    id: 'threads.left-before-answer',
    chapter: 'threads',
    shares: ['workshop', 'second-b'],
    from: 'gate',
    rare: true,
    exercises: [exercised(['listMessages'], 'threads.read-your-writes')],
    needs: { claims: ['tenancy', 'threads'], tenants: ['secondary'], threads: true },
    // It opens the threads.
    after: ['threads.interleaved'],
    cost: { exchanges: 7, modelCalls: 0 },
    play: async (context) => {
      const own = await context.shared('workshop')
      const other = await context.shared('second-b', 'secondary')
      if (own === null || other === null) return
      await leaveAndAsk(context, asksOfThreads(context, { primary: own.id, secondary: other.id }))
      await listThread(context, own.id)
    },
  },
] as const satisfies readonly Probe[]

/** The bare socket writes no headers of its own. */
const json = { headers: [['content-type', 'application/json']] } as const

/** The first tenant leaves, and the second one asks on a connection that was used before and on a fresh one. */
async function leaveAndAsk(context: ProbeContext, asks: readonly Ask[]): Promise<void> {
  await inLanes(context, asks, async ([operation, ask]) => {
    await context.send(operation, { ...ask('primary'), as: 'primary', leavesAtOnce: true })
    await context.send(operation, { ...ask('secondary'), as: 'secondary' })
    await context.sendRaw(operation, { ...json, ...ask('secondary'), as: 'secondary' })
  })
}

/** Requests that cost nothing; the two tenants ask about what only they have. */
async function asksOfTenant(context: ProbeContext): Promise<readonly Ask[]> {
  const last = {
    primary: await lastAssistant(context, 'primary'),
    secondary: await lastAssistant(context, 'secondary'),
  }
  const asks: Ask[] = [
    ['listMyApiKeys', () => ({})],
    ['listAssistants', () => ({})],
  ]
  if (last.primary !== null && last.secondary !== null)
    asks.push(['getAssistant', (as) => ({ in: { assistant_id: last[as === 'primary' ? as : 'secondary'] ?? '' } })])
  if (context.profile.claims.includes('files')) {
    const own = { query: [['filename', 'primary.txt']], headers: [['user-id', 'user-1']] } as const
    asks.push(['createUploadGrant', (as) => (as === 'primary' ? own : commonGrant)])
  }
  return asks
}

async function lastAssistant(context: ProbeContext, as: TenantName): Promise<string | null> {
  return (await context.assistants(as)).at(-1)?.id ?? null
}

/** The same about a thread of each tenant. */
function asksOfThreads(
  context: ProbeContext,
  threads: { readonly primary: string; readonly secondary: string },
): readonly Ask[] {
  const path = (as: TenantName) => ({ in: { thread_id: threads[as === 'primary' ? as : 'secondary'] } })
  // With a character of several bytes: the bare socket writes it in two parts.
  const message = () => ({ json: { role: 'user', content: statementWithWhitespace(context.random) } })
  return [
    ['listMessages', path],
    ['createMessage', (as) => ({ ...path(as), ...message() })],
  ]
}

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
    shares: ['workshop', 'second-b'],
    from: 'gate',
    rare: true,
    exercises: [exercised(['listMyApiKeys'], 'tenancy.keys-are-own', 'tenancy.record-is-stable')],
    needs: { claims: ['tenancy'], tenants: ['secondary'] },
    // It opens the threads.
    after: ['threads.interleaved'],
    cost: ({ claims, threads }) => ({
      exchanges: 9 + (claims.includes('files') ? 3 : 0) + (threads === null ? 0 : 7),
      modelCalls: 0,
    }),
    play: async (context) => {
      const asks = (await freeAsks(context)).map(([operation, ask]) => ({
        operation,
        left: { ...ask('primary'), as: 'primary', leavesAtOnce: true } as const,
        next: { ...ask('secondary'), as: 'secondary' } as const,
        fresh: { ...json, ...ask('secondary'), as: 'secondary' } as const,
      }))
      await inLanes(context, asks, async ({ operation, left, next, fresh }) => {
        await context.send(operation, left)
        await context.send(operation, next)
        await context.sendRaw(operation, fresh)
      })
      const thread = await ownThread(context, 'primary')
      if (thread !== null) await listThread(context, thread)
    },
  },
] as const satisfies readonly Probe[]

/** The bare socket writes no headers of its own. */
const json = { headers: [['content-type', 'application/json']] } as const

/** Requests that cost nothing; the two tenants ask about what only they have. */
async function freeAsks(context: ProbeContext): Promise<readonly Ask[]> {
  const { claims } = context.profile
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
  if (claims.includes('files')) {
    const own = { query: [['filename', 'primary.txt']], headers: [['user-id', 'user-1']] } as const
    asks.push(['createUploadGrant', (as) => (as === 'primary' ? own : commonGrant)])
  }
  const own = await ownThread(context, 'primary')
  const other = await ownThread(context, 'secondary')
  if (own === null || other === null) return asks
  const path = (as: TenantName) => ({ in: { thread_id: as === 'primary' ? own : other } })
  // With a character of several bytes: the bare socket writes it in two parts.
  const message = () => ({ json: { role: 'user', content: statementWithWhitespace(context.random) } })
  asks.push(['listMessages', path], ['createMessage', (as) => ({ ...path(as), ...message() })])
  return asks
}

async function lastAssistant(context: ProbeContext, as: TenantName): Promise<string | null> {
  return (await context.assistants(as)).at(-1)?.id ?? null
}

async function ownThread(context: ProbeContext, as: TenantName): Promise<string | null> {
  const { claims, threads } = context.profile
  if (threads === null || !claims.includes('threads')) return null
  return (await context.shared(as === 'primary' ? 'workshop' : 'second-b', as))?.id ?? null
}

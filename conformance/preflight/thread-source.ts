/**
 * Provides a fresh thread when a probe needs one. The contract has no operation that creates a thread, so the profile
 * names the source: threads that exist, a request of the vendor's own, or a command.
 */

import type { OperationId } from '../../spec/index.ts'
import type { Client } from '../client/client.ts'
import { pathSegment } from '../client/target-url.ts'
import { errorCodeOf } from '../client/transient-failure.ts'
import { secretsOf } from '../profile/redact-profile.ts'
import type { StaticThread, TargetProfile, TenantName, ThreadSource } from '../profile/target-profile.ts'
import { createPseudonyms } from '../pseudonyms/pseudonyms.ts'
import { answerJson, textOfPieces } from '../trace/bytes.ts'
import type { Exchange, Intent } from '../trace/exchange.ts'
import { isTooDeep, tooDeep, withoutByteOrderMark } from '../trace/json-depth.ts'
import { fillTemplate } from './template.ts'
import { runThreadCommand } from './thread-command.ts'

interface ThreadWish {
  readonly tenant: TenantName
  /** The assistant to bind it to, when threads are bound to one. */
  readonly assistantId: string | null
  /** The probe that asks, or the name of the shared thread. */
  readonly for: string
}

/** The interface of a client that a source needs. */
type Sender = Pick<Client, 'send'>

export type SourcedThread =
  | { readonly id: string; readonly holds: StaticThread['holds'] }
  /** The reason for having no thread, in a sentence. */
  | { readonly none: string; readonly isHung?: true }

export interface ThreadSourcing {
  /** One more thread that this run has not used. Throws only what `client.send` throws. */
  readonly next: (wish: ThreadWish) => Promise<SourcedThread>
}

/** One run of several that share a profile, counted from 1. */
interface Part {
  readonly index: number
  readonly of: number
}

/** How many threads are looked at to find an empty one; each look costs a request. */
const mostLooks = 3

/** Threads that exist: each is given once, and one that must be empty is read before it counts as empty. */
const staticSource = (threads: readonly StaticThread[], client: Sender, part: Part | null): ThreadSourcing => {
  const unused = new Set(part === null ? threads : threadsOfPart(threads, part))
  const filled: StaticThread[] = []
  const refused: StaticThread[] = []
  const fits = ({ tenant, assistantId }: ThreadWish, thread: StaticThread): boolean =>
    thread.tenant === tenant &&
    (thread.assistant_id === undefined ||
      assistantId === null ||
      thread.assistant_id.toLowerCase() === assistantId.toLowerCase())
  const take = (wish: ThreadWish): StaticThread | undefined => {
    const next = [...unused].find((thread) => fits(wish, thread))
    if (next !== undefined) unused.delete(next)
    return next
  }
  return {
    next: async (wish) => {
      for (let looks = 0; looks < mostLooks; looks += 1) {
        const next = take(wish)
        if (next === undefined) break
        const found = next.holds === 'unknown' ? 'unknown' : await lookInto(next, wish, client, looks > 0)
        if (found === 'filled') filled.push(next)
        else if (found === 'refused') refused.push(next)
        else return { id: next.id, holds: found }
      }
      const index = filled.findIndex((thread) => fits(wish, thread))
      const [next] = index < 0 ? [] : filled.splice(index, 1)
      return next === undefined ? whyNone(threads, wish, part, fits, refused) : { id: next.id, holds: 'unknown' }
    },
  }
}

/** Parallel parts must not share a thread: the threads of each tenant and assistant are distributed in turn. */
const threadsOfPart = (threads: readonly StaticThread[], { index, of }: Part): readonly StaticThread[] => {
  const dealt = new Map<string, number>()
  return threads.filter(({ tenant, assistant_id: assistant = '' }) => {
    const pile = `${tenant} ${assistant.toLowerCase()}`
    const place = dealt.get(pile) ?? 0
    dealt.set(pile, place + 1)
    return place % of === index - 1
  })
}

/** The purpose of a request of the source, so that a resumed run gives each probe its earlier thread. */
const intentOf = (wish: ThreadWish, operation: OperationId | null): Intent => ({
  probe: 'profile.threads',
  operation,
  purpose: 'valid',
  expects: 'accepted',
  for: wish.for,
})

/**
 * The current contents of a thread; an unreadable answer is no reason to doubt the profile. Only the first read is
 * planned.
 */
const lookInto = async (
  { id, tenant }: StaticThread,
  wish: ThreadWish,
  client: Sender,
  isRepetition: boolean,
): Promise<'empty' | 'filled' | 'refused'> => {
  const { response } = await client.send({
    method: 'GET',
    path: `/v1/threads/${pathSegment('thread_id', id)}/messages`,
    credential: tenant,
    operation: 'listMessages',
    intent: intentOf(wish, 'listMessages'),
    isRepetition,
  })
  if (response !== null && [403, 404].includes(response.status)) return 'refused'
  const items = atPointer(answerJson({ response }), '/items')
  return Array.isArray(items) && items.length > 0 ? 'filled' : 'empty'
}

const whyNone = (
  threads: readonly StaticThread[],
  wish: ThreadWish,
  part: Part | null,
  fits: (wish: ThreadWish, thread: StaticThread) => boolean,
  refused: readonly StaticThread[],
): SourcedThread => {
  const { tenant, assistantId } = wish
  const fitting = threads.filter((thread) => fits(wish, thread))
  if (!threads.some((thread) => thread.tenant === tenant))
    return { none: `The profile lists no thread of the tenant ${tenant}.` }
  if (fitting.length === 0) return { none: `The profile lists no thread of the assistant ${assistantId}.` }
  const share = part === null ? '' : `; part ${part.index} of ${part.of} gets a share of them`
  const unknown = refused.filter((thread) => fits(wish, thread)).length
  const use = unknown === 0 ? 'in use' : `in use, or unknown to the target (${unknown})`
  return { none: `The profile lists ${fitting.length} such threads, and all of them are ${use}${share}.` }
}

/** The value at a JSON pointer, `undefined` when there is none. */
const atPointer = (value: unknown, pointer: string): unknown =>
  pointer
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>(
      (inner, key) =>
        typeof inner === 'object' && inner !== null && Object.hasOwn(inner, key) ? Reflect.get(inner, key) : undefined,
      value,
    )

const idIn = (exchange: Exchange, pointer: string): SourcedThread => {
  const { response, ending, failure } = exchange
  if (response === null || ending !== 'complete') return { none: `Creating a thread failed: ${failure ?? ending}.` }
  const code = errorCodeOf(exchange)
  if (code !== null || response.status >= 400)
    return {
      none: `The target did not create a thread (status ${response.status}${code === null ? '' : `, ${code}`}).`,
    }
  try {
    const text = withoutByteOrderMark(textOfPieces(response.pieces))
    const id = atPointer(JSON.parse(text), pointer)
    // The judge does not read such an answer, and so knows no thread of it.
    if (isTooDeep(text)) return { none: `The response that creates a thread is ${tooDeep} (${exchange.id}).` }
    if (typeof id === 'string' && !id.isWellFormed())
      return { none: `The response that creates a thread has an id that cannot be used in a URL (${exchange.id}).` }
    if (typeof id === 'string' && id !== '') return { id, holds: 'empty' }
    return { none: `The response that creates a thread has no string at ${pointer || 'its root'} (${exchange.id}).` }
  } catch {
    return { none: `The response that creates a thread is not JSON (${exchange.id}).` }
  }
}

const httpSource = (source: Extract<ThreadSource, { kind: 'http' }>, client: Sender): ThreadSourcing => ({
  next: async (wish) => {
    const { tenant, assistantId } = wish
    const values = assistantId === null ? {} : { assistant_id: assistantId }
    const operation = source.method === 'POST' && source.path === '/v1/threads' ? 'createThread' : null
    const exchange = await client.send({
      method: source.method,
      path: String(fillTemplate(source.path, values)),
      credential: tenant,
      operation,
      intent: intentOf(wish, operation),
      headers: Object.entries(source.headers ?? {}),
      body: source.body === undefined ? null : JSON.stringify(fillTemplate(source.body, values)),
    })
    return idIn(exchange, source.pointer)
  },
})

const commandSource = (command: readonly string[], profile: TargetProfile): ThreadSourcing => ({
  next: async ({ tenant, assistantId }) => {
    const values = { tenant, assistant_id: assistantId ?? '', base_url: profile.baseUrl }
    const filled = command.map((part) => String(fillTemplate(part, values)))
    const made = await runThreadCommand(filled, {
      ACS_BASE_URL: profile.baseUrl,
      ACS_TENANT: tenant,
      ACS_ASSISTANT_ID: assistantId ?? '',
      ACS_API_KEY: profile.tenants[tenant]?.key ?? '',
    })
    // A command may print its key when it fails, and the reason ends up in the trace.
    return 'id' in made ? made : { none: createPseudonyms({ secrets: secretsOf(profile) }).text(made.none) }
  },
})

/** The thread source of a run, or of one part of it. */
export const threadSource = (profile: TargetProfile, client: Sender, part: Part | null = null): ThreadSourcing => {
  const { threads } = profile
  if (threads === null) return { next: async () => ({ none: 'The profile names no source of threads.' }) }
  if (threads.kind === 'static') return staticSource(threads.threads, client, part)
  if (threads.kind === 'http') return httpSource(threads, client)
  return commandSource(threads.command, profile)
}

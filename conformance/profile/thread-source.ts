/**
 * A fresh thread when a probe needs one. The contract has no operation that creates a thread, so the profile says where they
 * come from: threads that exist, a request of the vendor's own, or a command.
 */

import type { Client } from '../client/client.ts'
import { errorCodeOf } from '../client/transient-failure.ts'
import { createPseudonyms } from '../pseudonyms/pseudonyms.ts'
import { textOfPieces } from '../trace/bytes.ts'
import type { Exchange } from '../trace/exchange.ts'
import { secretsOf } from './redact-profile.ts'
import type { StaticThread, TargetProfile, TenantName, ThreadSource } from './target-profile.ts'
import { fillTemplate } from './template.ts'
import { runThreadCommand } from './thread-command.ts'

export interface ThreadWish {
  readonly tenant: TenantName
  /** The assistant that it shall be bound to, when threads are bound to one. */
  readonly assistantId: string | null
}

export type SourcedThread =
  | { readonly id: string; readonly holds: StaticThread['holds'] }
  /** Why there is none, in a sentence. */
  | { readonly none: string }

export interface ThreadSourcing {
  /** One more thread that this run has not used. Throws only what `client.send` throws. */
  readonly next: (wish: ThreadWish) => Promise<SourcedThread>
}

const staticSource = (threads: readonly StaticThread[]): ThreadSourcing => {
  const unused = new Set(threads)
  return {
    next: async ({ tenant, assistantId }) => {
      const own = threads.filter((thread) => thread.tenant === tenant)
      const fitting = own.filter(
        ({ assistant_id: bound }) =>
          bound === undefined || assistantId === null || bound.toLowerCase() === assistantId.toLowerCase(),
      )
      const next = fitting.find((thread) => unused.has(thread))
      if (next !== undefined) {
        unused.delete(next)
        return { id: next.id, holds: next.holds }
      }
      if (own.length === 0) return { none: `The profile lists no thread of the tenant ${tenant}.` }
      if (fitting.length === 0) return { none: `The profile lists no thread of the assistant ${assistantId}.` }
      return { none: `The profile lists ${fitting.length} such threads, and all of them are in use.` }
    },
  }
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
    const id = atPointer(JSON.parse(textOfPieces(response.pieces)), pointer)
    if (typeof id === 'string' && id !== '') return { id, holds: 'empty' }
    return { none: `The answer that creates a thread has no string at ${pointer || 'its root'} (${exchange.id}).` }
  } catch {
    return { none: `The answer that creates a thread is not JSON (${exchange.id}).` }
  }
}

const httpSource = (source: Extract<ThreadSource, { kind: 'http' }>, client: Client): ThreadSourcing => ({
  next: async ({ tenant, assistantId }) => {
    const values = assistantId === null ? {} : { assistant_id: assistantId }
    const operation = source.method === 'POST' && source.path === '/v1/threads' ? 'createThread' : null
    const exchange = await client.send({
      method: source.method,
      path: String(fillTemplate(source.path, values)),
      credential: tenant,
      operation,
      intent: { probe: 'profile.threads', operation, purpose: 'valid', expects: 'accepted' },
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

/** The thread source of a run. */
export const threadSource = (profile: TargetProfile, client: Client): ThreadSourcing => {
  const { threads } = profile
  if (threads === null) return { next: async () => ({ none: 'The profile names no source of threads.' }) }
  if (threads.kind === 'static') return staticSource(threads.threads)
  if (threads.kind === 'http') return httpSource(threads, client)
  return commandSource(threads.command, profile)
}

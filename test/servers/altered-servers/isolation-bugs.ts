/**
 * Holds rewrites with an isolation bug: a wrong key, or another tenant's assistant or thread, is accepted in one form.
 * Apart from the other rewrites because they remember what belongs to whom.
 */
import { isJson, type Json } from '../wire.ts'
import type { Place, RequestSpec } from './proxy.ts'
import { listAt, type MakeRewrite, objectAt } from './rewrites.ts'

/** A request with this key instead of its own. */
function withKey(ask: RequestSpec, key: string): undefined {
  ask.headers = [...ask.headers.filter(([name]) => name.toLowerCase() !== 'api-key'), ['api-key', key]]
}

/** An empty key is taken for that of the first caller. */
export const emptyKey: MakeRewrite = () => {
  let first: string | undefined
  return {
    ask(ask) {
      first ??= ask.key
      if (ask.key === '' && first !== undefined) withKey(ask, first)
      return undefined
    },
  }
}

/** The events form looks an assistant up among those of all tenants. */
export const eventsOfAnyTenant: MakeRewrite = () => {
  const owners = new Map<unknown, string>()
  return {
    reply({ json }, { place, key }) {
      if (place !== 'assistants' || key === undefined) return
      for (const { id } of listAt({ json }, 'json')) owners.set(id, key)
    },
    ask(ask) {
      const owner = ask.place === 'completeEvents' && ask.key !== undefined ? owners.get(named(ask)) : undefined
      if (owner !== undefined) withKey(ask, owner)
      return undefined
    },
  }
}

/** A run takes an own assistant when the one that it names is another tenant's, or when nobody has it. */
export const runsInsteadOf =
  (at: Place, stands: 'foreign' | 'unknown'): MakeRewrite =>
  () => {
    // By assistant: the keys whose lists hold it, since a tenant may have several keys.
    const owners = new Map<unknown, Set<string>>()
    return {
      reply({ json }, { place, key }) {
        if (place !== 'assistants' || key === undefined) return
        for (const { id } of listAt({ json }, 'json')) owners.set(id, (owners.get(id) ?? new Set()).add(key))
      },
      ask(ask) {
        if (ask.place !== at) return undefined
        const keys = owners.get(named(ask))
        const isMeant = stands === 'unknown' ? keys === undefined : keys?.has(ask.key ?? '') === false
        const own = [...owners].find(([, listing]) => listing.has(ask.key ?? ''))?.[0]
        if (isMeant && own !== undefined) ask.text = JSON.stringify({ assistant_id: own })
        return undefined
      },
    }
  }

/** A thread that was opened for another tenant's assistant is run by an own one. */
export const threadsLendAssistants: MakeRewrite = () => {
  const own = new Map<string, readonly unknown[]>()
  const meant = new Map<RequestSpec, unknown>()
  return {
    reply(reply, ask) {
      const { place, key = '' } = ask
      if (place === 'assistants')
        own.set(
          key,
          listAt({ json: reply.json }, 'json').map(({ id }) => id),
        )
      if (!meant.has(ask) || reply.status >= 300) return
      const { thread } = objectAt(objectAt({ json: reply.json }, 'json'), 'data') as { readonly thread: object }
      reply.json = { data: { thread: { ...thread, assistant: meant.get(ask) } } }
    },
    ask(ask) {
      const ids = ask.path.endsWith('/internal/threads') ? (own.get(ask.key ?? '') ?? []) : []
      const body: unknown = ids.length === 0 ? null : JSON.parse(ask.text)
      if (!isJson(body) || ids.includes(body.assistant)) return undefined
      meant.set(ask, body.assistant)
      ask.text = JSON.stringify({ ...body, assistant: ids[0] })
      return undefined
    },
  }
}

/** The streamed form goes on in a thread of any tenant, with an assistant that its owner has. */
export const streamsInAnyThread: MakeRewrite = () => {
  const born = new Map<unknown, { readonly key: string; readonly text: string }>()
  const bear = ({ thread_id }: Json, { key, text }: RequestSpec): void => {
    if (key !== undefined && thread_id !== undefined && !born.has(thread_id)) born.set(thread_id, { key, text })
  }
  return {
    reply({ json }, ask) {
      if (ask.place === 'complete' && isJson(json)) bear(json, ask)
    },
    chunk(chunk, _, ask) {
      if (ask.place === 'completeStream' || ask.place === 'completeEvents') bear(chunk, ask)
      return [chunk]
    },
    ask(ask) {
      const owner = ask.place === 'completeStream' ? born.get(ask.query.get('thread_id')) : undefined
      if (owner === undefined || ask.key === owner.key) return undefined
      withKey(ask, owner.key)
      ask.text = owner.text
      return undefined
    },
  }
}

/** The owner of a file is asked for only where persist is given. */
export const ownerWithPersist: MakeRewrite = () => ({
  ask(ask) {
    if (ask.place !== 'grant' || ask.query.has('persist')) return undefined
    ask.headers = [...ask.headers.filter(([name]) => name.toLowerCase() !== 'user-id'), ['user-id', 'someone']]
    return undefined
  },
})

function named({ text }: RequestSpec): unknown {
  try {
    const body: unknown = JSON.parse(text)
    return isJson(body) ? body.assistant_id : undefined
  } catch {
    return undefined
  }
}

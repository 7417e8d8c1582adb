/** Calls the admin API of the mock that served the page; with a token once the user has given one. */
import { recall, remember } from './browser-storage.ts'
import type { WholeThread } from './wire.ts'

export interface AdminClient {
  get<T>(path: string): Promise<T>
  post<T>(path: string, body?: object): Promise<T>
  remove<T>(path: string): Promise<T>
  /** A stream; rejects when it is refused. */
  open(path: string, signal: AbortSignal): Promise<ReadableStream<Uint8Array>>
}

/** A refusal of the admin API, with its text. */
class AdminError extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.name = 'AdminError'
    this.status = status
  }
}

const storageKey = 'acs-admin-token'

/** A client; `askToken` is called when the mock wants a token, and again while it is wrong. */
export function createAdminClient(askToken: () => Promise<string>): AdminClient {
  let token = recall('sessionStorage', storageKey) ?? ''
  let asking: Promise<string> | null = null
  const send = async (method: string, path: string, init: RequestInit = {}): Promise<Response> => {
    const used = token
    const headers: Record<string, string> = used === '' ? {} : { authorization: `Bearer ${used}` }
    const response = await fetch(`/_acs${path}`, { method, headers, ...init })
    if (response.status !== 401) return response
    if (token === used) {
      asking ??= askToken()
      token = await asking
      asking = null
      remember('sessionStorage', storageKey, token)
    }
    return send(method, path, init)
  }
  const json = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const response = await send(method, path, body === undefined ? {} : { body: JSON.stringify(body) })
    const value: unknown = await response.json()
    if (!response.ok) throw new AdminError(response.status, refusalText(value))
    return value as T
  }
  return {
    get: (path) => json('GET', path),
    post: (path, body) => json('POST', path, body),
    remove: (path) => json('DELETE', path),
    async open(path, signal) {
      const response = await send('GET', path, { signal })
      if (!response.ok || response.body === null) throw new AdminError(response.status, 'the stream was refused')
      return response.body
    },
  }
}

/** The path of an admin request about a world. */
export function worldPath(world: string, rest: string): string {
  return `/worlds/${encodeURIComponent(world)}${rest}`
}

/** A thread with its messages. */
export function readThread(admin: AdminClient, world: string, id: string): Promise<WholeThread> {
  return admin.get(worldPath(world, `/contents?${new URLSearchParams({ thread: id })}`))
}

/** `detail` is a text, or a list of fields with the problem of each. */
function refusalText(body: unknown): string {
  const detail: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, 'detail') : null
  if (!Array.isArray(detail)) return String(detail ?? 'refused')
  return detail
    .map(({ loc, message }) => `${(loc as readonly string[]).slice(1).join('.')} ${message}`.trim())
    .join('; ')
}

/**
 * From what a probe asks for to what stands on the wire: target, default headers, key. Paths are joined as text, since a URL
 * parser would repair what a probe broke on purpose.
 */
import { Buffer } from 'node:buffer'
import type { TargetProfile } from '../profile/target-profile.ts'
import type { Pseudonyms } from '../pseudonyms/pseudonyms.ts'
import type { HeaderLines, RecordedRequest } from '../trace/exchange.ts'
import type { SendBase, SendRequest } from './client.ts'
import type { Destination } from './destination.ts'
import type { WireRequest } from './undici-attempt.ts'
import { UnsendableRequest } from './unsendable.ts'

export interface Target {
  /** Scheme and authority. */
  readonly origin: string
  /** Path and query as sent. */
  readonly path: string
}

/** Cuts an absolute URL after its authority, without a user name; throws UnsendableRequest when there is none. */
export const splitUrl = (url: string): Target => {
  const [, authority = '', rest = ''] = /^(https?:\/\/[^/?#]+)([^#]*)/i.exec(url) ?? []
  if (!URL.canParse(authority)) throw new UnsendableRequest(`not an http(s) URL: ${url}`)
  const origin = /[@\\]/.test(authority) ? new URL(authority).origin : authority
  return { origin, path: rest.startsWith('/') ? rest : `/${rest}` }
}

/** Where a request goes: an absolute URL as it is, else a path below the base URL, which can never change its authority. */
export const targetOf = (baseUrl: string, path: string): Target => {
  if (/^[a-z][a-z0-9+.-]*:/i.test(path)) return splitUrl(path)
  return splitUrl(baseUrl.replace(/\/+$/, '') + (/^[/?]/.test(path) ? '' : '/') + path)
}

/** The value of the Host header. */
export const hostOf = (origin: string): string => new URL(origin).host

/** The key to send, or `null`; throws RangeError for a tenant that the profile does not have. */
export const keyOf = (
  profile: TargetProfile,
  credential: SendBase['credential'],
  pseudonyms: Pseudonyms,
): string | null => {
  if (credential === null) return null
  if (typeof credential === 'object') return pseudonyms.reveal(credential.raw)
  const tenant = profile.tenants[credential]
  if (tenant === undefined) throw new RangeError(`the profile has no tenant "${credential}"`)
  return tenant.key
}

/** Bytes of a body; text is sent as UTF-8. */
export const bodyBytes = (body: Uint8Array | string | null | undefined): Uint8Array | null => {
  if (body === null || body === undefined) return null
  return typeof body === 'string' ? Buffer.from(body, 'utf8') : body
}

/** What any HTTP library would send; nothing may tell this suite from other callers. */
export const plainHeaders: HeaderLines = [
  ['user-agent', 'node'],
  ['accept', '*/*'],
]

type Sendable<Request> = Pick<Destination<Request>, 'request' | 'target' | 'key' | 'extraHeaders'>

/** The lines that every request has; what the profile gives stands in the place of the client's own. */
export const withExtra = (lines: HeaderLines, extra: HeaderLines): HeaderLines => {
  const replaced = new Set(extra.map(([name]) => name.toLowerCase()))
  return [...lines.filter(([name]) => !replaced.has(name)), ...extra]
}

/** The request as the dispatcher gets it. */
export const wireRequest = ({ request, target, key, extraHeaders }: Sendable<SendRequest>): WireRequest => {
  if (/[^\x21-\xff]/.test(target.path))
    throw new UnsendableRequest(`the URL holds a blank or another character that no URL has: ${target.path}`)
  const body = bodyBytes(request.body)
  const own = request.headers ?? []
  const given = new Set(own.map(([name]) => name.toLowerCase()))
  const leftOut = new Set(request.leaveOut ?? [])
  const defaults: HeaderLines = [
    ...withExtra(plainHeaders, extraHeaders),
    ...(key === null ? [] : [['api-key', key] as const]),
    ...(body === null ? [] : [['content-type', 'application/json'] as const]),
  ]
  return {
    method: request.method,
    origin: target.origin,
    target: target.path,
    headers: [
      ...defaults.filter(([name]) => !leftOut.has(name) && (name === 'api-key' || !given.has(name.toLowerCase()))),
      ...own,
    ],
    body,
  }
}

const methodsWithBody: ReadonlySet<string> = new Set(['PUT', 'POST', 'PATCH', 'QUERY', 'PROPFIND', 'PROPPATCH'])

const contentLength = ({ body, method }: WireRequest): HeaderLines => {
  const length = body?.byteLength ?? 0
  return length > 0 || methodsWithBody.has(method) ? [['content-length', String(length)]] : []
}

/** The request as it went over the wire, secrets still in it; a test holds it against the bytes of the socket. */
export const recordedRequest = (wire: WireRequest): Omit<RecordedRequest, 'body'> & { body: Uint8Array | null } => ({
  method: wire.method,
  url: wire.origin + wire.target,
  headers: [['host', hostOf(wire.origin)], ['connection', 'keep-alive'], ...wire.headers, ...contentLength(wire)],
  body: wire.body !== null && wire.body.byteLength > 0 ? wire.body : null,
})

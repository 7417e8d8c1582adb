/**
 * Finds the URL and the key of a request. Paths are joined as text, since a URL parser would repair a deliberately
 * malformed path.
 */
import type { TargetProfile } from '../profile/target-profile.ts'
import type { Pseudonyms } from '../pseudonyms/pseudonyms.ts'
import type { SendBase } from './send-request.ts'
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

/** Whether a path can hold a value as one segment: a client would resolve dots, and an empty segment names another resource. */
export const isPathSegment = (value: string): boolean => !['', '.', '..'].includes(value) && value.isWellFormed()

/** A value as one segment of a path; throws UnsendableRequest when no path can hold it there. */
export const pathSegment = (name: string, value: string): string => {
  if (!isPathSegment(value)) throw unsendable(name, value)
  return encodeURIComponent(value)
}

/** A value as a part of a URL; throws UnsendableRequest for half of a surrogate pair. */
export const urlComponent = (name: string, value: string): string => {
  if (!value.isWellFormed()) throw unsendable(name, value)
  return encodeURIComponent(value)
}

const unsendable = (name: string, value: string): UnsendableRequest =>
  new UnsendableRequest(`${JSON.stringify(value)} given as ${name} cannot stand in a URL.`)

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

/**
 * Decides where a request goes and which headers and key it may carry. An API key of the profile is sent to the origin of
 * the profile only, regardless of a probe, an answer or a replay file, because every request of every command passes here.
 */

import type { TargetProfile, TransportProfile } from '../profile/target-profile.ts'
import type { HeaderLines } from '../trace/exchange.ts'
import type { ClientOptions, SendBase } from './send-request.ts'
import { keyOf, type Target, targetOf } from './target-url.ts'

export interface Destination<Request> {
  /** The request without the parts that must not leave the profile's origin. */
  readonly request: Request
  readonly target: Target
  /** The key to send, or `null`. */
  readonly key: string | null
  readonly isOwnOrigin: boolean
  /** The headers that the profile adds to every request to its origin. */
  readonly extraHeaders: HeaderLines
}

/** Throws UnsendableRequest for a URL that is not http(s), RangeError for a tenant that the profile does not have. */
export const destinationOf = <Request extends SendBase & { readonly headers?: HeaderLines }>(
  { profile, pseudonyms, traceparent }: Pick<ClientOptions, 'profile' | 'pseudonyms' | 'traceparent'>,
  request: Request,
): Destination<Request> => {
  const target = targetOf(profile.baseUrl, pseudonyms.reveal(request.path))
  if (new URL(target.origin).origin === new URL(profile.baseUrl).origin)
    return {
      request,
      target,
      key: keyOf(profile, request.credential, pseudonyms),
      isOwnOrigin: true,
      extraHeaders: [
        ...extraHeaders(profile.transport),
        ...(traceparent === undefined ? [] : [['traceparent', traceparent()] as const]),
      ],
    }
  const headers = (request.headers ?? []).filter(([, value]) => !holdsKey(profile, value))
  const { userAgent } = profile.transport ?? {}
  return {
    request: { ...request, credential: null, headers },
    target,
    key: null,
    isOwnOrigin: false,
    extraHeaders: extraHeaders(userAgent === undefined ? {} : { userAgent }),
  }
}

/** The header lines that a profile adds. */
export const extraHeaders = ({ headers = {}, userAgent }: TransportProfile = {}): HeaderLines => [
  ...(userAgent === undefined ? [] : [['user-agent', userAgent] as const]),
  ...Object.entries(headers),
]

const holdsKey = ({ tenants }: TargetProfile, value: string): boolean =>
  Object.values(tenants).some(({ key }) => value.includes(key))

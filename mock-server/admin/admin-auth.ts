/**
 * Decides who may use the admin API. With a token it is every caller that sends it; without one, programs on this machine.
 * Web pages are refused in both cases, except the inspector and pages of an origin that the user names: they get no CORS
 * headers, and without a token no request that a browser sends across origins or by a rebound name is accepted.
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { AdminRequest } from './admin-request.ts'

const loopbackAddress = /^(?:127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/
const loopbackHost = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::\d+)?$/i
const throughOthers = ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via'] as const

/** Why a request is refused; `null` when it is allowed. */
export function denialReason(request: AdminRequest, token: string | null): string | null {
  const { headers, remoteAddress } = request
  if (remoteAddress === null) return null
  if (token !== null) {
    const isKnown = sameSecret(`Bearer ${token}`, String(headers.authorization ?? ''))
    return isKnown ? null : 'The header authorization does not hold the admin token, as `Bearer <token>`.'
  }
  const cause = foreignTrait(request, remoteAddress)
  return cause === null ? null : `${cause} Without --admin-token the admin API answers only programs on its machine.`
}

/** The evidence that a request comes from another machine, or from a web page. */
function foreignTrait({ headers, trustedOrigins = [] }: AdminRequest, remoteAddress: string): string | null {
  if (!loopbackAddress.test(remoteAddress)) return 'The request comes from another machine.'
  if (!loopbackHost.test(String(headers.host ?? ''))) return 'The header host does not name this machine.'
  const isTrusted = typeof headers.origin === 'string' && trustedOrigins.includes(headers.origin)
  if (!isTrusted && !isOwnOrigin(headers)) return 'The header origin names a page that is not of the mock.'
  if (!isTrusted && isFromPage(headers['sec-fetch-site'])) {
    return 'The header sec-fetch-site says that a page of another site sent the request.'
  }
  const forwarded = throughOthers.find((name) => headers[name] !== undefined)
  return forwarded === undefined ? null : `The header ${forwarded} says that the request was forwarded.`
}

/** Browsers name the source of a request, even for requests without an Origin. */
function isFromPage(site: AdminRequest['headers'][string]): boolean {
  return site !== undefined && site !== 'none' && site !== 'same-origin'
}

/** The inspector is a page of the mock itself; any other page has another origin. */
function isOwnOrigin({ origin, host }: AdminRequest['headers']): boolean {
  return origin === undefined || origin === `http://${String(host)}` || origin === `https://${String(host)}`
}

function sameSecret(left: string, right: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(left), digest(right))
}

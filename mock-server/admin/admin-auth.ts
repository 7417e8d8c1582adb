/**
 * Who may use the admin API: with a token whoever sends it; without one, programs on this machine. A web page is kept out
 * in both cases, but for the inspector and pages of an origin that the user names: no CORS headers, and without a token nothing that a browser sends across origins
 * or by a rebound name.
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { AdminRequest } from './admin-request.ts'

const loopbackAddress = /^(?:127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/
const loopbackHost = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::\d+)?$/i
const throughOthers = ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via'] as const

/** Whether a request is let in. */
export function isAuthorized(request: AdminRequest, token: string | null): boolean {
  const { headers, remoteAddress } = request
  if (remoteAddress === null) return true
  if (token !== null) return sameSecret(`Bearer ${token}`, String(headers.authorization ?? ''))
  if (!loopbackAddress.test(remoteAddress) || !loopbackHost.test(String(headers.host ?? ''))) return false
  const isTrusted = typeof headers.origin === 'string' && headers.origin === request.trustedOrigin
  if (!isTrusted && (isFromPage(headers['sec-fetch-site']) || !isOwnOrigin(headers))) return false
  return throughOthers.every((name) => headers[name] === undefined)
}

/** Browsers tell where a request was made, also for those that have no Origin. */
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

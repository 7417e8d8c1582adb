/**
 * Who may use the admin API: with a token whoever sends it; without one, programs on this machine. A web page is kept out
 * in both cases: no CORS headers, and without a token nothing that a browser sends across origins or by a rebound name.
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { AdminRequest } from './admin-request.ts'

const loopbackAddress = /^(?:127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/
const loopbackHost = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::\d+)?$/i
const throughOthers = ['origin', 'forwarded', 'x-forwarded-for', 'x-real-ip', 'via'] as const

/** Whether a request is let in. */
export function isAuthorized(request: AdminRequest, token: string | null): boolean {
  const { headers, remoteAddress } = request
  if (remoteAddress === null) return true
  if (token !== null) return sameSecret(`Bearer ${token}`, String(headers.authorization ?? ''))
  if (!loopbackAddress.test(remoteAddress) || !loopbackHost.test(String(headers.host ?? ''))) return false
  return !isFromPage(headers['sec-fetch-site']) && throughOthers.every((name) => headers[name] === undefined)
}

/** Browsers tell where a request was made, also for those that have no Origin. */
function isFromPage(site: AdminRequest['headers'][string]): boolean {
  return site !== undefined && site !== 'none' && site !== 'same-origin'
}

function sameSecret(left: string, right: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(left), digest(right))
}

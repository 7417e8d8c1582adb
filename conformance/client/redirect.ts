/**
 * Follows redirects of a resource within its origin; any other redirect stays the target's answer.
 */

import { headerIn } from '../trace/headers.ts'
import { becomesGet, sameResourceAt } from '../trace/redirect-target.ts'
import type { WireOutcome } from './recording.ts'
import type { SendRequest } from './send-request.ts'
import { splitUrl, type Target } from './target-url.ts'

/** The most redirects in a row; the next one is the answer. */
export const mostRedirects = 3

const redirecting: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/** The part of an exchange that a redirect is read from. */
export type Answered = Pick<WireOutcome, 'ending'> & {
  readonly response: Pick<NonNullable<WireOutcome['response']>, 'status' | 'headers'> | null
}

const locationOf = (outcome: Answered, from: Target): Target | null => {
  const location = headerIn(outcome.response?.headers ?? [], 'location')
  const to = location === undefined ? null : sameResourceAt(location, from.origin + from.path)
  return to === null ? null : splitUrl(to.href)
}

/** The request that a redirect asks for, or `null` when there is none to follow. */
export const redirected = (
  request: SendRequest,
  from: Target,
  outcome: Answered,
): { request: SendRequest; target: Target } | null => {
  const status = outcome.response?.status ?? 0
  if (outcome.ending !== 'complete' || !redirecting.has(status)) return null
  const target = locationOf(outcome, from)
  if (target === null) return null
  return { request: becomesGet(status, request.method) ? { ...request, method: 'GET', body: null } : request, target }
}

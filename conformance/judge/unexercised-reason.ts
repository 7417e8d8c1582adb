/** Says why nothing shows an obligation: the profile lacks something, a probe could not ask, or nothing asked. */
import { globMatcher } from '../profile/glob.ts'
import type { ProbeNote } from '../trace/exchange.ts'
import type { JudgeProfile } from './judge-profile.ts'
import type { ObligationStatus } from './obligations.ts'
import type { TraceAnalysis } from './trace-analysis.ts'

/** The reason of an obligation that nothing shows. */
export type ReasonFinder = (status: ObligationStatus) => string

/** What no probe and no setting explains. */
export const neverExercised = 'no request in this run exercised it'

/** Errors that no client can cause by what it sends: a profile has to say how. */
const onlyProvoked: ReadonlySet<string> = new Set(['api_timeout_error', 'internal_service_error', 'tenant_not_found'])
const ofQuotas = /^errors\.(code-)?rate-limit/

/** What the profile lacks comes first: a note of a probe is about all rules that the probe could have shown. */
export function reasonFinder({ profile }: TraceAnalysis, notes: readonly ProbeNote[]): ReasonFinder {
  const fitting = notes.map((note) => ({ note, matchers: note.requirements.map(globMatcher) }))
  return ({ row, obligation }) => {
    const lack = profile.source === 'suite' ? lackOf(profile, row.id, obligation.facet) : null
    if (lack !== null) return `no-fixture: ${lack}`
    const found = fitting.find(
      ({ note, matchers }) =>
        (note.operation === null || note.operation === obligation.operation) &&
        matchers.some((matches) => matches(row.id)),
    )
    return found === undefined ? neverExercised : `${found.note.reason}: ${found.note.text}`
  }
}

/** Rules about one error have its code in their id, others as their facet. */
function lackOf({ tenants, provoking }: JudgeProfile, requirement: string, facet: string | null): string | null {
  const code = requirement.startsWith('errors.code-') ? requirement.slice(12).replaceAll('-', '_') : facet
  const isOfQuota = ofQuotas.test(requirement) || code === 'rate_limit_gateway'
  if (isOfQuota && !tenants.has('throttled')) return 'The profile has no throttled key.'
  if (code === null || !onlyProvoked.has(code) || provoking.some((one) => one.code === code)) return null
  return `The profile does not say how to provoke ${code}.`
}

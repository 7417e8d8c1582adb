/** Says why nothing shows an obligation: the profile lacks something, a probe could not ask, or nothing asked. */
import { globMatcher } from '../profile/glob.ts'
import type { ProbeNote, Trace } from '../trace/exchange.ts'
import type { JudgeProfile } from './judge-profile.ts'
import type { ObligationStatus } from './obligations.ts'
import { brokeOff } from './run-facts.ts'
import type { TraceAnalysis } from './trace-analysis.ts'

/** The reason of an obligation that nothing shows. */
export type ReasonFinder = (status: ObligationStatus) => string

/** The reason when no probe and no setting explains it. */
export const neverExercised = 'no request in this run exercised it'

/** The reason after an interrupted run: its next requests might have shown the obligation. */
export const endedBefore = 'the run ended before a request exercised it'

/** Errors that no client can cause by what it sends, so that a profile has to say how, and the rule about each. */
const onlyProvoked: Readonly<Record<string, string>> = {
  api_timeout_error: 'errors.code-api-timeout-error',
  internal_service_error: 'errors.code-internal-service-error',
  tenant_not_found: 'errors.code-tenant-not-found',
}
const ofQuotas = /^errors\.(code-)?rate-limit/

/** A missing setting of the profile comes first: a note of a probe is about all rules that the probe could have shown. */
export function reasonFinder(
  { profile }: TraceAnalysis,
  { notes, footer }: Pick<Trace, 'notes' | 'footer'>,
): ReasonFinder {
  const isCut = brokeOff(footer)
  const fitting = notes.map((note) => ({ note, matchers: note.requirements.map(globMatcher) }))
  return ({ row, obligation }) => {
    const lack = profile.source === 'suite' ? lackOf(profile, row.id, obligation.facet) : null
    if (lack !== null) return `no-fixture: ${lack}`
    const found = fitting.find(
      ({ note, matchers }) =>
        (note.operation === null || note.operation === obligation.operation) &&
        matchers.some((matches) => matches(row.id)),
    )
    if (isCut && (found === undefined || !isOfPlan(found.note))) return endedBefore
    return found === undefined ? neverExercised : `${found.note.reason}: ${found.note.text}`
  }
}

/** The notes of the plan, made before anything was sent. Other notes may describe the silence in which the run ended. */
const isOfPlan = ({ reason, operation }: ProbeNote): boolean =>
  reason === 'no-fixture' ? operation !== null : reason !== 'refused-by-target' && reason !== 'blocked'

/** Other rules about an error have its code as their facet. */
function lackOf({ tenants, provoking }: JudgeProfile, requirement: string, facet: string | null): string | null {
  const isOfQuota = ofQuotas.test(requirement) || facet === 'rate_limit_gateway'
  if (isOfQuota && !tenants.has('throttled')) return 'The profile has no throttled key.'
  const code = Object.keys(onlyProvoked).find((one) => facet === one || requirement === onlyProvoked[one])
  if (code === undefined || provoking.some((one) => one.code === code)) return null
  return `The profile does not say how to provoke ${code}.`
}

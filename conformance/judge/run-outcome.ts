/**
 * From verdicts to the outcome of a run. A run that judged nothing, reached nobody or was at fault itself never looks like a
 * good one, and what was owed and not decided leaves it incomplete.
 */

import type { Trace } from '../trace/exchange.ts'
import { isBlocking, type ObligationStatus } from './obligations.ts'
import { isAccepted } from './read/parsed-exchange.ts'
import type { TraceAnalysis } from './trace-analysis.ts'
import type { RunOutcome, Verdict } from './verdict.ts'

/** The outcome of a run, and why when it is not a judgement of the target. */
export function outcomeOf(
  analysis: TraceAnalysis,
  { footer }: Trace,
  statuses: readonly ObligationStatus[],
  verdicts: readonly Verdict[],
  strict: boolean,
): { readonly outcome: RunOutcome; readonly reason: string | null } {
  const invalid = whyInvalid(analysis, footer !== null, verdicts)
  if (invalid !== null) return { outcome: 'invalid', reason: invalid }
  if (verdicts.some((verdict) => verdict.outcome === 'violated' && isBlocking(verdict, strict))) {
    return { outcome: 'nonconformant', reason: null }
  }
  const open = new Set(['unexercised', 'inconclusive'])
  const owed = new Set(statuses.filter(({ isOwed }) => isOwed).map(({ obligation }) => keyOf(obligation)))
  // Nobody promised that recorded traffic would show everything.
  const isPromised = analysis.profile.source === 'suite'
  const debts = verdicts.filter((verdict) => isPromised && open.has(verdict.outcome) && owed.has(keyOf(verdict)))
  if (footer?.complete === false)
    return { outcome: 'incomplete', reason: `the run was not finished: ${footer.reason ?? 'interrupted'}` }
  if (debts.length > 0) return { outcome: 'incomplete', reason: `${debts.length} owed obligations were not decided` }
  if (!analysis.parsedExchanges.some(isAccepted))
    return { outcome: 'incomplete', reason: 'the target accepted nothing' }
  return { outcome: 'conformant', reason: null }
}

const keyOf = ({ requirement, operation, facet }: Pick<Verdict, 'requirement' | 'operation' | 'facet'>): string =>
  `${requirement} ${operation} ${facet}`

function whyInvalid(
  { parsedExchanges }: TraceAnalysis,
  hasFooter: boolean,
  verdicts: readonly Verdict[],
): string | null {
  if (!hasFooter) return 'the trace has no footer'
  if (parsedExchanges.length === 0) return 'nothing was sent'
  if (parsedExchanges.every(({ exchange }) => exchange.response === null)) return 'the target could not be reached'
  if (verdicts.some(({ outcome }) => outcome === 'suite-fault'))
    return 'the suite sent what it did not intend, or could not judge'
  const answered = parsedExchanges.filter(({ answer, key }) => answer.kind !== 'none' && key === 'sent')
  const isKeyRefused = ({ answer: { status } }: (typeof parsedExchanges)[number]): boolean =>
    status === 401 || status === 403
  if (answered.length > 0 && answered.every(isKeyRefused)) return 'the target refused the keys of the profile'
  return verdicts.some(({ outcome }) => outcome === 'upheld' || outcome === 'violated')
    ? null
    : 'nothing could be judged'
}

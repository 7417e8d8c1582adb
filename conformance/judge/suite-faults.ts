/**
 * The suite accuses itself: where the bytes that went out are not what the probe meant, the run is no evidence. Only what the
 * bytes alone tell counts, since what a target did before may make a good request a wrong one.
 */
import type { ParsedExchange } from './read/parsed-exchange.ts'
import type { TraceAnalysis } from './trace-analysis.ts'
import type { Verdict } from './verdict.ts'

/** One verdict for each request that was not what its probe meant. */
export function suiteFaults(analysis: TraceAnalysis): readonly Verdict[] {
  if (analysis.profile.source !== 'suite') return []
  return analysis.parsedExchanges.flatMap((parsed) => {
    const fault = faultOf(analysis, parsed)
    return fault === null ? [] : [verdictFrom(parsed, fault)]
  })
}

function faultOf(analysis: TraceAnalysis, parsed: ParsedExchange): string | null {
  const { intent } = parsed.exchange
  if (intent === null) return null
  if (parsed.operation !== null && intent.operation !== null && intent.operation !== parsed.operation) {
    return `${intent.probe} meant ${intent.operation}, and ${parsed.id} addresses ${parsed.operation}`
  }
  if (intent.expects !== 'accepted') return null
  const [fault] = analysis.byteFaultsOf(parsed)
  return fault === undefined
    ? null
    : `${intent.probe} meant ${parsed.id} to be accepted, and its bytes are wrong: ${fault.rule} at ${fault.loc.join('/')}`
}

const verdictFrom = (parsed: ParsedExchange, reason: string): Verdict => ({
  requirement: 'suite.intent',
  operation: parsed.operation ?? parsed.exchange.intent?.operation ?? 'listAssistants',
  facet: null,
  level: 'must',
  basis: 'convention',
  outcome: 'suite-fault',
  witnesses: 1,
  reason,
  exchanges: [parsed.id],
})

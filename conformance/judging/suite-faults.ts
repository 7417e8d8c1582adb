/**
 * The suite accuses itself: where the bytes that went out are not what the probe meant, the run is no evidence. Only what the
 * bytes alone tell counts, since what a target did before may make a good request a wrong one.
 */
import type { Reading } from '../classify/reading.ts'
import type { Verdict } from '../verdict.ts'
import type { Docket } from './docket.ts'

/** One verdict for each request that was not what its probe meant. */
export function suiteFaults(docket: Docket): readonly Verdict[] {
  if (docket.profile.source !== 'suite') return []
  return docket.readings.flatMap((reading) => {
    const fault = faultOf(docket, reading)
    return fault === null ? [] : [verdictFrom(reading, fault)]
  })
}

function faultOf(docket: Docket, reading: Reading): string | null {
  const { intent } = reading.exchange
  if (intent === null) return null
  if (reading.operation !== null && intent.operation !== null && intent.operation !== reading.operation) {
    return `${intent.probe} meant ${intent.operation}, and ${reading.id} addresses ${reading.operation}`
  }
  if (intent.expects !== 'accepted') return null
  const [fault] = docket.byteFaultsOf(reading)
  return fault === undefined
    ? null
    : `${intent.probe} meant ${reading.id} to be accepted, and its bytes are wrong: ${fault.rule} at ${fault.loc.join('/')}`
}

const verdictFrom = (reading: Reading, reason: string): Verdict => ({
  requirement: 'suite.intent',
  operation: reading.operation ?? reading.exchange.intent?.operation ?? 'listAssistants',
  facet: null,
  level: 'must',
  basis: 'convention',
  outcome: 'suite-fault',
  witnesses: 1,
  reason,
  exchanges: [reading.id],
})

/** A recorded session, ready to be played by a mock. */
import type { Scenario } from '../scenario/scenario.ts'
import { type RecordedTrace, readExchanges, traceOf } from './read-exchanges.ts'
import type { RecordedExchange } from './recorded-exchange.ts'
import { recordedScenario } from './recorded-scenario.ts'
import { type RecordedThreads, recordedThreads } from './recorded-threads.ts'

export interface Recording {
  /** The tenants and assistants of the recording, with keys of the mock. */
  readonly scenario: Scenario
  readonly exchanges: readonly RecordedExchange[]
  readonly threads: RecordedThreads
  /** Exchanges that are not played, and contract violations of the recorded service; a line each. */
  readonly notes: readonly string[]
}

/**
 * A recording of a trace, or of the text of a `trace.ndjson`, as `acs test` and `acs watch` write it. Throws a RangeError when
 * nothing in it can be played.
 */
export async function createRecording(trace: RecordedTrace | string): Promise<Recording> {
  const { playable: exchanges, leftOut } = readExchanges(typeof trace === 'string' ? traceOf(trace) : trace)
  const left = [...leftOut].map(([why, count]) => `${count} exchanges ${why} are not played`)
  if (exchanges.length === 0)
    throw new RangeError(`nothing can be played: ${left.join('; ') || 'there is no exchange'}`)
  const threads = recordedThreads(exchanges)
  const { scenario, problems } = await recordedScenario(exchanges, threads)
  return { scenario, exchanges, threads, notes: [...problems, ...left] }
}

/**
 * Creates a trace from traffic that another tool recorded, such as a proxy or a browser. It is the same evidence in the
 * same form, and the header names its source.
 */
import { callsModel } from '../client/calls-model.ts'
import { mayHaveReachedModel } from '../client/transient-failure.ts'
import { isSuccess, observedProfile } from '../profile/observed-profile.ts'
import type { TargetProfile } from '../profile/target-profile.ts'
import { traceHeader } from '../profile/trace-header.ts'
import type { Pseudonyms } from '../pseudonyms/pseudonyms.ts'
import type { Exchange, Trace, TraceHeader } from '../trace/exchange.ts'
import { headerIn } from '../trace/headers.ts'
import { highest } from '../trace/highest.ts'

interface ObservedTraceOptions {
  readonly source: Exclude<TraceHeader['source'], 'suite'>
  readonly exchanges: readonly Exchange[]
  readonly pseudonyms: Pseudonyms
  /** Tenants whose whole traffic was recorded. */
  readonly exclusive?: readonly string[]
  /** When the recording began. */
  readonly startedAt: Date
  /** Default: derived from the exchanges. */
  readonly profile?: TargetProfile | undefined
  /** Where the target is, when it is known and no profile is given. */
  readonly baseUrl?: string | undefined
}

/** Whether an exchange cost a call of a model. */
export const hasCalledModel = (exchange: Exchange): boolean =>
  callsModel(null, exchange.request.method, exchange.request.url) && mayHaveReachedModel(exchange)

const keyOf = ({ request }: Exchange): string | null => headerIn(request.headers, 'api-key') ?? null

/** Creates the trace of a finished recording. */
export const observedTrace = (options: ObservedTraceOptions): Trace => {
  const { source, exchanges, pseudonyms, startedAt, baseUrl, exclusive = [] } = options
  const requests = exchanges.map((exchange) => ({
    ...exchange.request,
    key: keyOf(exchange),
    succeeded: isSuccess(exchange.response?.status),
  }))
  const profile = options.profile ?? observedProfile(requests, baseUrl)
  const modelCalls = exchanges.filter(hasCalledModel).length
  const durationMs = highest(exchanges.map(({ endedAtMs }) => endedAtMs))
  return {
    header: {
      ...traceHeader(profile, pseudonyms, 0),
      source,
      ...(exclusive.length === 0 ? {} : { exclusive }),
      startedAt: startedAt.toISOString(),
    },
    exchanges,
    notes: [],
    footer: { kind: 'footer', exchanges: exchanges.length, modelCalls, durationMs, complete: true },
  }
}

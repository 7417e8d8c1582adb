/** The types of the requests that a client sends, and of its options. Every part of the client needs them. */
import type { OperationId } from '../../spec/index.ts'
import type { TargetProfile, TenantName } from '../profile/target-profile.ts'
import type { Pseudonyms } from '../pseudonyms/pseudonyms.ts'
import type { Exchange, HeaderLines, Intent } from '../trace/exchange.ts'
import type { Meter } from './meter.ts'
import type { Cost } from './meter-accounts.ts'
import type { RetryPolicy } from './retry.ts'

/** A key of the profile by name, no key at all, or a made-up one. */
export type Credential = TenantName | null | { readonly raw: string }

/** What every request says, however it is written to the wire. */
export interface SendBase {
  readonly method: string
  /**
   * Path and query below the base URL, or an absolute URL (a signed one may carry pseudonyms: they are undone). To another
   * origin than that of the base URL no key goes, whatever `credential` and `headers` say.
   */
  readonly path: string
  readonly credential: Credential
  readonly operation: OperationId | null
  readonly intent: Intent | null
  /** Longest silence, also before the first byte; default from the profile. The whole exchange may take four times as long. */
  readonly timeoutMs?: number
  /** It is sent once more, so that it counts against the reserve of the budget first. */
  readonly isRepetition?: boolean
  /** Told of each attempt that failed and is made again; nobody can say whether it had an effect. */
  readonly onFailedAttempt?: (exchange: Exchange) => void
  /** Told when the body of a success begins; what is written byte for byte tells nobody. */
  readonly onFirstPiece?: (() => void) | undefined
}

export interface SendRequest extends SendBase {
  /** Added after the client's own; content-type is application/json unless given here or left out. */
  readonly headers?: HeaderLines
  /** Names of the client's own headers, lower case, that this request shall not have, for example `content-type`. */
  readonly leaveOut?: readonly string[]
  readonly body?: Uint8Array | string | null
  /** Leave after so many pieces of the body; the exchange ends `aborted`. */
  readonly abortAfterPieces?: number
  /** Leave as soon as the request is written, before any answer; the exchange ends `aborted`. */
  readonly leavesAtOnce?: boolean
  /** `none`: one attempt, whatever happens. Default: environmental errors are tried again within the budget. */
  readonly retry?: 'environmental' | 'none'
}

/** A request that no HTTP client would send; header values are written byte for byte (Latin-1). */
export interface SendRawRequest extends SendBase {
  /** Replaces `METHOD target HTTP/1.1`. */
  readonly requestLine?: string
  readonly headers?: HeaderLines
  readonly body?: Uint8Array | string | null
  /** The Content-Length that is claimed; default the true one when there is a body; `null` leaves it out. */
  readonly contentLength?: number | null
}

export interface ClientOptions {
  readonly profile: TargetProfile
  readonly pseudonyms: Pseudonyms
  readonly meter: Meter
  /** Monotonic milliseconds; default `performance.now`. Another clock tells when things arrived, however late the loop was. */
  readonly clock?: () => number
  /** Value of the clock that is 0 in the trace; default now. */
  readonly originMs?: number
  /** Called for every exchange, also for retries and redirects, in the order of their ends. */
  readonly onExchange?: (exchange: Exchange, cost: Cost) => void
  readonly retryPolicy?: Partial<RetryPolicy>
  /** Gives each request to the origin of the base URL a `traceparent`; default none. */
  readonly traceparent?: (() => string) | undefined
  /** So many exchanges were made before; the ids go on behind them. Default 0. */
  readonly exchangesBefore?: number
}

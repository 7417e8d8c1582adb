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

/** The fields of every request, however it is written to the wire. */
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
  /** The request is a repetition, so it counts against the reserve of the budget first. */
  readonly isRepetition?: boolean
  /** Called for each failed attempt that is repeated; whether it had an effect is unknown. */
  readonly onFailedAttempt?: (exchange: Exchange) => void
  /** Called when the body of a success begins; not for requests written byte for byte. */
  readonly onFirstPiece?: (() => void) | undefined
}

export interface SendRequest extends SendBase {
  /** Added after the client's own; content-type is application/json unless given here or left out. */
  readonly headers?: HeaderLines
  /** Names of the client's own headers, lower case, that this request must not have, for example `content-type`. */
  readonly leaveOut?: readonly string[]
  readonly body?: Uint8Array | string | null
  /** Abort after this many pieces of the body; the exchange ends `aborted`. */
  readonly abortAfterPieces?: number
  /** Abort as soon as the request is written, before any answer; the exchange ends `aborted`. */
  readonly leavesAtOnce?: boolean
  /** `none`: one attempt only. Default: environmental errors are retried within the budget. */
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
  /**
   * Monotonic milliseconds; default `performance.now`. With another clock, arrival times do not depend on a late event
   * loop.
   */
  readonly clock?: () => number
  /** Value of the clock that is 0 in the trace; default now. */
  readonly originMs?: number
  /** Called for every exchange, also for retries and redirects, in the order of their ends. */
  readonly onExchange?: (exchange: Exchange, cost: Cost) => void
  readonly retryPolicy?: Partial<RetryPolicy>
  /** Gives each request to the origin of the base URL a `traceparent`; default none. */
  readonly traceparent?: (() => string) | undefined
  /** The number of earlier exchanges; ids continue after them. Default 0. */
  readonly exchangesBefore?: number
}

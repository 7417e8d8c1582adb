/**
 * The suite's HTTP client: sends one request, records what went over the wire as an Exchange, and never throws for what a
 * target does. Together with raw-socket.ts and watch.ts it holds the suite's only sockets.
 */
import type { OperationId } from '../spec/index.ts'
import type { Exchange, HeaderLines, Intent } from './exchange.ts'
import type { Cost, Meter } from './meter.ts'
import type { TargetProfile, TenantName } from './profile/target-profile.ts'
import type { Pseudonyms } from './pseudonyms.ts'

/** A key of the profile by name, no key at all, or a made-up one. */
export type Credential = TenantName | null | { readonly raw: string }

/** What every request says, however it is written to the wire. */
export interface SendBase {
  readonly method: string
  /** Path and query below the base URL, or an absolute URL (a signed one may carry pseudonyms: they are undone). */
  readonly path: string
  readonly credential: Credential
  readonly operation: OperationId | null
  readonly intent: Intent | null
  /** Longest silence, also before the first byte; default from the profile. The whole exchange may take four times as long. */
  readonly timeoutMs?: number
}

export interface SendRequest extends SendBase {
  /** Added after the client's own; content-type is application/json unless given here or left out. */
  readonly headers?: HeaderLines
  /** Names of the client's own headers that this request shall not have, for example `content-type`. */
  readonly leaveOut?: readonly string[]
  readonly body?: Uint8Array | string | null
  /** Leave after so many pieces of the body; the exchange ends `aborted`. */
  readonly abortAfterPieces?: number
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
  /** Monotonic milliseconds; default `performance.now`. */
  readonly clock?: () => number
  /** Value of the clock that is 0 in the trace; default now. */
  readonly originMs?: number
  /** Called for every exchange, also for retries and redirects, in the order of their ends. */
  readonly onExchange?: (exchange: Exchange, cost: Cost) => void
}

export interface Client extends AsyncDisposable {
  /** Sends, follows same-origin redirects (at most 3), retries environmental errors; gives the last exchange. Throws only BudgetExhausted and for a misuse. */
  readonly send: (request: SendRequest) => Promise<Exchange>
  /** Sends over a bare socket; one attempt. */
  readonly sendRaw: (request: SendRawRequest) => Promise<Exchange>
  readonly cost: () => Cost
  /** Milliseconds on the trace's clock. */
  readonly nowMs: () => number
  /** Ends exchanges in flight as `aborted` and closes the sockets. */
  readonly close: () => Promise<void>
}

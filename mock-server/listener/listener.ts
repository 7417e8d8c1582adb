/** Defines a listener without the types of Node, since browser pages import these types too. */
import type { OptionNames } from '../option-error.ts'
import type { ReasonId } from '../reasons/reasons.ts'

/** A certificate with its chain, and its key; both PEM. */
export interface Certificate {
  readonly cert: string
  readonly key: string
}

/** A request that never reached the engine, so that no journal has it. */
export interface RefusedRequest {
  readonly reason: ReasonId
  readonly status: number
  /** The error of node:http, or the method. */
  readonly what: string
}

/** What a listener waits for while it closes. */
interface ClosingWait {
  /** Connections whose answer is on its way. */
  readonly connections: number
  readonly graceMs: number
}

export interface ListenOptions {
  /** Default 0: a free port. */
  readonly port?: number
  /** Default 127.0.0.1. */
  readonly host?: string
  /** Longest time for the whole request to arrive. Default 30,000. */
  readonly requestTimeoutMs?: number
  /** The longest time for running answers to end on `close`. Default 1,000. */
  readonly graceMs?: number
  /** Called once on `close` if answers are still on their way after a tenth of a second. */
  readonly onWait?: (wait: ClosingWait) => void
  /** The bearer token that callers of the admin API must send. Default: none, and only this machine has access. */
  readonly adminToken?: string | null
  /** The origins that browsers may call from, with credentials. Default: every origin, without credentials. */
  readonly corsOrigin?: string | readonly string[] | null
  /** Also lets pages of `corsOrigin` call the admin API. Default false. */
  readonly adminCors?: boolean
  /** Called for requests that were refused before the engine got them: broken HTTP, no host, a wrong expectation. */
  readonly onRefused?: (refused: RefusedRequest) => void
  /** The listener then speaks HTTPS, by HTTP/2 to clients that offer it. Throws for an invalid certificate. */
  readonly tls?: Certificate | null
}

/** Every option of a listener. */
export const listenOptionNames = {
  port: true,
  host: true,
  requestTimeoutMs: true,
  graceMs: true,
  onWait: true,
  adminToken: true,
  corsOrigin: true,
  adminCors: true,
  onRefused: true,
  tls: true,
} as const satisfies OptionNames<ListenOptions>

export interface Listener extends AsyncDisposable {
  /** Base URL, without a slash at its end. */
  readonly url: string
  readonly port: number
  close(): Promise<void>
}

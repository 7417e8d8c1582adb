/**
 * What a route handler is given and what it gives back.
 * It stands apart so that handlers know nothing of node:http.
 */
import type { IncomingHttpHeaders } from 'node:http'
import type { Tenant } from './records.ts'
import type { TableCode } from './rejection.ts'
import type { State } from './state.ts'

/** One request on its way to a handler. */
export interface Request {
  readonly state: State
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  /** The bytes of the body. */
  readonly bytes: () => Promise<Buffer>
  /** The body as JSON, `undefined` when there is none. */
  readonly json: () => Promise<unknown>
}

/** A request whose key belongs to a tenant. */
export interface Call extends Request {
  readonly tenant: Tenant
}

/** One JSON document or a stream of them. */
export type Reply = { readonly json: unknown } | { readonly lines: AsyncIterable<object> }

/** An operation that needs an API key. */
export interface Route {
  readonly method: string
  readonly path: RegExp
  readonly handle: (call: Call) => Promise<Reply> | Reply
  /** Counts against the key's quota. */
  readonly limited: boolean
  /** Answers field errors in the framework's own shape. */
  readonly frameworkShape: boolean
  /** Errors that the fault header can bring about here. */
  readonly faults: readonly TableCode[]
}

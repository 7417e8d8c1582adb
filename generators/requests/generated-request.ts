/**
 * Defines a request as plain data: the target below the base URL and the exact body bytes.
 * The sender adds the API key of the tenant that it acts for, unless `credential` says otherwise.
 */
import type { Json, OperationId } from '../../spec/index.ts'

export interface GeneratedRequest {
  readonly operation: OperationId
  readonly method: string
  /** Path and query below the base URL, percent-encoded. */
  readonly target: string
  /** In wire order, without `api-key`, `host` and framing headers. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** The body as text, as bytes where it is not valid UTF-8, or `null` for none. */
  readonly body: string | Uint8Array | null
  /** Set if the sender must omit the key or send an invalid one; absent for the tenant's own key. */
  readonly credential?: 'omitted' | 'made-up'
  /** Set if an ordinary HTTP client refuses to send it, so that a raw socket is needed. */
  readonly raw?: boolean
}

/** The request before encoding, so that one part can be changed. */
export interface RequestParts {
  readonly operation: OperationId
  readonly path: Readonly<Record<string, string>>
  readonly query: readonly (readonly [name: string, value: string])[]
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** `undefined` for an operation without a body. */
  readonly body: Json | undefined
}

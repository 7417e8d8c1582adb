/**
 * A request as plain data, ready for any transport: the target below the base URL and the exact body bytes.
 * The API key is not in it; the sender adds the one of the tenant that it plays, unless `credential` says otherwise.
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
  /** Whether the sender must leave the key out or send one that nobody was given; absent for the tenant's own key. */
  readonly credential?: 'omitted' | 'made-up'
  /** Set when an ordinary HTTP client refuses to send it, so that it needs the raw socket writer. */
  readonly raw?: boolean
}

/** The request before encoding, so that one part can be changed and the rest stays as it is. */
export interface RequestParts {
  readonly operation: OperationId
  readonly path: Readonly<Record<string, string>>
  readonly query: readonly (readonly [name: string, value: string])[]
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** `undefined` for an operation without a body. */
  readonly body: Json | undefined
}

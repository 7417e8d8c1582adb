/**
 * A request as the engine sees it, from a socket or from `mock.fetch`.
 * Bodies are raw bytes; only an upload arrives as a stream.
 */

/** Header values by lower-case name, as node:http gives them. */
export type RequestHeaders = Readonly<Record<string, string | readonly string[] | undefined>>

export interface EngineRequest {
  readonly method: string
  /** Path and query as sent. */
  readonly target: string
  readonly headers: RequestHeaders
  /** Names as the client wrote them and values in turn, where they are known; only a deviation looks. */
  readonly rawHeaders?: readonly string[]
  readonly body: RequestBody
  /** `http://host:port` under which the client reached the mock; signed URLs start with it. */
  readonly origin: string
}

export type RequestBody =
  | { readonly kind: 'none' }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'stream'; readonly pieces: AsyncIterable<Uint8Array> }
  /** Larger than the limit; the body was not kept. */
  | { readonly kind: 'too-large'; readonly limitBytes: number }

/** Body limits, bytes. */
export const bodyLimits = { jsonBytes: 1_048_576 } as const

/** One header as text; repeated lines are joined as HTTP says. */
export function headerOf(headers: RequestHeaders, name: string): string | undefined {
  const value = headers[name]
  return typeof value === 'string' || value === undefined ? value : value.join(', ')
}

/** Whether a header is there (`user-id`), or holds a text (`user-id: jane`); case of its name ignored. */
export function hasHeader(headers: RequestHeaders, wanted: string): boolean {
  const colon = wanted.indexOf(':')
  const value = headerOf(headers, (colon < 0 ? wanted : wanted.slice(0, colon)).trim().toLowerCase())
  return value !== undefined && (colon < 0 || value.includes(wanted.slice(colon + 1).trim()))
}

/** A body as text; empty when there was none, or when it was not kept. */
export function bodyText(body: RequestBody): string {
  if (body.kind !== 'bytes') return ''
  const { buffer, byteOffset, byteLength } = body.bytes
  return Buffer.from(buffer, byteOffset, byteLength).toString()
}

/** Whether the body has an unsupported encoding; read as plain bytes, it would be another body. */
export function hasUnknownCoding({ headers }: EngineRequest): boolean {
  const content = headers['content-encoding']
  const transfer = headers['transfer-encoding']
  return (content !== undefined && !is(content, 'identity')) || (transfer !== undefined && !is(transfer, 'chunked'))
}

function is(value: string | readonly string[], word: string): boolean {
  return typeof value === 'string' && value.trim().toLowerCase() === word
}

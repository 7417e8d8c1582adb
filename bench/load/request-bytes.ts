/**
 * A request as the bytes that go over the wire, made once before the clock runs.
 */

export interface WireRequest {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** The whole request: head, and the body as JSON. */
export const requestBytes = ({ method, path, headers = {}, body }: WireRequest): Uint8Array => {
  const json = body === undefined ? null : JSON.stringify(body)
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'host: 127.0.0.1',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(json === null ? [] : ['content-type: application/json', `content-length: ${Buffer.byteLength(json)}`]),
  ]
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${json ?? ''}`)
}

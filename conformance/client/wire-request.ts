/** Turns the request of a probe into the bytes on the wire: target, default headers, key and body. */
import { Buffer } from 'node:buffer'
import type { HeaderLines } from '../trace/exchange.ts'
import { isHeaderNamed } from '../trace/headers.ts'
import type { Destination } from './destination.ts'
import type { RawRequest } from './record-exchange.ts'
import type { SendRequest } from './send-request.ts'
import type { WireRequest } from './undici-attempt.ts'
import { UnsendableRequest } from './unsendable.ts'

/** The value of the Host header. */
export const hostOf = (origin: string): string => new URL(origin).host

/** Bytes of a body; text is sent as UTF-8. */
export const bodyBytes = (body: Uint8Array | string | null | undefined): Uint8Array | null => {
  if (body === null || body === undefined) return null
  return typeof body === 'string' ? Buffer.from(body, 'utf8') : body
}

/** A body in two parts, split inside a character as networks do; in one part if no character has several bytes. */
export const bodyParts = (body: Uint8Array): readonly Uint8Array[] => {
  const inside = body.findIndex((byte) => (byte & 0xc0) === 0x80)
  return inside <= 0 ? [body] : [body.subarray(0, inside), body.subarray(inside)]
}

/** The headers of a common HTTP library; nothing may distinguish this suite from other callers. */
export const plainHeaders: HeaderLines = [
  ['user-agent', 'node'],
  ['accept', '*/*'],
]

type Sendable<Request> = Pick<Destination<Request>, 'request' | 'target' | 'key' | 'extraHeaders'>

/** The headers of every request; those of the profile replace the client's own. */
export const withExtra = (lines: HeaderLines, extra: HeaderLines): HeaderLines => {
  const replaced = new Set(extra.map(([name]) => name.toLowerCase()))
  return [...lines.filter(([name]) => !replaced.has(name)), ...extra]
}

/** The request for the dispatcher. */
export const wireRequest = ({ request, target, key, extraHeaders }: Sendable<SendRequest>): WireRequest => {
  if (/[^\x21-\xff]/.test(target.path))
    throw new UnsendableRequest(`the URL holds a blank or another character that no URL has: ${target.path}`)
  const body = bodyBytes(request.body)
  const own = request.headers ?? []
  const given = new Set(own.map(([name]) => name.toLowerCase()))
  const leftOut = new Set(request.leaveOut ?? [])
  const defaults: HeaderLines = [
    ...withExtra(plainHeaders, extraHeaders),
    ...(key === null ? [] : [['api-key', key] as const]),
    ...(body === null ? [] : [['content-type', 'application/json'] as const]),
  ]
  return {
    method: request.method,
    origin: target.origin,
    target: target.path,
    headers: [
      ...defaults.filter(([name]) => !leftOut.has(name) && (name === 'api-key' || !given.has(name.toLowerCase()))),
      ...own,
    ],
    body,
  }
}

const methodsWithBody: ReadonlySet<string> = new Set(['PUT', 'POST', 'PATCH', 'QUERY', 'PROPFIND', 'PROPPATCH'])

const contentLength = ({ body, method }: WireRequest): HeaderLines => {
  const length = body?.byteLength ?? 0
  return length > 0 || methodsWithBody.has(method) ? [['content-length', String(length)]] : []
}

/** Of files above this size only the beginning is recorded: a body sent only for its size would fill the trace. */
const largestKeptFile = 1_500_000
const keptOfLargerFile = 65_536

const keptBody = ({ body, headers }: WireRequest): Pick<RawRequest, 'body' | 'omittedBytes'> => {
  const size = body?.byteLength ?? 0
  const isJson = headers.some(([name, value]) => isHeaderNamed(name, 'content-type') && /json/i.test(value))
  if (body === null || isJson || size <= largestKeptFile) return { body: size > 0 ? body : null }
  return { body: body.subarray(0, keptOfLargerFile), omittedBytes: size - keptOfLargerFile }
}

/** The request as sent, with its secrets; a test compares it with the bytes of the socket. */
export const recordedRequest = (wire: WireRequest): RawRequest => ({
  method: wire.method,
  url: wire.origin + wire.target,
  headers: [['host', hostOf(wire.origin)], ['connection', 'keep-alive'], ...wire.headers, ...contentLength(wire)],
  ...keptBody(wire),
})

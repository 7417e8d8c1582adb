/** Legal ways to speak HTTP and JSON: statuses, headers, spellings of the same document. */
import { gzipSync } from 'node:zlib'
import { isErrorBody } from '../overrides/errors.ts'
import { overrideHeaders, overrideStatus } from '../overrides/heads.ts'
import { isObject } from '../overrides/json-edit.ts'
import { overrideBody } from '../overrides/replies.ts'
import type { Json } from '../scenario/scenario.ts'
import type { Variant } from './variant.ts'

const json = { freedom: 'The same JSON value in another spelling (RFC 8259).' } as const
const http = { freedom: 'HTTP lets a server add headers and choose how a body travels (RFC 9110).' } as const

const isSuccess = (status: number): boolean => status < 300

/** Adds a field to every resource, but not to maps whose keys mean something. */
const withExtraFields = (value: Json): Json => {
  if (Array.isArray(value)) return value.map(withExtraFields)
  if (!isObject(value)) return value
  const open = ['meta_data', 'meta_data_response_schema', 'request_required_fields', 'tool_calls', 'detail']
  const entries = Object.entries(value).map(([name, field]) => [
    name,
    open.includes(name) ? field : withExtraFields(field),
  ])
  return { ...Object.fromEntries(entries), x_revision: 7, x_links: { self: '/x' }, x_nothing: null }
}

const reversed = (value: Json): Json => {
  if (Array.isArray(value)) return value.map(reversed)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, field]) => [name, reversed(field)] as const)
      .reverse(),
  )
}

const escaped = (text: string): string =>
  text.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

const payload = (overridden: (text: string) => string): Variant['overrides'][number] => ({
  hook: 'payload',
  wrap: (next) => (bytes, exchange) => {
    const sent = next(bytes, exchange)
    return sent.length === 0 ? sent : Buffer.from(overridden(Buffer.from(sent).toString()))
  },
})

export const httpVariants: readonly Variant[] = [
  {
    id: 'http.every-success-200',
    because: 'http.success-status',
    description: 'Every success has status 200, also a created message.',
    overrides: [overrideStatus((status) => (isSuccess(status) ? 200 : status))],
  },
  {
    id: 'http.created-202',
    because: 'http.success-status',
    description: 'Created messages answer 202, everything else 200.',
    overrides: [overrideStatus((status) => (status === 201 ? 202 : status))],
  },
  {
    id: 'http.runs-201',
    because: 'http.success-status',
    description: 'Completions and runs answer 201.',
    overrides: [
      overrideStatus((status, { operation }) =>
        operation?.match(/Completion|Run|runThread/) && isSuccess(status) ? 201 : status,
      ),
    ],
  },
  {
    id: 'http.every-error-400',
    because: 'errors.status-of-code',
    description: 'Every error has status 400.',
    overrides: [overrideStatus((status) => Math.min(status, 400))],
  },
  {
    id: 'http.every-error-409',
    because: 'errors.status-of-code',
    description: 'Every error has status 409.',
    overrides: [overrideStatus((status) => (status >= 400 ? 409 : status))],
  },
  {
    id: 'http.errors-with-200',
    because: 'errors.status-of-code',
    description: 'Only the body identifies an error; the status is always 200.',
    overrides: [overrideStatus((status) => (status >= 400 ? 200 : status))],
  },
  {
    id: 'http.not-found-410',
    because: 'errors.status-of-code',
    description: 'What is not found answers 410, what is invalid 400.',
    overrides: [overrideStatus((status) => (status === 404 ? 410 : status === 422 ? 400 : status))],
  },
  {
    id: 'http.extra-fields',
    because: { freedom: 'The contract does not say that objects are closed.' },
    description: 'Every resource has more fields than the contract shows.',
    overrides: [overrideBody((body) => (isErrorBody(body) ? { ...body, request_id: 'r-1' } : withExtraFields(body)))],
  },
  {
    id: 'http.extra-headers',
    because: http,
    description: 'Responses carry a server name, a cookie, a request id and cache rules.',
    overrides: [
      overrideHeaders((headers) => ({
        ...headers,
        server: 'gateway/2.1',
        'set-cookie': 'route=7; Path=/; HttpOnly',
        'x-request-id': '01HZZ',
        'cache-control': 'no-store',
      })),
    ],
  },
  {
    id: 'http.keys-reversed',
    because: json,
    description: 'The keys of every object come in the opposite order.',
    overrides: [overrideBody(reversed)],
  },
  {
    id: 'http.pretty-json',
    because: json,
    description: 'Documents are indented and end with a line feed.',
    overrides: [payload((text) => `${JSON.stringify(JSON.parse(text), null, 4)}\n`)],
  },
  {
    id: 'http.ascii-json',
    because: json,
    description: 'Everything beyond ASCII is escaped.',
    overrides: [payload(escaped)],
  },
  {
    id: 'http.json-between-blanks',
    because: json,
    description: 'Blanks and line feeds stand before and after the document.',
    overrides: [payload((text) => ` \r\n\t${text}\n\n`)],
  },
  {
    id: 'http.slashes-escaped',
    because: json,
    description: 'Slashes are escaped, as some serializers do.',
    overrides: [payload((text) => text.replaceAll('/', '\\/'))],
  },
  {
    id: 'http.charset-parameter',
    because: http,
    description: 'The media type of documents has a charset parameter.',
    overrides: [overrideHeaders((headers) => typed(headers, 'application/json', 'application/json; charset=utf-8'))],
  },
  {
    id: 'http.problem-media-type',
    because: 'errors.status-of-code',
    description: 'Errors have the media type of problem details.',
    overrides: [
      overrideHeaders((headers, { reason }) =>
        reason === null ? headers : typed(headers, 'application/json', 'application/problem+json'),
      ),
    ],
  },
  {
    id: 'http.connection-close',
    because: http,
    description: 'Every response closes its connection.',
    overrides: [overrideHeaders((headers) => ({ ...headers, connection: 'close' }))],
  },
  {
    id: 'http.gzip',
    because: http,
    description: 'Documents are compressed for clients that accept it.',
    overrides: [
      {
        hook: 'payload',
        wrap: (next) => (bytes, exchange) => {
          const sent = next(bytes, exchange)
          return acceptsGzip(exchange.request.headers) && sent.length > 0 ? gzipSync(sent) : sent
        },
      },
      overrideHeaders((headers, { request }) =>
        acceptsGzip(request.headers) && (headers['content-type'] ?? '').startsWith('application/json')
          ? { ...headers, 'content-encoding': 'gzip', vary: 'accept-encoding' }
          : headers,
      ),
    ],
  },
  {
    id: 'http.content-type-uppercase',
    because: http,
    description: 'The media type has upper-case letters; media types ignore case.',
    overrides: [overrideHeaders((headers) => typed(headers, 'application/json', 'Application/JSON'))],
  },
]

const typed = (
  headers: Readonly<Record<string, string>>,
  from: string,
  to: string,
): Readonly<Record<string, string>> => (headers['content-type'] === from ? { ...headers, 'content-type': to } : headers)

const acceptsGzip = (headers: Readonly<Record<string, string | readonly string[] | undefined>>): boolean =>
  /\bgzip\b/.test(String(headers['accept-encoding'] ?? ''))

/**
 * Decides from the bytes what kind of answer came back. The contract gives no statuses, so a body with a string
 * error_code is a rejection whatever the status. A status decides only when there is no such body.
 */
import type { OperationId } from '../../../spec/index.ts'
import { operations } from '../../../spec/index.ts'
import type { Exchange, RecordedResponse } from '../../trace/exchange.ts'
import { isTooDeep } from '../../trace/json-depth.ts'
import { type DecodedStream, decodeStream } from '../../trace/ndjson/ndjson.ts'
import { isUnreadable, type JsonBody, responseJson } from './body.ts'
import { textField } from './json.ts'
import { type ReadStream, readStream } from './read-stream.ts'

/**
 * `accepted`: a success; `rejected`: refused with an error_code; `bare`: refused without one;
 * `environmental`: an upstream dependency failed, which says nothing about the service's rules;
 * `redirect`: elsewhere; `none`: no whole answer came.
 */
type AnswerKind = 'accepted' | 'rejected' | 'bare' | 'environmental' | 'redirect' | 'none'

export interface Answer {
  readonly kind: AnswerKind
  readonly status: number | null
  readonly code: string | null
  /** The body as one document; for an accepted stream only what was not decoded as lines. */
  readonly body: JsonBody
  /** The lines of an accepted stream, also of one that broke off. */
  readonly stream: ReadStream | null
}

/** Codes about circumstances, not about the request. */
const environmentalCodes: ReadonlySet<string> = new Set([
  'rate_limit_gateway',
  'api_timeout_error',
  'internal_service_error',
])

const noBody: JsonBody = { kind: 'none' }
const noAnswer: Answer = { kind: 'none', status: null, code: null, body: noBody, stream: null }

/** Reads the answer of an exchange with this operation. */
export function answerOf(exchange: Exchange, operation: OperationId | null): Answer {
  const { response, ending } = exchange
  if (response === null) return noAnswer
  const { status } = response
  const whole = ending === 'complete'
  const streams = operation !== null && operations[operation].stream !== null
  if (streams && status < 300) return streamAnswer(response, whole)
  const body = responseJson(response.pieces)
  if (isUnreadable(body)) return unread(status, body)
  const code = body.kind === 'json' ? textField(body.value, 'error_code') : null
  return { kind: kindOf(status, code, whole), status, code, body, stream: null }
}

/**
 * Deep JSON is JSON, and the contract sets no limit: a body that the suite does not read decides nothing, like a
 * truncated one.
 */
const unread = (status: number, body: JsonBody): Answer => ({ kind: 'none', status, code: null, body, stream: null })

function streamAnswer(response: RecordedResponse, whole: boolean): Answer {
  const { status } = response
  // No rule covers a repeated key in a chunk.
  const stream = decodeStream(response.pieces, { findsDuplicateKeys: false })
  const deep = stream.lines.find(({ text, error }) => error === null && isTooDeep(text))
  if (deep !== undefined) return unread(status, { kind: 'malformed', text: '', fault: 'deep' })
  const only = stream.lines.length === 1 ? stream.lines[0] : undefined
  const code = only === undefined ? errorOfDocument(stream, response) : textField(only.value, 'error_code')
  if (code === null)
    return { kind: kindOf(status, null, whole), status, code, body: noBody, stream: readStream(stream) }
  return { kind: kindOf(status, code, whole), status, code, body: responseJson(response.pieces), stream: null }
}

/** An error body may be pretty-printed over several lines. */
function errorOfDocument(stream: DecodedStream, response: RecordedResponse): string | null {
  if (stream.lines.length === 0 || stream.lines[0]?.text.trimStart().startsWith('{') !== true) return null
  if (stream.lines.every(({ error }) => error === null)) return null
  const body = responseJson(response.pieces)
  return body.kind === 'json' ? textField(body.value, 'error_code') : null
}

function kindOf(status: number, code: string | null, whole: boolean): AnswerKind {
  if (code !== null) return environmentalCodes.has(code) ? 'environmental' : 'rejected'
  if (status >= 400) return isGatewayStatus(status) ? 'environmental' : whole ? 'bare' : 'none'
  if (status >= 300) return 'redirect'
  return whole ? 'accepted' : 'none'
}

/** Statuses that something before the service gives when the service is not there, slow or busy. */
const isGatewayStatus = (status: number): boolean =>
  status === 408 || status === 429 || (status >= 502 && status <= 504) || (status >= 520 && status <= 530)

/**
 * Finds values in an answer that later requests may use: ids, cursors, signed URLs. They are found by their form, not by a
 * table of fields, since the contract leaves some of the fields open.
 */
import type { OperationId } from '../../spec/index.ts'
import { textOfPieces } from '../trace/bytes.ts'
import type { Exchange, RecordedResponse } from '../trace/exchange.ts'
import { jsonValue } from '../trace/json-depth.ts'

export interface CapturedValue {
  readonly value: string
  /** JSON pointer in the document, or in the line of a stream. */
  readonly pointer: string
  readonly line: number | null
}

/** Shorter strings are words, not ids. */
const shortestId = 8
/** The number of stream lines that are searched: the first chunk has all the ids. */
const mostLines = 1
const known = new WeakMap<Exchange, readonly CapturedValue[]>()

/** The ids, cursors and URLs in an answer, in its order. */
export function capturedValuesOf(exchange: Exchange): readonly CapturedValue[] {
  const found = known.get(exchange) ?? findProducts(exchange)
  known.set(exchange, found)
  return found
}

/** The operation of an exchange by the intent of its probe. */
export function operationOf(exchange: Exchange): OperationId | null {
  return exchange.intent?.operation ?? null
}

/** A refusal yields nothing, and a value from the request is not a product of its answer. */
function findProducts(exchange: Exchange): readonly CapturedValue[] {
  const { response } = exchange
  if (response === null || response.status >= 400) return []
  const sent = requestText(exchange)
  return stringsOf(response).filter(({ value, pointer }) => looksProduced(value, pointer) && !mentions(sent, value))
}

function stringsOf(response: RecordedResponse): readonly CapturedValue[] {
  const text = textOfPieces(response.pieces)
  const whole = jsonValue(text)
  if (whole !== undefined) return stringsIn(whole, '').map((product) => ({ ...product, line: null }))
  return text
    .split('\n', mostLines)
    .flatMap((one, line) => stringsIn(jsonValue(one), '').map((product) => ({ ...product, line })))
}

function stringsIn(value: unknown, pointer: string): readonly Omit<CapturedValue, 'line'>[] {
  if (typeof value === 'string') return [{ value, pointer }]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) =>
    stringsIn(inner, `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`),
  )
}

/** No blanks, long enough, and with a digit, unless it is a cursor: prose, roles and other words are not identifiers. */
function looksProduced(value: string, pointer: string): boolean {
  if (value.length < shortestId || value.length > 4096 || /\s/.test(value)) return false
  // Half of a surrogate pair cannot be percent-encoded, and so stands in no URL.
  if (!value.isWellFormed()) return false
  return pointer.endsWith('/cursor') || (/\d/.test(value) && !/^\d{4}-\d\d-\d\dT/.test(value))
}

/** The URL and the body of a request, where products of earlier answers may stand. */
export function requestText({ request }: Exchange): string {
  const body = request.body !== null && 'utf8' in request.body ? request.body.utf8 : ''
  return `${request.url}\n${body}`
}

/** Whether a product stands in a text as it is or percent-encoded, and not as a part of a longer word. */
export const mentions = (text: string, value: string): boolean =>
  (text.includes(value) || text.includes(encodeURIComponent(value))) && wholeText([value]).test(text)

/** Finds any of the values in a text, each as a whole word and as it is or percent-encoded, the longest first. */
export function wholeText(values: readonly string[]): RegExp {
  const spellings = [...new Set(values.flatMap((value) => [value, encodeURIComponent(value)]))]
  const longestFirst = spellings.sort((left, right) => right.length - left.length).map(escaped)
  return new RegExp(`(?<!\\w)(?:${longestFirst.join('|')})(?!\\w)`, 'g')
}

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\/-]/g, '\\$&')

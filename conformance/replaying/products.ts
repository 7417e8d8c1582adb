/**
 * What an answer gives that later requests may be made of: ids, cursors, signed URLs. Found by their looks, not by a table
 * of fields, since the contract leaves some of the fields open.
 */
import type { OperationId } from '../../spec/index.ts'
import { textOfPieces } from '../bytes.ts'
import type { Exchange } from '../exchange.ts'

export interface Product {
  readonly value: string
  /** JSON pointer in the document, or in the line of a stream. */
  readonly pointer: string
  readonly line: number | null
}

/** Shorter strings are words, not ids. */
const shortestId = 8
/** So many lines of a stream are looked through: its first chunk has all the ids. */
const mostLines = 1
const known = new WeakMap<Exchange, readonly Product[]>()

/** The ids, cursors and URLs in an answer, in its order. */
export function productsOf(exchange: Exchange): readonly Product[] {
  const found = known.get(exchange) ?? findProducts(exchange)
  known.set(exchange, found)
  return found
}

/** The operation that an exchange belongs to by what its probe meant. */
export function operationOf(exchange: Exchange): OperationId | null {
  return exchange.intent?.operation ?? null
}

function findProducts({ response }: Exchange): readonly Product[] {
  if (response === null) return []
  const text = textOfPieces(response.pieces)
  const whole = parse(text)
  if (whole !== undefined) return stringsIn(whole, '').map((product) => ({ ...product, line: null }))
  return text
    .split('\n', mostLines)
    .flatMap((one, line) => stringsIn(parse(one), '').map((product) => ({ ...product, line })))
}

function stringsIn(value: unknown, pointer: string): readonly Omit<Product, 'line'>[] {
  if (typeof value === 'string') return looksProduced(value) ? [{ value, pointer }] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) =>
    stringsIn(inner, `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`),
  )
}

/** No blanks and long enough: prose and role names are not produced for later use. */
function looksProduced(value: string): boolean {
  return value.length >= shortestId && value.length <= 4096 && !/\s/.test(value) && !/^\d{4}-\d\d-\d\dT/.test(value)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

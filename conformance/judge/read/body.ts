/**
 * Decodes recorded pieces strictly to text and JSON. Bytes that are not UTF-8 and text that is not JSON stay visible as
 * such.
 */
import { bytesOf, joinPieces } from '../../trace/bytes.ts'
import type { Bytes, ReceivedPiece } from '../../trace/exchange.ts'
import { isTooDeep } from '../../trace/json-depth.ts'

/** A body as JSON: nothing there, one document, or something else. */
export type JsonBody =
  | { readonly kind: 'none' }
  | JsonDocument
  | { readonly kind: 'malformed'; readonly text: string; readonly fault: 'utf-8' | 'json' | 'cut' | 'deep' }

/** A text that is JSON. */
export class JsonDocument {
  readonly kind = 'json'
  readonly text: string
  readonly value: unknown
  /** Whether a byte order mark stood before the text, which a reader may pass over or refuse. */
  readonly isMarked: boolean
  #plain: string | null = null

  constructor(text: string, value: unknown, isMarked: boolean) {
    this.text = text
    this.value = value
    this.isMarked = isMarked
  }

  /** The plainest spelling of the value; written once, since several rules compare with it, and kept only when it is another. */
  get plain(): string {
    if (this.#plain === null) {
      const plain = JSON.stringify(this.value)
      this.#plain = plain === this.text ? this.text : plain
    }
    return this.#plain
  }
}

const strict = new TextDecoder('utf-8', { fatal: true })
const none = { kind: 'none' } as const

/** Makes JSON out of a whole text; another way than {@link parseJson} may know the text already. */
export type ParseText = (text: string) => JsonBody

/** The request's body. */
export function requestJson(body: Bytes | null, parse: ParseText = parseJson): JsonBody {
  if (body === null) return none
  return 'utf8' in body ? parse(body.utf8) : decode(bytesOf(body))
}

/** The response's body; a byte order mark at its start is passed over, as RFC 8259 allows. */
export function responseJson(pieces: readonly ReceivedPiece[]): JsonBody {
  const [only] = pieces
  if (only !== undefined && pieces.length === 1) return requestJson(only.bytes)
  if (pieces.every(({ bytes }) => 'utf8' in bytes)) {
    return parseJson(pieces.map(({ bytes }) => ('utf8' in bytes ? bytes.utf8 : '')).join(''))
  }
  return decode(joinPieces(pieces))
}

function decode(raw: Uint8Array): JsonBody {
  try {
    return parseJson(strict.decode(raw))
  } catch {
    return { kind: 'malformed', text: new TextDecoder().decode(raw), fault: 'utf-8' }
  }
}

/** Whether it is nested deeper than is read; nothing is wrong with it otherwise. */
export const isUnreadable = (body: JsonBody): boolean => body.kind === 'malformed' && body.fault === 'deep'

/** A text as one JSON document. */
export function parseJson(given: string): JsonBody {
  const isMarked = given.startsWith('\uFEFF')
  const text = isMarked ? given.slice(1) : given
  if (text === '') return none
  try {
    const value: unknown = JSON.parse(text)
    // No text is kept, since scanning it would amount to reading it.
    return isTooDeep(text) ? { kind: 'malformed', text: '', fault: 'deep' } : new JsonDocument(text, value, isMarked)
  } catch {
    return { kind: 'malformed', text, fault: 'json' }
  }
}

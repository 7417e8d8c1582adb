/** Distinguishes streamed responses from whole ones, and finds the stored message of a stream. */
import { operations } from '../../spec/index.ts'
import { bodyBuffer, utf8Of } from '../body-text.ts'
import { headerValue } from '../header-value.ts'
import type { ReportedExchange } from '../report.ts'
import type { StoredText } from './page-data-shape.ts'

/** Whether the response is a stream, in however many pieces it came: a held back stream comes in one. */
export function isStream({ intent, response }: ReportedExchange): boolean {
  if (response === null || response.status >= 300 || response.pieces.length === 0) return false
  const mediaType = headerValue(response.headers, 'content-type') ?? ''
  const operation = intent?.operation ?? null
  return /ndjson|jsonl|json-seq/i.test(mediaType) || (operation !== null && operations[operation].stream !== null)
}

/** Contents of listed messages, by message id: the first list that shows each. */
export function storedTexts(exchanges: readonly ReportedExchange[]): ReadonlyMap<string, StoredText> {
  const texts = new Map<string, StoredText>()
  for (const { id, intent, response } of exchanges) {
    if (intent?.operation !== 'listMessages' || response === null) continue
    for (const { id: message, content } of itemsIn(utf8Of(bodyBuffer(response.pieces)) ?? '')) {
      if (typeof message !== 'string' || typeof content !== 'string' || texts.has(message)) continue
      texts.set(message, { exchange: id, content })
    }
  }
  return texts
}

/** The stored message of a stream; `null` when no list of the run shows it. */
export function storedTextOf(exchange: ReportedExchange, texts: ReadonlyMap<string, StoredText>): StoredText | null {
  if (!isStream(exchange)) return null
  const body = utf8Of(bodyBuffer(exchange.response?.pieces ?? [])) ?? ''
  const message = /"message_id"\s*:\s*"([^"]+)"/.exec(body)?.[1]
  return texts.get(message ?? '') ?? null
}

function itemsIn(text: string): readonly Readonly<Record<string, unknown>>[] {
  try {
    const { items } = JSON.parse(text) as { readonly items?: unknown }
    return Array.isArray(items) ? items.filter((item) => typeof item === 'object' && item !== null) : []
  } catch {
    return []
  }
}

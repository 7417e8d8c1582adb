/** Reads the value of a body in the journal: a document, or the chunks of a stream as a list. */
import type { ResponseHead } from '../exchange/sink.ts'

/** A text as JSON, `undefined` when it is none. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The value of an answer, `undefined` when it has none. */
export function answerValue(head: ResponseHead | null, text: string): unknown {
  if (!/ndjson|jsonl/.test(head?.headers['content-type'] ?? '')) return jsonOf(text)
  return text.split('\n').flatMap((line) => jsonOf(line) ?? [])
}

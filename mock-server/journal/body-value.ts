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

/** How deep a value may be nested to be shown; the mock itself answers nothing deeper than 64. */
export const shownDepth = 128

/** The value, `undefined` when it is nested so deep that writing it as JSON again would exhaust the stack. */
export function shallow(value: unknown): unknown {
  return isShallow(value) ? value : undefined
}

/** Whether a value is nested no deeper than what is shown. */
export function isShallow(value: unknown, depth = shownDepth): boolean {
  if (typeof value !== 'object' || value === null) return true
  return depth > 0 && Object.values(value).every((inner) => isShallow(inner, depth - 1))
}

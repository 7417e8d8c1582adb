/**
 * Separates the chunks of a stream from the lines that report an error. The contract does not show the form of such
 * lines.
 */
import type { DecodedLine, DecodedStream } from '../../trace/ndjson/ndjson.ts'
import { fieldOf, hasField, isObject, textField } from './json.ts'

/** A stream with its lines classified once, since many oracles need them. */
export interface ReadStream extends DecodedStream {
  /** Lines that hold a JSON object and are not an error inside the stream. */
  readonly chunks: readonly DecodedLine[]
  /** Whether a line is an error body instead of a chunk. */
  readonly tellsError: boolean
  /** Whether every line could be read. */
  readonly isLegible: boolean
}

/** Classifies the lines of a stream. */
export function readStream({ lines, problems }: DecodedStream): ReadStream {
  const chunks = lines.filter(({ value }) => isObject(value) && !isErrorLine(value))
  shareNames(chunks)
  return {
    lines,
    problems,
    // Nearly every line is a chunk, and then one list does for both.
    chunks: chunks.length === lines.length ? lines : chunks,
    tellsError: chunks.length < lines.length && lines.some(({ value }) => isErrorLine(value)),
    isLegible: lines.every(({ error }) => error === null),
  }
}

/** All chunks of a stream carry the same two ids as a rule: with one string for each, comparison by reference suffices. */
function shareNames(chunks: readonly DecodedLine[]): void {
  const last: Record<(typeof names)[number], unknown> = { message_id: undefined, thread_id: undefined }
  for (const { value } of chunks as readonly { readonly value: Record<string, unknown> }[]) {
    for (const name of names) {
      const found = fieldOf(value, name)
      if (typeof found === 'string' && found === last[name]) value[name] = last[name]
      else last[name] = found
    }
  }
}

const names = ['message_id', 'thread_id'] as const

/** An error body, or what services and gateways write instead of one. A line with a delta is a chunk all the same. */
const isErrorLine = (value: unknown): boolean =>
  !hasField(value, 'delta') &&
  (textField(value, 'error_code') !== null || hasField(value, 'error') || textField(value, 'type') === 'error')

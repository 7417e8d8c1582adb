/**
 * Separates the chunks of a stream from the lines that report an error. The contract does not show the form of such
 * lines.
 */
import type { DecodedLine, DecodedStream } from '../../trace/ndjson/ndjson.ts'
import { fieldOf, hasField, isObject, textField } from './json.ts'
import type { ParsedExchange } from './parsed-exchange.ts'

/** A stream with its lines sorted out once, since many oracles ask. */
export interface ReadStream extends DecodedStream {
  /** Lines that hold a JSON object and are no error told inside the stream. */
  readonly chunks: readonly DecodedLine[]
  /** Whether a line is an error body instead of a chunk. */
  readonly tellsError: boolean
  /** Whether every line could be read. */
  readonly isLegible: boolean
}

/** Sorts out the lines of a stream. */
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

/** All chunks of a stream carry the same two ids as a rule: one string for each is equal at a glance. */
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

const isErrorLine = (value: unknown): boolean => textField(value, 'error_code') !== null && !hasField(value, 'delta')

const none: readonly DecodedLine[] = []

/** The chunks of an answer; none when it is no stream. */
export const chunksOf = ({ answer }: ParsedExchange): readonly DecodedLine[] => answer.stream?.chunks ?? none

/** The threads that the chunks of a stream name, one as a rule. */
export const streamedThreads = (parsed: ParsedExchange): ReadonlySet<string> =>
  new Set(chunksOf(parsed).flatMap(({ value }) => textField(value, 'thread_id') ?? []))

/** Whether the service told of an error after the stream had started. */
export const brokeInside = ({ answer }: ParsedExchange): boolean => answer.stream?.tellsError ?? false

/** Whether all of a stream came, as far as its end tells: no cut, no error inside, every line whole. */
export const isWholeStream = ({ answer: { kind, stream } }: ParsedExchange): boolean =>
  kind === 'accepted' && stream?.isLegible === true && !stream.tellsError

/** The fragments of a whole text stream put together; `null` when one is missing or is no text. */
export function joinedText(parsed: ParsedExchange): string | null {
  if (!isWholeStream(parsed)) return null
  const fragments = chunksOf(parsed).map(({ value }) => textField(fieldOf(value, 'delta'), 'content'))
  return fragments.length === 0 || fragments.includes(null) ? null : fragments.join('')
}

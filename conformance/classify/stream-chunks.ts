/**
 * The chunks of a stream: its lines without the ones that tell of an error, whose form the contract does not show.
 */
import type { DecodedLine } from '../ndjson.ts'
import { fieldOf, hasField, isObject, textField } from './json.ts'
import type { Reading } from './reading.ts'

/** Lines that hold a JSON object and are no error told inside the stream. */
export const chunksOf = (reading: Reading): readonly DecodedLine[] =>
  reading.answer.stream?.lines.filter(({ value }) => isObject(value) && !isErrorLine(value)) ?? []

/** Whether a line is an error body instead of a chunk. */
export const isErrorLine = (value: unknown): boolean =>
  textField(value, 'error_code') !== null && !hasField(value, 'delta')

/** Whether the service told of an error after the stream had started. */
export const brokeInside = (reading: Reading): boolean =>
  reading.answer.stream?.lines.some(({ value }) => isErrorLine(value)) ?? false

/** Whether all of a stream came, as far as its end tells: no cut, no error inside, every line whole. */
export const isWholeStream = (reading: Reading): boolean =>
  reading.answer.kind === 'accepted' &&
  reading.answer.stream !== null &&
  reading.answer.stream.lines.every(({ error }) => error === null) &&
  !brokeInside(reading)

/** The fragments of a whole text stream put together; `null` when one is missing or is no text. */
export function joinedText(reading: Reading): string | null {
  if (!isWholeStream(reading)) return null
  const fragments = chunksOf(reading).map(({ value }) => textField(fieldOf(value, 'delta'), 'content'))
  return fragments.length === 0 || fragments.includes(null) ? null : fragments.join('')
}

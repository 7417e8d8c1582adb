/** Reads the chunks of a streamed answer, the threads that they name, and their text. */
import type { DecodedLine } from '../../trace/ndjson/ndjson.ts'
import { fieldOf, textField } from './json.ts'
import type { ParsedExchange } from './parsed-exchange.ts'

const none: readonly DecodedLine[] = []

/** The chunks of an answer; none when it is no stream. */
export const chunksOf = ({ answer }: ParsedExchange): readonly DecodedLine[] => answer.stream?.chunks ?? none

/** The threads that the chunks of a stream name, one as a rule. */
export const streamedThreads = (parsed: ParsedExchange): ReadonlySet<string> =>
  new Set(chunksOf(parsed).flatMap(({ value }) => textField(value, 'thread_id') ?? []))

/** The one thread that the chunks of a stream name; `null` for none, and for several, which breaks a rule of its own. */
export function streamedThread(parsed: ParsedExchange): string | null {
  const [thread, ...more] = streamedThreads(parsed)
  return thread === undefined || more.length > 0 ? null : thread
}

/** Whether the service reported an error after the stream had started. */
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

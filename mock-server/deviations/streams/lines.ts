/** Deviations of chapter streams in the bytes: lines, encoding, pace, the end. */

import type { HookOverride } from '../../exchange/hooks.ts'
import type { InFlightRequest } from '../../exchange/in-flight-request.ts'
import { appliesTo, type Where } from '../../overrides/replies.ts'
import { overrideDrafts, overrideLine, streamedOperations } from '../../overrides/streams.ts'
import { cesu8, hasAstral, hasNonAscii } from '../../overrides/text-corruption.ts'
import { type DeviationTable, deviation } from '../deviation-row.ts'

export const streamLines = {
  'streams.ndjson-lines': [
    deviation(
      'streams.sse-framing',
      'Frames every chunk as a server-sent event.',
      overrideLine(streamedOperations, (text) => `data: ${text}\n`),
    ),
    deviation(
      'streams.json-array',
      'Sends the chunks as one growing JSON array.',
      overrideLine('streamChatCompletion', (text, { index, last }) => {
        return `${index === 0 ? '[' : ','}${text.trimEnd()}${last ? ']' : ''}\n`
      }),
    ),
    deviation(
      'streams.pretty-printed',
      'Indents every chunk over several lines.',
      overrideLine('streamThreadRun', (text) => `${JSON.stringify(JSON.parse(text), null, 2)}\n`),
    ),
    deviation(
      'streams.no-line-feeds',
      'Writes one chunk after the other without a line feed.',
      overrideLine('streamChatCompletionEvents', (text) => text.trimEnd()),
    ),
    deviation(
      'streams.last-two-chunks-on-one-line',
      'Forgets the line feed before the last chunk, which another code path sends.',
      overrideLine(streamedOperations, (text, { index, last }) => {
        const before = index > 0 && !last ? '\n' : ''
        return `${before}${text.trimEnd()}${last ? '\n' : ''}`
      }),
      { trigger: 'the last chunk' },
    ),
    deviation(
      'streams.encoded-twice',
      'Serialises every chunk twice, so that a line is a JSON string.',
      overrideLine('streamThreadRun', (text) => `${JSON.stringify(text.trimEnd())}\n`),
    ),
    deviation(
      'streams.done-marker',
      'Ends the stream with the marker [DONE] of another vendor.',
      overrideLine('streamChatCompletion', (text, { last }) => (last ? `${text}[DONE]\n` : text)),
      { trigger: 'behind the last chunk' },
    ),
    deviation(
      'streams.raw-line-feed-in-text',
      'Writes line feeds inside of a text unescaped.',
      overrideLine(streamedOperations, (text) => text.replaceAll('\\n', '\n')),
      { trigger: 'an answer that holds a line feed' },
    ),
    deviation(
      'streams.lines-end-at-separators',
      'Splits what it sends at all that Unicode counts as the end of a line.',
      overrideLine(streamedOperations, (text) => text.replace(/[\u0085\u2029]/g, '\n')),
      { trigger: 'an answer with U+0085 or U+2029' },
    ),
    deviation(
      'streams.comment-heartbeat',
      'Sends a comment line as a heartbeat before the first chunk.',
      overrideLine('streamThreadRun', (text, { index }) => (index === 0 ? `: keep-alive\n${text}` : text)),
      { trigger: 'before the first chunk' },
    ),
  ],
  'streams.utf8': [
    deviation(
      'streams.latin-1',
      'Encodes the stream as Latin-1.',
      overrideLine(streamedOperations, (text) => (hasNonAscii(text) ? Buffer.from(text, 'latin1') : text)),
      { trigger: 'an answer beyond ASCII' },
    ),
    deviation(
      'streams.cesu-8',
      'Encodes characters beyond the BMP as two surrogates of three bytes each.',
      overrideLine(streamedOperations, (text) => (hasAstral(text) ? cesu8(text) : text)),
      { trigger: 'an answer beyond the BMP' },
    ),
    deviation(
      'streams.character-cut-at-border',
      'Cuts a multi-byte character at the border of a chunk and loses its last byte.',
      overrideLine('streamThreadRun', (text) => withoutContinuation(text)),
      { trigger: 'an answer beyond ASCII' },
    ),
    deviation(
      'streams.blocks-cut-inside-characters',
      'Writes U+FFFD for a character that the border of two blocks cuts.',
      overrideLine('streamChatCompletionEvents', (text) => text.replace(/[\u0080-\u{10ffff}]/u, '\ufffd\ufffd')),
      { trigger: 'an answer beyond ASCII' },
    ),
    deviation(
      'streams.byte-order-mark',
      'Begins a streamed completion with a byte order mark.',
      overrideLine('streamChatCompletion', (text, { index }) => (index === 0 ? `\uFEFF${text}` : text)),
      { trigger: 'the first chunk' },
    ),
  ],
  'streams.not-empty': [
    deviation(
      'streams.run-without-chunks',
      'Ends a streamed run without a chunk.',
      overrideDrafts('streamThreadRun', () => []),
    ),
    deviation(
      'streams.completion-without-chunks',
      'Ends a streamed completion in a thread that has been answered before without a chunk.',
      overrideDrafts('streamChatCompletion', (drafts, exchange) => (streamsBefore(exchange) ? [] : drafts)),
      { trigger: 'not the first answer of its thread' },
    ),
    deviation(
      'streams.events-with-reasoning-only',
      'Sends the reasoning blocks of an answer and no others.',
      overrideDrafts('streamChatCompletionEvents', (drafts) =>
        drafts.filter(({ delta }) => JSON.stringify(delta).includes('"reasoning"')),
      ),
      { trigger: 'an answer without reasoning' },
    ),
  ],
  'streams.progressive': [
    deviation(
      'streams.sent-in-one-lump',
      'Collects the whole stream before sending it.',
      held(streamedOperations, Infinity),
    ),
    deviation(
      'streams.completion-buffered-by-proxy',
      'Passes the stream on in buffers of 4,096 bytes.',
      held('streamChatCompletion', 4096),
    ),
    deviation(
      'streams.events-in-one-lump',
      'Collects the events before sending them.',
      held('streamChatCompletionEvents', Infinity),
    ),
  ],
  'streams.ends-whole': [
    deviation(
      'streams.last-line-cut',
      'Closes the response before the last line is flushed.',
      overrideLine(streamedOperations, (text, { last }) => (last ? text.slice(0, Math.floor(text.length / 2)) : text)),
      { trigger: 'the last chunk' },
    ),
    deviation(
      'streams.last-brace-missing',
      'Counts characters for the length of the last line and sends as many bytes.',
      overrideLine(streamedOperations, (text, { last }) => {
        return last && hasNonAscii(text) ? Buffer.from(text).subarray(0, text.length - 1) : text
      }),
      { trigger: 'a last chunk beyond ASCII' },
    ),
    deviation(
      'streams.next-chunk-begun',
      'Begins another chunk after the last one and never ends it.',
      overrideLine('streamChatCompletionEvents', (text, { last }) => (last ? `${text}{"created_at":` : text)),
      { trigger: 'behind the last chunk' },
    ),
  ],
} as const satisfies Partial<DeviationTable<'streams'>>

function withoutContinuation(text: string): Uint8Array | string {
  if (!hasNonAscii(text)) return text
  const bytes = Buffer.from(text)
  const at = bytes.findIndex((byte) => byte >= 0xc0)
  return Buffer.concat([bytes.subarray(0, at + 1), bytes.subarray(at + 2)])
}

function streamsBefore({ world, command }: InFlightRequest): boolean {
  const threadId = command?.operation === 'streamChatCompletion' ? command.threadId : null
  return threadId !== null && (world.state.threads.get(threadId)?.answers ?? 0) > 0
}

/** Holds lines back until this many bytes are buffered, or until the last line. */
function held(where: Where, capacityBytes: number): HookOverride {
  return {
    hook: 'line',
    wrap: (next) => {
      const waiting = new WeakMap<InFlightRequest, Uint8Array>()
      return (bytes, place, exchange) => {
        const faithful = next(bytes, place, exchange)
        if (!appliesTo(where, exchange.operation)) return faithful
        const all = Buffer.concat([waiting.get(exchange) ?? Buffer.alloc(0), faithful])
        const full = place.last || all.length >= capacityBytes
        waiting.set(exchange, full ? Buffer.alloc(0) : all)
        return full ? all : Buffer.alloc(0)
      }
    },
  }
}

/** Legal ways to stream: media types, line ends, sizes of chunks, where sources and blocks come. */

import type { HookOverride } from '../exchange/hooks.ts'
import type { ChunkDraft } from '../machine/chunk.ts'
import { fieldOf, mergedDrafts } from '../overrides/chunk-drafts.ts'
import { overrideHeaders } from '../overrides/heads.ts'
import { isObject } from '../overrides/json-edit.ts'
import { everyChunk, overrideChunk, overrideChunkDelta, overrideDrafts, overrideLine } from '../overrides/streams.ts'
import type { Variant } from './variant.ts'

const mediaType = (type: string): HookOverride =>
  overrideHeaders((headers) =>
    headers['content-type'] === 'application/x-ndjson' ? { ...headers, 'content-type': type } : headers,
  )

/** A chunk without text around the others. */
const empty = (draft: ChunkDraft): ChunkDraft => ({
  ...draft,
  delta: { [fieldOf(draft)]: fieldOf(draft) === 'content' ? '' : [], role: 'assistant', sources: [] },
})

const perCharacter = (drafts: readonly ChunkDraft[]): readonly ChunkDraft[] =>
  drafts.flatMap((draft) => {
    const text = draft.delta.content
    if (typeof text !== 'string' || text.length < 2) return [draft]
    const characters = [...text]
    return characters.map((content, index) => ({
      ...draft,
      delta: { ...draft.delta, content, sources: index === characters.length - 1 ? (draft.delta.sources ?? []) : [] },
    }))
  })

export const streamVariants: readonly Variant[] = [
  ...[
    'application/ndjson',
    'application/jsonl',
    'application/x-ndjson; charset=utf-8',
    'text/plain; charset=utf-8',
  ].map(
    (type): Variant => ({
      id: `streams.media-type-${type.replace(/[^a-z]+/g, '-')}`,
      because: 'streams.media-type',
      description: `Streams have the media type ${type}.`,
      overrides: [mediaType(type)],
    }),
  ),
  {
    id: 'streams.crlf',
    because: 'streams.line-end',
    description: 'Lines end with CR LF.',
    overrides: [overrideLine('any', (line) => line.replace(/\n$/, '\r\n'))],
  },
  {
    id: 'streams.no-final-newline',
    because: 'streams.final-newline',
    description: 'The last line has no line feed.',
    overrides: [overrideLine('any', (line, { last }) => (last ? line.trimEnd() : line))],
  },
  {
    id: 'streams.crlf-no-final-newline',
    because: 'streams.final-newline',
    description: 'Lines end with CR LF, the last with nothing.',
    overrides: [overrideLine('any', (line, { last }) => (last ? line.trimEnd() : line.replace(/\n$/, '\r\n')))],
  },
  {
    id: 'streams.heartbeats',
    because: 'streams.blank-lines',
    description: 'Blank lines come between the chunks.',
    overrides: [overrideLine('any', (line) => `\n${line}\n`)],
  },
  {
    id: 'streams.spaced-json',
    because: { freedom: 'A line may hold blanks around and inside its JSON object (RFC 8259).' },
    description: 'Lines have blanks after colons and commas, and around the object.',
    // The line feeds of the indented form stand between tokens alone; those in strings are escaped.
    overrides: [
      overrideLine('any', (line) => `  ${JSON.stringify(JSON.parse(line), null, 1).replace(/\n */g, ' ')} \n`),
    ],
  },
  {
    id: 'streams.ascii-lines',
    because: { freedom: 'The same JSON value in another spelling (RFC 8259).' },
    description: 'Everything beyond ASCII is escaped.',
    overrides: [
      overrideLine('any', (line) =>
        line.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
      ),
    ],
  },
  {
    id: 'streams.one-chunk',
    because: { freedom: 'The contract does not say how many chunks an answer has.' },
    description: 'The whole answer comes in one chunk.',
    overrides: [overrideDrafts('any', mergedDrafts)],
  },
  {
    id: 'streams.a-chunk-per-character',
    because: { freedom: 'The contract does not say how many chunks an answer has.' },
    description: 'Every character has a chunk of its own.',
    overrides: [overrideDrafts('any', perCharacter)],
  },
  {
    id: 'streams.empty-first-delta',
    because: { freedom: 'A fragment may be empty.' },
    description: 'The first chunk opens the stream and has no text.',
    overrides: [overrideDrafts('any', (drafts) => (drafts[0] === undefined ? drafts : [empty(drafts[0]), ...drafts]))],
  },
  {
    id: 'streams.empty-last-delta',
    because: { freedom: 'A fragment may be empty.' },
    description: 'A last chunk without text closes the stream.',
    overrides: [
      overrideDrafts('any', (drafts) => {
        const last = drafts.at(-1)
        return last === undefined ? drafts : [...drafts, empty(last)]
      }),
    ],
  },
  {
    id: 'streams.sources-first',
    because: 'streams.when-sources-come',
    description: 'The sources come with the first chunk.',
    overrides: [overrideDrafts('any', (drafts) => withSources(drafts, (index) => index === 0))],
  },
  {
    id: 'streams.sources-always',
    because: 'streams.when-sources-come',
    description: 'The sources come with every chunk.',
    overrides: [overrideDrafts('any', (drafts) => withSources(drafts, () => true))],
  },
  {
    id: 'streams.more-in-chunks',
    because: { freedom: 'The contract does not say that objects are closed.' },
    description: 'Chunks and deltas carry an index, a finish reason and the time that was spent.',
    overrides: [
      overrideChunkDelta((delta, { last }) => ({ ...delta, finish_reason: last ? 'stop' : null })),
      overrideChunk('any', everyChunk, (chunk, place) =>
        isObject(chunk) ? { ...chunk, index: place.index, spent_ms: 1.5 } : chunk,
      ),
    ],
  },
  {
    id: 'streams.one-created-at',
    because: { freedom: 'created_at of a chunk may be that of its message.' },
    description: 'All chunks of a stream have the same created_at.',
    overrides: [
      {
        hook: 'chunk',
        wrap: (next) => {
          const first = new WeakMap<object, unknown>()
          return (chunk, place, exchange) => {
            const sent = next(chunk, place, exchange)
            if (!isObject(sent)) return sent
            if (!first.has(exchange)) first.set(exchange, sent.created_at)
            return { ...sent, created_at: first.get(exchange) }
          }
        },
      },
    ],
  },
  {
    id: 'streams.unknown-blocks',
    because: 'streams.other-block-types',
    description: 'Blocks of other types come between those of the answer.',
    overrides: [
      overrideChunkDelta((delta) =>
        Array.isArray(delta.content_blocks)
          ? {
              ...delta,
              content_blocks: [
                { type: 'plan', steps: ['read', 'answer'] },
                ...delta.content_blocks,
                { type: 'usage', tokens: 3 },
              ],
            }
          : delta,
      ),
    ],
  },
  {
    id: 'streams.no-reasoning',
    because: 'streams.other-block-types',
    description: 'The content-blocks stream holds no reasoning.',
    overrides: [
      overrideDrafts('any', (drafts) => {
        const kept = drafts.filter(({ delta }) => !JSON.stringify(delta).includes('"type":"reasoning"'))
        return kept.length === 0 ? drafts : kept
      }),
    ],
  },
  {
    id: 'streams.whole-assistant-streams-one-chunk',
    because: 'streams.completion-without-support',
    description: 'A streamed completion with an assistant that does not stream gets one whole chunk.',
    overrides: [
      {
        hook: 'checkRule',
        wrap: (next) => (reason, broken, context) =>
          next(
            reason,
            broken && !(reason === 'streaming-not-supported' && context.command.operation !== 'streamThreadRun'),
            context,
          ),
      },
    ],
  },
]

const withSources = (drafts: readonly ChunkDraft[], here: (index: number) => boolean): readonly ChunkDraft[] => {
  const sources = drafts.at(-1)?.delta.sources ?? []
  return drafts.map((draft, index) => ({ ...draft, delta: { ...draft.delta, sources: here(index) ? sources : [] } }))
}

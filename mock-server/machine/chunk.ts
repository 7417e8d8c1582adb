/**
 * An answer cut into chunks: fragments, blocks and the moment each one is due, all keyed by the run.
 * The deltas joined are the stored content, in order and to the character (contract: Stream chunk).
 */

import { derive, drawsFrom } from '../randomness/key.ts'
import type { Json, JsonObject, Latency } from '../scenario/scenario.ts'
import type { Answer, Cut, Run } from './run.ts'

/** One chunk before it is stamped and sent. */
export interface ChunkDraft {
  readonly delta: JsonObject
  /** Milliseconds after the run was accepted. */
  readonly dueMs: number
}

/** The chunks of a run, each made when it is asked for: a thousand paced streams would otherwise hold all of theirs. */
export interface ChunkDrafts {
  readonly length: number
  at(index: number): ChunkDraft | undefined
}

/** The chunks of a run in the variant of its operation. */
export function draftChunks(run: Run): ChunkDrafts {
  const parts = run.operation === 'streamChatCompletionEvents' ? blockParts(run) : [textPart(run)]
  const length = parts.reduce((count, { borders }) => count + borders.length, 0)
  const dues = duesMs(run, length)
  return {
    length,
    at(index) {
      if (index >= length) return undefined
      return { delta: deltaAt(run.answer, parts, index, index === length - 1), dueMs: dues[index] ?? 0 }
    },
  }
}

/** A chunk that says another text; an `extra` one is beside those of the answer, without its sources and calls. */
export function withText({ delta, dueMs }: ChunkDraft, text: string, extra = false): ChunkDraft {
  const said = 'content' in delta ? { content: text } : { content_blocks: [{ type: 'text', text }] }
  const kept = extra ? { role: 'assistant', sources: [] } : delta
  return { delta: { ...said, ...kept, ...said }, dueMs }
}

/** All of them, for overrides that change them. */
export function allDrafts(drafts: ChunkDrafts): readonly ChunkDraft[] {
  return Array.from({ length: drafts.length }, (_, index) => drafts.at(index)).filter((draft) => draft !== undefined)
}

/** The duration of a whole answer, equal to that of its stream. */
export function wholeDurationMs(run: Run): number {
  const { first_chunk_ms, chunks_per_second } = run.latency
  if (first_chunk_ms === 0 && chunks_per_second === 0 && cutOf(run) === null) return 0
  return duesMs(run, bordersOf(run, run.answer.content, 'text').length).at(-1) ?? 0
}

/** A text and where each of its fragments ends. */
interface Part {
  readonly text: string
  readonly borders: readonly number[]
  readonly shaped: (fragment: string) => Json
  readonly field: 'content' | 'content_blocks'
}

function textPart(run: Run): Part {
  const { content } = run.answer
  return { text: content, borders: bordersOf(run, content, 'text'), shaped: (fragment) => fragment, field: 'content' }
}

function blockParts(run: Run): readonly Part[] {
  const { reasoning } = run.answer
  return [
    {
      text: reasoning,
      borders: bordersOf(run, reasoning, 'reasoning'),
      shaped: (fragment) => [{ type: 'reasoning', reasoning: fragment }],
      field: 'content_blocks',
    },
    { ...textPart(run), shaped: (fragment) => [{ type: 'text', text: fragment }], field: 'content_blocks' },
  ]
}

function deltaAt(answer: Answer, parts: readonly Part[], index: number, last: boolean): JsonObject {
  let inPart = index
  for (const { text, borders, shaped, field } of parts) {
    const end = borders[inPart]
    if (end !== undefined) return delta(answer, field, shaped(text.slice(borders[inPart - 1] ?? 0, end)), last)
    inPart -= borders.length
  }
  throw new RangeError(`a run has no chunk ${index}`)
}

/** Sources and tool calls come with the last chunk, when they are final. */
function delta(answer: Answer, field: 'content' | 'content_blocks', value: Json, last: boolean): JsonObject {
  const sources = last ? answer.sources.map((source) => ({ ...source })) : []
  // A computed name would make each of these objects a shape of its own, several times as slow to write as JSON.
  const base =
    field === 'content'
      ? { content: value, role: 'assistant', sources }
      : { content_blocks: value, role: 'assistant', sources }
  if (!last || answer.toolCalls.length === 0) return base
  return { ...base, tool_calls: answer.toolCalls.map((call) => ({ ...call, function: { ...call.function } })) }
}

const shortestFragment = 4
const longestFragment = 24

/** Cuts at code points, never inside a surrogate pair. */
function bordersOf(run: Run, text: string, purpose: string): readonly number[] {
  const cut = purpose === 'text' ? cutOf(run) : null
  if (cut !== null) return cut.borders
  const draw = drawsFrom(derive(run.key, `borders of ${purpose}`))
  const borders: number[] = []
  for (let start = 0; start < text.length; ) {
    let end = start + shortestFragment + Math.floor(draw() * (longestFragment - shortestFragment + 1))
    if (isInsidePair(text, end)) end += 1
    start = Math.min(end, text.length)
    borders.push(start)
  }
  return borders
}

/** The cut of a script, if it matches the content. */
function cutOf({ answer: { cut, content } }: Run): Cut | null {
  return cut !== undefined && cut.text === content ? cut : null
}

function isInsidePair(text: string, at: number): boolean {
  if (at >= text.length) return false
  const before = text.charCodeAt(at - 1)
  const after = text.charCodeAt(at)
  return before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff
}

function duesMs(run: Run, count: number): readonly number[] {
  const { first_chunk_ms, chunks_per_second, jitter }: Required<Latency> = run.latency
  const pausesMs = cutOf(run)?.pausesMs ?? noPauses
  if (first_chunk_ms === 0 && chunks_per_second === 0 && pausesMs.length === 0) return []
  const draw = jitter === 0 ? noDraw : drawsFrom(derive(run.key, 'jitter'))
  const pauseMs = chunks_per_second === 0 ? 0 : 1000 / chunks_per_second
  // Blocks of reasoning come before the pieces of the text.
  const ahead = count - pausesMs.length
  const dues = new Array<number>(count)
  let dueMs = 0
  for (let index = 0; index < count; index += 1) {
    const latencyMs = (index === 0 ? first_chunk_ms : pauseMs) * (1 + jitter * (2 * draw() - 1))
    dueMs += pausesMs[index - ahead] ?? latencyMs
    dues[index] = dueMs
  }
  return dues
}

const noDraw = () => 0
const noPauses: readonly (number | null)[] = []

/**
 * An answer cut into chunks: fragments, blocks and the moment each one is due, all keyed by the run.
 * The deltas joined are the stored content, in order and to the character (contract: Stream chunk).
 */
import type { Answer, Run } from '../machine/run.ts'
import { derive, drawsFrom } from '../randomness/key.ts'
import type { Json, JsonObject, Latency } from '../scenario/scenario.ts'

/** One chunk before it is stamped and sent. */
export interface ChunkDraft {
  readonly delta: JsonObject
  /** Milliseconds after the run was accepted. */
  readonly dueMs: number
}

/** The chunks of a run in the variant of its operation. */
export function draftChunks(run: Run): readonly ChunkDraft[] {
  const deltas = run.operation === 'streamChatCompletionEvents' ? blockDeltas(run) : textDeltas(run)
  const dues = duesMs(run, deltas.length)
  return deltas.map((delta, index) => ({ delta, dueMs: dues[index] ?? 0 }))
}

/** How long a whole answer takes: as long as its stream would. */
export function wholeDurationMs(run: Run): number {
  const { first_chunk_ms, chunks_per_second } = run.latency
  if (first_chunk_ms === 0 && chunks_per_second === 0) return 0
  return duesMs(run, fragmentsOf(run, run.answer.content, 'text').length).at(-1) ?? 0
}

function textDeltas(run: Run): readonly JsonObject[] {
  const fragments = fragmentsOf(run, run.answer.content, 'text')
  return fragments.map((content, index) => delta(run.answer, 'content', content, index === fragments.length - 1))
}

function blockDeltas(run: Run): readonly JsonObject[] {
  const reasoning = fragmentsOf(run, run.answer.reasoning, 'reasoning').map((part) => ({
    type: 'reasoning',
    reasoning: part,
  }))
  const text = fragmentsOf(run, run.answer.content, 'text').map((part) => ({ type: 'text', text: part }))
  const blocks: readonly JsonObject[] = [...reasoning, ...text]
  return blocks.map((block, index) => delta(run.answer, 'content_blocks', [block], index === blocks.length - 1))
}

/** Sources and tool calls come with the last chunk, when they are known for sure. */
function delta(answer: Answer, field: 'content' | 'content_blocks', value: Json, last: boolean): JsonObject {
  const sources = last ? answer.sources.map((source) => ({ ...source })) : []
  const base = { [field]: value, role: 'assistant', sources }
  if (!last || answer.toolCalls.length === 0) return base
  return { ...base, tool_calls: answer.toolCalls.map((call) => ({ ...call, function: { ...call.function } })) }
}

const shortestFragment = 4
const longestFragment = 24

/** Cuts at code points, never inside a surrogate pair. */
function fragmentsOf(run: Run, text: string, purpose: string): readonly string[] {
  const draw = drawsFrom(derive(run.key, `borders of ${purpose}`))
  const fragments: string[] = []
  for (let start = 0; start < text.length; ) {
    let end = start + shortestFragment + Math.floor(draw() * (longestFragment - shortestFragment + 1))
    if (isInsidePair(text, end)) end += 1
    fragments.push(text.slice(start, end))
    start = end
  }
  return fragments
}

function isInsidePair(text: string, at: number): boolean {
  if (at >= text.length) return false
  const before = text.charCodeAt(at - 1)
  const after = text.charCodeAt(at)
  return before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff
}

function duesMs(run: Run, count: number): readonly number[] {
  const { first_chunk_ms, chunks_per_second, jitter }: Required<Latency> = run.latency
  if (first_chunk_ms === 0 && chunks_per_second === 0) return []
  const draw = drawsFrom(derive(run.key, 'jitter'))
  const pauseMs = chunks_per_second === 0 ? 0 : 1000 / chunks_per_second
  let dueMs = first_chunk_ms * (1 + jitter * (2 * draw() - 1))
  return Array.from({ length: count }, (_, index) => {
    if (index > 0) dueMs += pauseMs * (1 + jitter * (2 * draw() - 1))
    return dueMs
  })
}

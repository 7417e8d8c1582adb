/** Writes an answer as NDJSON, chunk by chunk, and keeps it when the stream ends. */
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { Assistant } from './assistants.ts'
import { pause, timestamp } from './clock.ts'
import { change } from './database.ts'
import type { Answer } from './engine.ts'
import { type Given, insertMessage } from './message-store.ts'
import type { Service } from './service.ts'

/** An answer on its way to the caller. */
interface StreamJob {
  readonly id: string
  readonly threadId: string
  readonly created: number
  readonly assistant: Assistant
  readonly answer: Answer
  readonly variant: 'text' | 'blocks'
  /** Called once, when the stream has ended or the caller has left. */
  readonly ended: () => void
}

type Delta = Record<string, unknown>

const betweenChunksMs = 4

/** Sends an answer as a stream. */
export function sendStream(service: Service, reply: FastifyReply, job: StreamJob): FastifyReply {
  const { fault, legal } = service
  const media = legal.has('stream_is_jsonl') ? 'application/jsonl' : 'application/x-ndjson'
  reply.type(legal.has('stream_has_charset') ? `${media}; charset=utf-8` : media)
  if (fault === 'stream_is_json_array') reply.type('application/json')
  return reply.send(Readable.from(lines(service, job)))
}

async function* lines(service: Service, job: StreamJob): AsyncGenerator<string | Buffer> {
  const { fault, legal, memory } = service
  let finished = false
  try {
    if (fault === 'stream_unfinished_is_listed') insertMessage(service, job.threadId, 'assistant', unfinished, job)
    memory.latest = job.threadId
    const chunks = chunksOf(service, job)
    for (const [index, chunk] of chunks.entries()) {
      const last = index === chunks.length - 1
      if (index > 0) await pause(betweenChunksMs)
      yield lineOf(service, chunkShown(service, job, chunk, { index, last }), { index, last })
    }
    finished = true
    if (legal.has('stream_ends_with_blank_line')) yield '\n'
  } finally {
    settle(service, job, finished)
  }
}

const unfinished = { content: '', meta_data: {}, sources: [] }

/** Cuts the answer into pieces of whole characters. */
function piecesOf({ fault, legal }: Service, content: string): readonly string[] {
  if (legal.has('stream_of_one_chunk')) return [content]
  if (fault === 'stream_multibyte_cut') {
    const bytes = Buffer.from(content)
    const size = Math.max(20, Math.ceil(bytes.length / 8))
    const count = Math.ceil(bytes.length / size)
    return Array.from({ length: count }, (_, index) => bytes.subarray(index * size, (index + 1) * size).toString())
  }
  const characters = Array.from(content)
  const size = legal.has('stream_by_character') ? 3 : Math.max(20, Math.ceil(characters.length / 8))
  const count = Math.ceil(characters.length / size)
  const pieces = Array.from({ length: count }, (_, index) =>
    characters.slice(index * size, (index + 1) * size).join(''),
  )
  if (fault === 'stream_pieces_trimmed') return pieces.map((piece) => piece.trim())
  if (fault === 'stream_pieces_cumulative') return pieces.map((_, index) => pieces.slice(0, index + 1).join(''))
  if (fault === 'stream_last_piece_lost') return pieces.slice(0, -1)
  if (fault === 'stream_long_answer_loses_piece' && content.length > 1000) return pieces.toSpliced(4, 1)
  if (fault === 'stream_first_piece_repeated' && pieces.length > 7) return [pieces[0] ?? '', ...pieces]
  return legal.has('stream_opens_empty') ? ['', ...pieces] : pieces
}

function chunksOf(service: Service, { answer, variant }: StreamJob): readonly Delta[] {
  const { fault, legal } = service
  const { content, sources, tool_calls: calls } = answer.record
  const pieces = piecesOf(service, content)
  const role = 'assistant'
  const sourcesAt = (index: number): readonly unknown[] | null => {
    const early = legal.has('stream_sources_first')
    if (legal.has('stream_sources_everywhere') || index === (early ? 0 : pieces.length - 1)) return sources
    return fault === 'stream_sources_null_between' ? null : []
  }
  const extra = (index: number): Delta => (calls && index === pieces.length - 1 ? { tool_calls: calls } : {})
  if (variant === 'text') {
    return pieces.map((piece, index) => ({ content: piece, role, sources: sourcesAt(index), ...extra(index) }))
  }
  const thoughts = legal.has('events_without_reasoning') ? [] : answer.reasoning
  const marks = legal.has('events_blocks_have_ids') ? { index: 0 } : {}
  const thinking = thoughts.map((reasoning) => ({
    content_blocks: [{ type: 'reasoning', reasoning, ...marks }],
    role,
    sources: [],
  }))
  const saying = pieces.map((text, index) => ({
    content_blocks: [{ type: 'text', text, ...marks }],
    role,
    sources: sourcesAt(index),
    ...extra(index),
  }))
  if (!legal.has('events_many_blocks_per_chunk')) return [...thinking, ...saying]
  const blocks = [...thinking, ...saying].flatMap((delta): readonly Delta[] => delta.content_blocks)
  return [{ content_blocks: blocks, role, sources, ...extra(pieces.length - 1) }]
}

interface Place {
  readonly index: number
  readonly last: boolean
}

function chunkShown(service: Service, job: StreamJob, delta: Delta, place: Place): Record<string, unknown> {
  const { fault, legal, memory, now } = service
  const { index, last } = place
  const blocks = job.variant === 'blocks'
  const time = legal.has('chunk_times_advance') ? now() : job.created
  const chunk: Record<string, unknown> = {
    created_at: timestamp(time, fault === 'stream_last_time_milliseconds' && last ? 'time_milliseconds' : fault),
    message_id: job.id,
    thread_id: job.threadId,
    delta: blocks ? blocksShown(service, delta, place) : delta,
  }
  if (fault === 'stream_delta_flat' && !blocks) return { ...chunk, delta: undefined, ...delta }
  if (fault === 'stream_role_missing' && !blocks) chunk.delta = { ...delta, role: undefined }
  if (fault === 'stream_last_role_missing' && last && !blocks) chunk.delta = { ...delta, role: undefined }
  if (fault === 'stream_message_id_per_chunk') chunk.message_id = crypto.randomUUID()
  if (fault === 'stream_last_message_id_other' && last) chunk.message_id = crypto.randomUUID()
  if (fault === 'stream_thread_id_first_only' && index > 0) delete chunk.thread_id
  if (fault === 'stream_time_missing') delete chunk.created_at
  if (fault === 'stream_overlap_thread_mixed') chunk.thread_id = memory.latest
  if (fault === 'stream_last_delta_null' && last) chunk.delta = null
  const rest = memory.leftovers.get(job.assistant.id)
  if (index === 0 && rest !== undefined) {
    memory.leftovers.delete(job.assistant.id)
    chunk.message_id = rest
  }
  return chunk
}

function blocksShown({ fault }: Service, delta: Delta, { index, last }: Place): Delta {
  const blocks = delta.content_blocks as readonly Record<string, unknown>[]
  const { content_blocks: _, ...rest } = delta
  const [first] = blocks
  const reasoning = first?.type === 'reasoning'
  if (fault === 'events_content_key')
    return { ...rest, content: blocks.map(({ text, reasoning: why }) => text ?? why).join('') }
  if (fault === 'events_block_not_listed') return { ...rest, content_blocks: first }
  if (fault === 'events_reasoning_in_text' && reasoning) {
    return { ...delta, content_blocks: [{ type: 'reasoning', text: first.reasoning }] }
  }
  if (fault === 'events_reasoning_listed' && reasoning) {
    return { ...delta, content_blocks: [{ type: 'reasoning', reasoning: [first.reasoning] }] }
  }
  if (fault === 'events_second_reasoning_null' && reasoning && index > 0) {
    return { ...delta, content_blocks: [{ type: 'reasoning', reasoning: null }] }
  }
  if (fault === 'events_type_missing')
    return { ...delta, content_blocks: blocks.map(({ type: __, ...block }) => block) }
  if (fault === 'events_role_missing') return { ...delta, role: undefined }
  if (fault === 'events_sources_missing') return { ...delta, sources: undefined }
  if (fault === 'events_last_blocks_null' && last) return { ...delta, content_blocks: null }
  return delta
}

function lineOf({ fault, legal }: Service, chunk: unknown, { index, last }: Place): string | Buffer {
  const text = JSON.stringify(chunk)
  if (fault === 'stream_is_json_array') return `${index === 0 ? '[' : ','}${text}${last ? ']' : ''}`
  if (fault === 'stream_is_server_sent') return `data: ${text}\n\n`
  if (fault === 'stream_pretty_json') return `${JSON.stringify(chunk, undefined, 2)}\n`
  if (fault === 'stream_line_breaks_raw') return `${text.replaceAll('\\n', '\n')}\n`
  if (fault === 'stream_long_lines_wrapped') return `${text.replaceAll(/(.{4096})(?=.)/g, '$1\n')}\n`
  if (fault === 'stream_chunks_without_line_end') return last ? `${text}\n` : text
  if (fault === 'stream_ends_with_done' && last) return `${text}\n[DONE]\n`
  if (fault === 'stream_latin1_text') return Buffer.from(`${text}\n`, 'latin1')
  if (legal.has('stream_lines_end_in_crlf')) return `${text}\r\n`
  return legal.has('stream_without_last_line_end') && last ? text : `${text}\n`
}

/** Keeps the whole answer, also when the caller left before its end. */
function settle(service: Service, job: StreamJob, finished: boolean): void {
  const { database, fault, legal } = service
  const { id, created, threadId, answer, variant } = job
  job.ended()
  if (fault === 'stream_unfinished_is_listed') {
    change(database, 'UPDATE messages SET record = ? WHERE id = ?', JSON.stringify(answer.record), id)
    return
  }
  if (!finished && legal.has('left_answer_dropped')) return
  if (fault === 'stream_answer_not_kept') return
  let { content } = answer.record
  if (!finished && legal.has('left_answer_cut')) content = content.slice(0, 20)
  if (!finished && fault === 'left_answer_kept_empty') content = ''
  if (fault === 'stream_kept_cut_at_1000') content = content.slice(0, 1000)
  if (fault === 'events_kept_with_reasoning' && variant === 'blocks')
    content = `${answer.reasoning.join(' ')} ${content}`
  const given: Given = fault === 'stream_kept_id_differs' ? { created } : { id, created }
  insertMessage(service, threadId, 'assistant', { ...answer.record, content }, given)
  if (finished) return
  if (fault === 'left_answer_kept_twice') insertMessage(service, threadId, 'assistant', answer.record, given)
  rememberLeft(service, job)
}

/** What a broken clean-up leaves behind after a caller left. */
function rememberLeft({ fault, memory }: Service, { id, threadId, assistant }: StreamJob): void {
  if (fault === 'left_thread_stays_locked') memory.abandonedThreads.add(threadId)
  if (fault === 'left_assistant_stays_busy') memory.busyAssistants.add(assistant.id)
  if (fault === 'left_id_in_next_stream') memory.leftovers.set(assistant.id, id)
}

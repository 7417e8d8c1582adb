/**
 * Turns chunks with their timestamps into lines on a sink.
 * Lines that are due together and go straight to a socket become one text with their HTTP framing, because a buffer for
 * each line costs more than all the rest. Both writers make a line by the same function.
 */
import { timestampOf } from '../clock/timestamp.ts'
import type { ChunkPlace } from '../exchange/hooks.ts'
import type { ServedRequest } from '../exchange/served-request.ts'
import type { Sink } from '../exchange/sink.ts'
import type { ChunkDraft } from '../machine/chunk.ts'
import type { HookContext } from '../machine/domain-hooks.ts'
import type { Run } from '../machine/run.ts'
import { FramedLines } from './framed-lines.ts'

interface LineWriter {
  /** Takes the line of a chunk; `false` asks to wait for the sink. */
  write(draft: ChunkDraft, place: ChunkPlace, tickUs: number): boolean
  /** Writes the buffered lines. */
  flush(): void
  /** Bytes handed on so far, which the exchange keeps. */
  sentBytes(): number
}

/** A writer of the lines of a run; what it hands on is noted in the exchange. The head is already sent. */
export function lineWriter(exchange: ServedRequest, run: Run, sink: Sink): LineWriter {
  const { writeFramed } = sink
  if (!exchange.world.hooks.anyOverridden && writeFramed !== undefined) return batchedLines(exchange, run, writeFramed)
  return singleLines(exchange, run, sink)
}

/** The one serialiser of lines: joined texts, without an object for each of the many chunks of a stream. */
function lineOf(createdAt: string, ids: string, deltaJson: string): string {
  return `{"created_at":"${createdAt}${ids}${deltaJson}}\n`
}

function idsOf({ messageId, threadId }: Run): string {
  return `","message_id":${JSON.stringify(messageId)},"thread_id":${JSON.stringify(threadId)},"delta":`
}

/** All deltas but the last are a text and two constant fields; JSON.stringify takes three times as long for them. */
function jsonOf(delta: ChunkDraft['delta']): string {
  const { content, role, sources } = delta
  const plain = typeof content === 'string' && role === 'assistant' && Array.isArray(sources) && sources.length === 0
  if (!plain || Object.keys(delta).length !== 3) return JSON.stringify(delta)
  return `{"content":${JSON.stringify(content)},"role":"assistant","sources":[]}`
}

const batchLength = 65_536
/** Room for the frame and the delta of a usual line, bytes. */
const usualDelta = 80
const frameEnd = '\r\n'

function batchedLines(exchange: ServedRequest, run: Run, writeFramed: NonNullable<Sink['writeFramed']>): LineWriter {
  const ids = idsOf(run)
  // All but the delta is ASCII and of the same length in every line.
  const fixedLength = lineOf(timestampOf(run.startTickUs), ids, '').length
  const lines = exchange.chunkCount ?? 0
  const sent = new FramedLines(Math.min(batchLength, lines * (fixedLength + usualDelta)), lines)
  exchange.responsePieces = [sent]
  let text = ''
  let length = 0
  const handOn = (): boolean => {
    if (length === 0) return true
    const bytes = sent.append(text, length)
    text = ''
    length = 0
    return writeFramed(bytes)
  }
  return {
    write({ delta }, _place, tickUs) {
      const json = jsonOf(delta)
      const lineLength = fixedLength + Buffer.byteLength(json)
      const size = lineLength.toString(16)
      const start = sent.byteLength + length + size.length + frameEnd.length
      text += size + frameEnd + lineOf(timestampOf(tickUs), ids, json) + frameEnd
      length += size.length + lineLength + 2 * frameEnd.length
      sent.mark(start, start + lineLength)
      exchange.chunkTimesUs.push(tickUs)
      return length < batchLength || handOn()
    },
    flush: handOn,
    sentBytes: () => sent.byteLength,
  }
}

function singleLines(exchange: ServedRequest, run: Run, sink: Sink): LineWriter {
  const { hooks, machine, state } = exchange.world
  const context: HookContext = { command: { operation: 'finishRun', run }, state, thread: null }
  const ids = idsOf(run)
  const sent: Uint8Array[] = []
  let length = 0
  exchange.responsePieces = sent
  return {
    write({ delta }, place, tickUs) {
      const createdAt = machine.domainHooks.timestamp(timestampOf(tickUs), context)
      const faithful = lineOf(createdAt, ids, JSON.stringify(delta))
      const text = hooks.isOverridden.chunk
        ? `${JSON.stringify(hooks.chunk(JSON.parse(faithful), place, exchange))}\n`
        : faithful
      const bytes = hooks.line(Buffer.from(text), place, exchange)
      exchange.chunkTimesUs.push(tickUs)
      sent.push(bytes)
      length += bytes.length
      return bytes.length === 0 || sink.write(bytes)
    },
    flush() {},
    sentBytes: () => length,
  }
}

/**
 * From stamped chunks to lines on a sink. Lines that fall due together and go straight to a socket are made as one text,
 * framing included, since a buffer of its own for each of them costs more than all the rest; any other line goes alone.
 */
import { timestampOf } from '../clock/timestamp.ts'
import type { ChunkPlace } from '../hooks.ts'
import type { InFlightRequest } from '../http/in-flight-request.ts'
import type { Sink } from '../http/sink.ts'
import type { HookContext } from '../machine/domain-hooks.ts'
import type { Run } from '../machine/run.ts'
import type { ChunkDraft } from './chunk.ts'
import { FramedLines } from './framed-lines.ts'

export interface LineWriter {
  /** Takes the line of a chunk; `false` asks to wait for the sink. */
  write(draft: ChunkDraft, place: ChunkPlace, tickUs: number): boolean
  /** Hands on what was taken and not yet written. */
  flush(): void
}

/** A writer of the lines of a run; what it hands on is noted in the exchange. The head is already sent. */
export function lineWriter(exchange: InFlightRequest, run: Run, sink: Sink): LineWriter {
  const { writeFramed } = sink
  const faithful = exchange.world.overrides.length === 0
  if (faithful && writeFramed !== undefined) return batchedLines(exchange, run, writeFramed)
  return singleLines(exchange, run, sink)
}

const batchLength = 65_536
/** Room for the frame and the delta of a usual line, bytes. */
const usualDelta = 80
/** A line around its stamp and its delta, without an object for the chunk: a stream has many of them. */
const opening = '{"created_at":"'
const lineEnd = '\r\n'
const framedOpening = `${lineEnd}${opening}`
const framedEnd = `}\n${lineEnd}`

function batchedLines(exchange: InFlightRequest, run: Run, writeFramed: NonNullable<Sink['writeFramed']>): LineWriter {
  const ids = idsOf(run)
  // Nothing bends what comes before the delta: ids and stamps are ASCII, and as many bytes as characters.
  const fixedLength = `${opening}${timestampOf(run.startTickUs)}${ids}}\n`.length
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
      const json = JSON.stringify(delta)
      const lineLength = fixedLength + Buffer.byteLength(json)
      const size = lineLength.toString(16)
      const start = sent.byteLength + length + size.length + lineEnd.length
      text += size + framedOpening + timestampOf(tickUs) + ids + json + framedEnd
      length += size.length + lineLength + 2 * lineEnd.length
      sent.mark(start, start + lineLength)
      exchange.chunkTimesUs.push(tickUs)
      return length < batchLength || handOn()
    },
    flush: handOn,
  }
}

function singleLines(exchange: InFlightRequest, run: Run, sink: Sink): LineWriter {
  const { domainHooks, http } = exchange.world.hooks
  const { chunk: overrideChunk, line: overrideLine } = http
  const context: HookContext = { command: { operation: 'finishRun', run }, state: exchange.world.state, thread: null }
  const ids = idsOf(run)
  const sent: Uint8Array[] = []
  exchange.responsePieces = sent
  const textOf = ({ delta }: ChunkDraft, place: ChunkPlace, createdAt: string): string => {
    if (overrideChunk === null) return `${opening}${createdAt}${ids}${JSON.stringify(delta)}}\n`
    const chunk = { created_at: createdAt, message_id: run.messageId, thread_id: run.threadId, delta }
    return `${JSON.stringify(overrideChunk(chunk, place, exchange))}\n`
  }
  return {
    write(draft, place, tickUs) {
      const faithful = Buffer.from(textOf(draft, place, domainHooks.timestamp(timestampOf(tickUs), context)))
      const bytes = overrideLine === null ? faithful : overrideLine(faithful, place, exchange)
      exchange.chunkTimesUs.push(tickUs)
      sent.push(bytes)
      return bytes.length === 0 || sink.write(bytes)
    },
    flush() {},
  }
}

function idsOf({ messageId, threadId }: Run): string {
  return `","message_id":${JSON.stringify(messageId)},"thread_id":${JSON.stringify(threadId)},"delta":`
}

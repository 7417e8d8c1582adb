/**
 * Sends the chunks of a run: each when it is due on the world's clock, each as its own write, never faster than the
 * client takes them, and not at all once the client has left. The answer is stored before its last line goes out, so
 * that whoever has read the end finds the message in the list.
 */
import { timestampOf } from '../clock/timestamp.ts'
import type { Exchange } from '../http/exchange.ts'
import type { Sink } from '../http/sink.ts'
import type { Occasion } from '../machine/laws.ts'
import type { Run } from '../machine/run.ts'
import type { ChunkPlace } from '../seams.ts'
import type { ChunkDraft } from './chunk.ts'

export interface PumpOptions {
  readonly exchange: Exchange
  readonly run: Run
  readonly drafts: readonly ChunkDraft[]
  readonly sink: Sink
  /** Stores the whole answer. */
  readonly finish: (tickUs: number) => void
  /** Called once, when the stream has ended or the client has left. */
  readonly done: () => void
  /** Called instead when something throws on the way. */
  readonly fail: (cause: unknown) => void
}

/** Starts the stream of a run; the head is already sent. */
export function pumpChunks(options: PumpOptions): void {
  const { exchange, run, drafts, sink } = options
  const { clock } = exchange.world
  let next = 0
  let lastTickUs = run.startTickUs
  let cancelWait: (() => void) | null = null
  let over = false
  const lineOf = lineMaker(options)
  const sent: Uint8Array[] = []
  exchange.responsePieces = sent
  const close = () => {
    over = true
    options.done()
  }
  const advance = () => {
    try {
      sendDue()
    } catch (cause) {
      over = true
      options.fail(cause)
    }
  }
  const sendDue = () => {
    cancelWait = null
    while (!over) {
      const draft = drafts[next]
      if (draft === undefined) break
      const dueUs = run.startTickUs + Math.round(draft.dueMs * 1000)
      const tickUs = clock.ready(dueUs)
      if (tickUs === null) {
        cancelWait = clock.at(dueUs, advance)
        return
      }
      lastTickUs = Math.max(tickUs, lastTickUs + 1)
      const last = next === drafts.length - 1
      if (last) options.finish(lastTickUs)
      const bytes = lineOf(draft, { index: next, last }, lastTickUs)
      exchange.chunkTimesUs.push(lastTickUs)
      sent.push(bytes)
      next += 1
      const writable = bytes.length === 0 || sink.write(bytes)
      if (!writable && !last) {
        sink.whenWritable(advance)
        return
      }
    }
    if (over) return
    if (drafts.length === 0) options.finish(lastTickUs + 1)
    if (exchange.outcome === 'pending') exchange.outcome = 'read-all'
    sink.end()
    close()
  }
  sink.whenGone(() => {
    if (over) return
    cancelWait?.()
    if (exchange.outcome === 'pending') exchange.outcome = 'left'
    close()
  })
  advance()
}

/** The line of one chunk: an object only if a deviation wants to see one, for a stream has many of them. */
function lineMaker({
  exchange,
  run,
}: PumpOptions): (draft: ChunkDraft, place: ChunkPlace, tickUs: number) => Uint8Array {
  const { laws, shell } = exchange.world.seams
  const { chunk: bendChunk, line: bendLine } = shell
  const occasion: Occasion = { command: { operation: 'finishRun', run }, state: exchange.world.state, thread: null }
  const ids = `","message_id":${JSON.stringify(run.messageId)},"thread_id":${JSON.stringify(run.threadId)},"delta":`
  return (draft, place, tickUs) => {
    const created = laws.stamp(timestampOf(tickUs), occasion)
    if (bendChunk === null && bendLine === null) {
      return Buffer.from(`{"created_at":"${created}${ids}${JSON.stringify(draft.delta)}}\n`)
    }
    const chunk = { created_at: created, message_id: run.messageId, thread_id: run.threadId, delta: draft.delta }
    const bytes = Buffer.from(`${JSON.stringify(bendChunk === null ? chunk : bendChunk(chunk, place, exchange))}\n`)
    return bendLine === null ? bytes : bendLine(bytes, place, exchange)
  }
}

/**
 * Sends each chunk of a run when it is due, never faster than the client reads. The answer is stored before its last line
 * goes out, so that a client that has read the end finds the message in the list.
 */
import type { ServedRequest } from '../exchange/served-request.ts'
import type { Sink } from '../exchange/sink.ts'
import type { WaitActions } from '../exchange/waits.ts'
import { type ChunkDraft, type ChunkDrafts, withText } from '../machine/chunk.ts'
import type { Run } from '../machine/run.ts'
import { lineWriter } from './line-writer.ts'
import { stalledStreams } from './stalled-streams.ts'

interface PumpOptions {
  readonly exchange: ServedRequest
  readonly run: Run
  readonly drafts: ChunkDrafts
  readonly sink: Sink
  /** Stores the whole answer. */
  readonly finish: (tickUs: number) => void
  /** Called once, when the stream has ended or the client has disconnected. */
  readonly done: () => void
  /** Called instead when something throws on the way. */
  readonly fail: (cause: unknown) => void
}

/** Starts the stream of a run; the head is already sent. */
export function pumpChunks(options: PumpOptions): void {
  const { exchange, run, drafts, sink } = options
  const { clock, waits } = exchange.world
  let next = 0
  let draft: ChunkDraft | undefined
  let lastTickUs = run.startTickUs
  let cancelWait: (() => void) | null = null
  let over = false
  const lines = lineWriter(exchange, run, sink)
  const close = () => {
    over = true
    stalledStreams.drop(exchange)
    options.done()
  }
  const breakOff = () => {
    if (over) return
    exchange.outcome = 'broken-off'
    close()
    sink.reset()
  }
  const advance = (forced = false) => {
    stalledStreams.drop(exchange)
    try {
      sendDue(forced)
    } catch (cause) {
      over = true
      options.fail(cause)
    }
  }
  const drop = () => {
    draft = undefined
    next += 1
    if (next === drafts.length) options.finish(lastTickUs + 1)
    advance()
  }
  const say = (text: string, how: 'edit' | 'inject') => {
    if (draft === undefined) return
    if (how === 'edit') draft = withText(draft, text)
    else lastTickUs = writeExtra(lines, withText(draft, text, true), next, Math.max(clock.nowUs(), lastTickUs + 1))
  }
  const actions: WaitActions = { proceed: () => advance(true), drop, say, breakOff }
  const sendDue = (forced: boolean) => {
    let atOnce = forced
    cancelWait = null
    let readUs = Number.NEGATIVE_INFINITY
    while (!over) {
      draft ??= drafts.at(next)
      if (draft === undefined) break
      const dueUs = run.startTickUs + Math.round(draft.dueMs * 1000)
      // One reading of the clock serves all chunks that were due by then.
      const tickUs = dueUs <= readUs ? readUs : (clock.ready(dueUs) ?? (atOnce ? clock.nowUs() : null))
      if (tickUs === null) {
        lines.flush()
        cancelWait = waits.until(exchange, dueUs, advance, actions)
        return
      }
      atOnce = false
      readUs = tickUs
      lastTickUs = Math.max(tickUs, lastTickUs + 1)
      const last = next === drafts.length - 1
      if (last) options.finish(lastTickUs)
      const writable = lines.write(draft, { index: next, last }, lastTickUs)
      draft = undefined
      next += 1
      if (!writable && !last) {
        sink.whenWritable(advance)
        stalledStreams.note(exchange, { bytes: bytesOf(options) + lines.sentBytes(), breakOff })
        return
      }
    }
    if (over) return
    if (drafts.length === 0) options.finish(lastTickUs + 1)
    lines.flush()
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

/** A chunk beside those of the answer goes out at once; its stamp. */
function writeExtra(lines: ReturnType<typeof lineWriter>, draft: ChunkDraft, index: number, tickUs: number): number {
  lines.write(draft, { index, last: false }, tickUs)
  lines.flush()
  return tickUs
}

/** An answer is held as text, as borders of fragments and as what is stored of it. */
const copiesOfAnswer = 4

function bytesOf({ exchange, run }: PumpOptions): number {
  const { body } = exchange.request
  return copiesOfAnswer * run.answer.content.length + (body.kind === 'bytes' ? body.bytes.length : 0)
}

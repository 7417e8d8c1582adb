/** Sends a recorded answer in the pieces in which it came, each when it came, on the world's clock. */
import type { ServedRequest } from '../exchange/served-request.ts'
import type { Sink } from '../exchange/sink.ts'
import type { WaitActions } from '../exchange/waits.ts'
import type { RecordedExchange } from './recorded-exchange.ts'

/** Answers a request with the recorded answer. */
export function playAnswer(
  recorded: RecordedExchange,
  exchange: ServedRequest,
  sink: Sink,
  extraHeaders: Readonly<Record<string, string>>,
): void {
  const { clock, held, journal, waits } = exchange.world
  const { pieces } = recorded
  const sent: Uint8Array[] = []
  let next = -1
  let over = false
  let cancelWait: (() => void) | null = null
  exchange.responsePieces = sent
  if (recorded.headers['content-type']?.includes('ndjson')) exchange.chunkCount = pieces.length
  const close = (outcome: ServedRequest['outcome']) => {
    over = true
    held.delete(exchange)
    if (exchange.outcome === 'pending') exchange.outcome = outcome
    journal.record(exchange)
  }
  const finish = () => {
    if (recorded.isCut) sink.reset()
    else sink.end()
    close(recorded.isCut ? 'broken-off' : 'read-all')
  }
  /** Sends the head, then piece after piece; `false` asks to wait for the client. */
  const send = (tickUs: number): boolean => {
    const piece = next < 0 ? undefined : pieces[next]
    next += 1
    if (piece === undefined) {
      const head = { status: recorded.status, headers: { ...recorded.headers, ...extraHeaders } }
      exchange.status = head.status
      exchange.response = head
      sink.head(head)
      return true
    }
    exchange.chunkTimesUs.push(tickUs)
    sent.push(piece.bytes)
    return sink.write(piece.bytes)
  }
  const advance = (forced = false) => {
    let atOnce = forced
    cancelWait = null
    while (!over && next < pieces.length) {
      const dueMs = next < 0 ? recorded.headMs : (pieces[next]?.atMs ?? 0)
      const dueUs = exchange.startedAtUs + Math.round(dueMs * 1000)
      const tickUs = atOnce ? clock.nowUs() : clock.ready(dueUs)
      if (tickUs === null) {
        cancelWait = waits.until(exchange, dueUs, () => advance(), actions)
        return
      }
      atOnce = false
      if (!send(tickUs)) {
        sink.whenWritable(() => advance())
        held.set(exchange, actions.breakOff)
        return
      }
    }
    if (!over) finish()
  }
  const isStream = exchange.chunkCount !== null
  const drop = () => {
    if (next >= 0) next += 1
    advance()
  }
  const actions: WaitActions = {
    proceed: () => advance(true),
    drop: isStream ? drop : null,
    say: null,
    breakOff: () => {
      sink.reset()
      close('broken-off')
    },
  }
  sink.whenGone(() => {
    if (over) return
    cancelWait?.()
    close('left')
  })
  advance()
}

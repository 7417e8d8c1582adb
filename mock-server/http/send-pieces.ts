/**
 * Sends a long body in the pieces that are stored anyway, never faster than the client takes them: a client that does
 * not read costs no more than its connection.
 */
import type { InFlightRequest } from './in-flight-request.ts'
import type { Sink } from './sink.ts'

/** Sends the pieces of a body whose head is sent, and records the exchange at its end. */
export function sendPieces(exchange: InFlightRequest, sink: Sink, pieces: readonly Uint8Array[]): void {
  let sent = 0
  let over = false
  const close = (outcome: InFlightRequest['outcome']) => {
    over = true
    exchange.responsePieces = pieces.slice(0, sent)
    exchange.outcome = outcome
    exchange.world.journal.record(exchange)
  }
  const advance = () => {
    if (over) return
    try {
      for (const piece of pieces.slice(sent)) {
        sent += 1
        if (sink.write(piece) || sent === pieces.length) continue
        sink.whenWritable(advance)
        return
      }
      sink.end()
      close('read-all')
    } catch (cause) {
      exchange.fault = cause
      close('broken-off')
      sink.reset()
    }
  }
  sink.whenGone(() => {
    if (!over) close('left')
  })
  advance()
}

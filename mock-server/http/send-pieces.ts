/**
 * Sends a long body piece by piece, never faster than the client reads.
 * The pieces are stored anyway, so a client that does not read costs no more than its connection.
 */
import type { ServedRequest } from '../exchange/served-request.ts'
import type { Sink } from '../exchange/sink.ts'

/** Sends the pieces of a body whose head is sent, and records the exchange at its end. */
export function sendPieces(exchange: ServedRequest, sink: Sink, pieces: readonly Uint8Array[]): void {
  const { held, journal } = exchange.world
  let sent = 0
  let over = false
  const close = (outcome: ServedRequest['outcome']) => {
    over = true
    held.delete(exchange)
    exchange.responsePieces = pieces.slice(0, sent)
    exchange.outcome = outcome
    journal.record(exchange)
  }
  const breakOff = () => {
    close('broken-off')
    sink.reset()
  }
  const advance = () => {
    if (over) return
    try {
      for (const piece of pieces.slice(sent)) {
        sent += 1
        if (sink.write(piece) || sent === pieces.length) continue
        sink.whenWritable(advance)
        held.set(exchange, breakOff)
        return
      }
      sink.end()
      close('read-all')
    } catch (cause) {
      exchange.fault = cause
      breakOff()
    }
  }
  sink.whenGone(() => {
    if (!over) close('left')
  })
  advance()
}

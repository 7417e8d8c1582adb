/**
 * Records the bytes that were sent after a fault acted. The journal then shows the damaged answer instead of the intended
 * one.
 */
import type { InFlightRequest } from '../exchange/in-flight-request.ts'
import type { Sink } from '../exchange/sink.ts'

/** A sink directly before the client's that records the bytes it forwards. */
export function recordSentBytes(exchange: InFlightRequest, client: Sink): Sink {
  const sent: Uint8Array[] = []
  let opened = false
  const record = (bytes: Uint8Array) => {
    sent.push(bytes)
    exchange.responsePieces = sent
  }
  return {
    head(head) {
      opened = true
      exchange.status = head.status
      exchange.response = head
      client.head(head)
    },
    write(bytes) {
      record(bytes)
      if (exchange.chunkCount !== null) timePieces(exchange, sent.length)
      return client.write(bytes)
    },
    end(bytes) {
      if (bytes !== undefined) record(bytes)
      client.end(bytes)
    },
    reset(how) {
      if (!opened) {
        exchange.status = 0
        exchange.response = null
      }
      exchange.responsePieces = sent
      client.reset(how)
    },
    whenWritable: (resume) => client.whenWritable(resume),
    whenGone: (stop) => client.whenGone(stop),
  }
}

/** One time for each piece: a chunk that was doubled or split has more of them than the pump wrote down. */
function timePieces({ chunkTimesUs, world }: InFlightRequest, pieces: number): void {
  while (chunkTimesUs.length < pieces) chunkTimesUs.push(world.clock.nowUs())
  if (chunkTimesUs.length > pieces) chunkTimesUs.length = pieces
}
